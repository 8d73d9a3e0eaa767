/**
 * Fits the plan of one remembered note into the profile (spec W3). A person or agent is refused and told what is there;
 * what comes in unattended becomes an ordinary note, and that is said. Nothing that stands there is pushed out.
 */
import type { Config, EntriesNow, IdSource, Layer, Rejection, WriteAuthor } from '../../domain/index.ts'
import type { Draft } from '../draft.ts'
import { type Plan, planOrdinary, planWrite } from '../plan-write.ts'
import type { NoteReader } from '../read-layer.ts'
import { ordinaryNotice, overflowOf, profileFull } from './profile-room.ts'

export type Fitted =
  | { readonly plan: Plan; readonly notices: readonly string[] }
  | { readonly reason: Rejection; readonly present: EntriesNow | null }

export interface FitOptions {
  readonly config: Config
  readonly ids: IdSource
  readonly isToolWritten: (path: string) => boolean
}

/** Somebody is there who can make room in the same turn. */
export function isAttended(author: WriteAuthor): boolean {
  return author === 'person' || author === 'agent'
}

export async function fitProfile(
  reader: NoteReader,
  layer: Layer,
  { plan, draft }: { readonly plan: Plan; readonly draft: Draft },
  options: FitOptions,
): Promise<Fitted> {
  if (plan.kind === 'blocked' && plan.refusal) return { reason: plan.refusal, present: null }
  const now = await overflow(reader, layer, plan, options)
  if (now === null) return { plan, notices: [] }
  if (isAttended(draft.author)) return profileFull(now.full, now, options.isToolWritten)
  const notices = [ordinaryNotice(now.full)]
  const unpinned = await planWrite(reader, { ...draft, pinned: undefined }, options.ids)
  if ((await overflow(reader, layer, unpinned, options)) === null) return { plan: unpinned, notices }
  return { plan: await planOrdinary(reader, draft, options.ids), notices }
}

async function overflow(reader: NoteReader, layer: Layer, plan: Plan, { config }: FitOptions) {
  if (plan.kind === 'unchanged') return null
  const gone = new Set(plan.kind === 'blocked' ? [] : plan.also.map(({ file }) => file))
  return overflowOf(reader, layer, { ...plan.change, gone }, config)
}
