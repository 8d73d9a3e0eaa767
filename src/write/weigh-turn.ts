/**
 * What the user's new words say about the notes that the conversation was shown or used, before any of them changes
 * (spec W9, R10): a correction or praise counts for the note it is about; a note that was opened in the turn before
 * helped, unless these words correct that turn.
 */

import type { MaskedTurn, Seen } from './capture-notes.ts'
import { existingIn } from './capture-place.ts'
import type { CaptureRun, ContextMessage, KnownPlace } from './capture-run.ts'
import { stepsOfReading, trustStepsOf } from './weigh-signals.ts'

/** Messages before the turn in which the user's last words are looked for; tools' answers are not among them. */
const MAX_LOOKED_BACK = 200

export async function weighTrust(
  run: CaptureRun,
  place: KnownPlace,
  { turn, seen }: { readonly turn: MaskedTurn; readonly seen: Seen },
): Promise<void> {
  const { guidance, uses, clock, cues } = run.dependencies
  if (!guidance) return
  run.shown ??= await guidance.shownIn(run.input.agent, run.input.file)
  const used = uses?.inSession(turn.session) ?? []
  const ids = new Set([...run.shown, ...used.map(({ note }) => note)])
  if (ids.size === 0) return
  const messages = [...seen.context, ...seen.words]
  const from = messages.findIndex((message, at) => at >= seen.context.length && !turn.known.has(message.id))
  if (from === -1) return
  const said = { messages, from, session: turn.session, cues: cues?.tables ?? [], now: clock.now() }
  const shown = (await existingIn(place)).filter(({ id }) => ids.has(id))
  const opened = used.filter(({ kind }) => kind === 'opened')
  const steps = [
    ...(shown.length > 0 ? trustStepsOf({ ...said, shown }) : []),
    ...(opened.length > 0 ? stepsOfReading({ ...said, opened, since: lastWordsMs(run, turn, seen.context) }) : []),
  ]
  for (const step of steps) guidance.record(step)
}

/** When the user spoke last before this turn, in milliseconds; 0 when that is not known. */
function lastWordsMs({ dependencies }: CaptureRun, turn: MaskedTurn, context: readonly ContextMessage[]): number {
  const known = context.findLast(({ role }) => role === 'user')
  const last = known ?? storedWords(dependencies.sessions, turn)
  const ms = Date.parse(last?.time ?? '')
  return Number.isNaN(ms) ? 0 : ms
}

function storedWords(sessions: CaptureRun['dependencies']['sessions'], { session, messages }: MaskedTurn) {
  if (!sessions) return undefined
  const { total } = sessions.messages(session, { limit: 1, offset: 0 })
  const options = { ordinal: total, direction: 'back', limit: MAX_LOOKED_BACK, tools: false } as const
  const stored = sessions.messagesFrom(session, options).map(({ message }) => message)
  const inTurn = new Set(messages.map(({ id }) => id))
  return stored.findLast(({ role, id }) => role === 'user' && !inTurn.has(id))
}
