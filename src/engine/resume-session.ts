/** How a conversation is taken up again in its own agent: the agent's command, as long as the transcript is there. */
import { type Session, type SessionCommand, sessionParts, type TranscriptReader } from '../domain/index.ts'
import type { StateStore } from '../store/state/state-store.ts'
import { transcriptOf } from './transcript-of.ts'

/** An id goes into a shell: nothing else than this is offered. */
const NATIVE_ID = /^[A-Za-z0-9][\w.-]{0,200}$/

export interface ResumeDependencies {
  readonly readers: Readonly<Record<string, TranscriptReader>>
  /** Knows which transcripts were read. */
  readonly state: Pick<StateStore, 'cursors'> | null
}

export function resumeSession({ id, agent, cwd }: Session, { readers, state }: ResumeDependencies): SessionCommand {
  const gone = (reason: string): SessionCommand => ({ outcome: 'gone', session: id, reason })
  const { native } = sessionParts(id)
  const resume = Object.hasOwn(readers, agent) ? readers[agent]?.resume : undefined
  if (!resume) return gone(`It is not known how ${agent} goes on with a conversation.`)
  if (!NATIVE_ID.test(native)) return gone('Its id is none that may stand in a command.')
  const transcript = transcriptOf(state, id)
  if (transcript === null) return gone('Its transcript is not there any more; what was captured can still be read.')
  const command = [...resume, native]
  return { outcome: 'ready', session: id, command, line: command.join(' '), cwd, transcript }
}
