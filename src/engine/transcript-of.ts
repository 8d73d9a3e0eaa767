/** The transcript of a captured conversation, as far as it was read and is still there. */
import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { sessionParts } from '../domain/index.ts'
import type { StateStore } from '../store/state/state-store.ts'

/** Its native id is part of the file's name. Null without a state database too. */
export function transcriptOf(state: Pick<StateStore, 'cursors'> | null, session: string): string | null {
  const { agent, native } = sessionParts(session)
  if (native === '') return null
  const cursors = state?.cursors().filter((cursor) => cursor.agent === agent) ?? []
  const found = cursors.find(({ transcript }) => basename(transcript).includes(native) && existsSync(transcript))
  return found?.transcript ?? null
}
