/**
 * What may become of a conversation (spec W11). One that is set off late also forgets what it gave: notes that rest on
 * nothing else, what waits because of it, and its words.
 */
import { type LayerMode, layerModes, type SessionModeResult } from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import { SESSION_NOTE } from '../refresh/index.ts'
import type { SessionMode, SessionModes } from '../store/session-modes.ts'
import { EXTRACTION } from '../write/index.ts'
import { attempt } from './check.ts'
import type { Core } from './core.ts'
import { keepSummaryTrue } from './deferred.ts'
import { createNotes } from './notes.ts'
import { createPlace } from './place.ts'
import { takeBack } from './take-back.ts'

const SESSION_ID = /^[a-z][a-z0-9-]*:\S{1,200}$/

export async function setSessionMode(
  core: Core,
  sessionModes: SessionModes,
  { id, mode }: { readonly id: string; readonly mode: LayerMode },
): Promise<SessionModeResult> {
  if (!layerModes.includes(mode)) throw invalid('mode', `Say one of ${layerModes.join(', ')}.`)
  if (!SESSION_ID.test(id)) throw invalid('id', 'A session is called <agent>:<id>, as keepsake sessions lists it.')
  await core.writerParts.ensureHome()
  const cwd = core.stores.sessions()?.session(id)?.cwd ?? null
  sessionModes.set({ session: id, mode, cwd })
  const forgotten = mode === 'off' ? await forgetSession(core, sessionModes, { session: id, mode, cwd }) : 0
  return { session: id, mode, forgotten }
}

/** Sessions that were started off by a hook, after they had given something. One at a time; what fails comes again. */
export async function settleSessionModes(core: Core, sessionModes: SessionModes): Promise<readonly string[]> {
  const problems: string[] = []
  for (const each of sessionModes.unsettled()) {
    try {
      await forgetSession(core, sessionModes, each)
    } catch (error) {
      core.onProblem(error, 'sessions')
      problems.push(`What ${each.session} gave could not be forgotten now.`)
    }
  }
  return problems
}

async function forgetSession(core: Core, sessionModes: SessionModes, { session, cwd }: SessionMode): Promise<number> {
  const { options, placeOptions, writerParts, stores } = core
  const config = { ...placeOptions.config, session: { mode: 'auto' as const } }
  const there = await createPlace(cwd ?? options.cwd, { ...placeOptions, config, goneIsPlace: true }, writerParts)
  const notes = createNotes({ ...core, layers: there.layers, here: there.here, clock: options.clock })
  const forgotten = await takeBack(session, 'all', { ...core, notes, writer: there.writer })
  const inIndex = attempt(() => stores.index().removeSession(session))
  // Derived: where it cannot be reached now, a word of it is not served without its session, and a rebuild drops it.
  if ('error' in inIndex) core.onProblem(new MemoryError('INDEX_UNAVAILABLE', inIndex.error), 'index')
  const state = stores.state()
  state?.queue.dropKey(EXTRACTION, session)
  state?.extractions.remove(session)
  state?.sessionMemories.remove(session)
  await keepSummaryTrue(core, there.current().project, there.current().global)
  state?.candidates.removeSession(session)
  state?.uses.removeSession(session)
  core.startBlocks.removeSession(session)
  // Other conversations may have been told its last words.
  await core.startBlocks.forget((piece) => piece.session === session)
  await core.sessionNotes.remove(session)
  state?.queue.dropKey(SESSION_NOTE, session)
  // Words last: while they stand, a kill leaves the session unsettled and all of this is done again.
  stores.sessions()?.removeSession(session)
  sessionModes.settle(session)
  return forgotten
}

function invalid(field: string, message: string): MemoryError {
  return new MemoryError('INPUT_INVALID', message, { hint: 'Nothing was changed.', data: { field } })
}

/** A home of a newer format, settings that may say `off`, a conversation that was set off. Null when it may be kept. */
export function whyNothingIsKept(
  { home, options, sessionModes }: Pick<Core, 'home' | 'options' | 'sessionModes'>,
  session: string,
): string | null {
  if (!home.writable) return 'the home is of a newer format'
  if (!options.loaded.usable) return 'config.json cannot be read'
  const isOff = options.loaded.config.session.mode === 'off' || sessionModes.modeOf(session) === 'off'
  return isOff ? 'nothing of this session is kept (its mode is off)' : null
}
