/** Capture as the engine wires it: each session in the place of its own folder, with the mode that holds for it. */
import { realpathSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import { type CaptureInput, type CaptureResult, isShared, type LayerMode, modeOf } from '../domain/index.ts'
import { messageOf, throwIfCancelled } from '../errors.ts'
import { readShown } from '../inject/index.ts'
import type { StateStore } from '../store/state/state-store.ts'
import { readTail } from '../util/index.ts'
import {
  type CandidateBook,
  type CaptureDependencies,
  createCandidateBook,
  createCapture,
  type Guidance,
  type SessionPlace,
} from '../write/index.ts'
import type { Core } from './core.ts'
import { createNotes } from './notes.ts'
import { readOwnCues } from './own-cues.ts'
import { createPlace, type Place } from './place.ts'
import { takeBack } from './take-back.ts'
import { usedNoteFinder } from './used-note.ts'

export type PlaceOfSession = (cwd: string | null, mode: LayerMode) => Promise<SessionPlace>

/** `here` serves the sessions of its own folder; any other place is made when a session needs it. */
export function placesOfSessions(core: Core, here: Place): PlaceOfSession {
  const { options, placeOptions, writerParts } = core
  return async (cwd, mode) => {
    const config = { ...placeOptions.config, session: { mode } }
    const isHere = (cwd === null || cwd === options.cwd) && mode === options.loaded.config.session.mode
    const there = isHere
      ? here
      : await createPlace(cwd ?? options.cwd, { ...placeOptions, config, goneIsPlace: true }, writerParts)
    if (options.loaded.config.capture.sessions) await there.register()
    const notes = createNotes({ ...core, layers: there.layers, here: there.here, clock: options.clock })
    return {
      project: there.projectKey(),
      takesNotes: [there.current().global, there.current().project].some(
        (layer) => layer && isOpen(modeOf(layer, config)),
      ),
      remember: there.writer.remember,
      // What others wrote down is no reason to leave out the user's own words.
      existing: async () => (await notes.scan()).flatMap(({ note, layer }) => (isShared(layer) ? [] : note)),
      noteFinder: () => usedNoteFinder(notes, options.userHome),
      takeBack: (session: string, hashes: ReadonlySet<string>) =>
        takeBack(session, hashes, { ...core, notes, writer: there.writer }),
      isNotePath: (path: string) => there.layers().some((layer) => isBelow(layer.directory, path)),
    }
  }
}

/** `closing`: conversations of this transcript that ended, or are about to be compacted. */
export type Capture = (input: CaptureInput, closing?: ReadonlySet<string>) => Promise<CaptureResult>

export function captureIn(core: Core, placeOf: PlaceOfSession, reading: () => CaptureDependencies['reading']): Capture {
  const { options, stores, writerParts, toolWrites } = core
  return async (input, closing = new Set()) => {
    await writerParts.ensureHome()
    const state = stores.state()
    const candidates = state && candidateBook(core, state)
    candidates?.expire()
    const run = createCapture({
      readers: options.readers,
      sessions: stores.sessions(),
      state,
      unavailable: stores.unavailable(),
      config: options.loaded.config,
      clock: options.clock,
      placeOf,
      modeOf: core.sessionModes.modeOf,
      reading: reading(),
      candidates,
      cues: readOwnCues(core.home.directory),
      guidance: state && guidanceOf(core),
      uses: state && core.uses,
      recordToolWrite: ({ path, session, time }) => toolWrites.record(path, session, time),
    })
    // Cursors are kept by path: one file has one.
    const file = resolve(options.cwd, input.file)
    const result = await run({ ...input, file })
    const problems = await noteConversations(
      core,
      { ...input, file },
      new Set([...result.sessions, ...closing]),
      closing,
    )
    return { ...result, problems: [...result.problems, ...problems] }
  }
}

/** A note that cannot be written now is written when more was said; what was captured stays captured. */
async function noteConversations(
  { sessionNotes, onProblem }: Core,
  { agent, file: transcript, signal }: CaptureInput,
  sessions: ReadonlySet<string>,
  closing: ReadonlySet<string>,
): Promise<readonly string[]> {
  const problems: string[] = []
  for (const session of sessions) {
    try {
      await sessionNotes.look({ session, agent, transcript, isClosing: closing.has(session), signal })
    } catch (error) {
      throwIfCancelled(signal)
      onProblem(error, 'session note')
      problems.push(`The note of ${session} could not be written: ${messageOf(error)}`)
    }
  }
  return problems
}

/** A transcript that cannot be read has shown nothing; capture itself says that it cannot be read. */
function guidanceOf({ options, trust, onProblem }: Core): Guidance {
  return {
    async shownIn(agent, transcript) {
      const reader = Object.hasOwn(options.readers, agent) ? options.readers[agent] : undefined
      if (!reader?.shownBlocks) return new Set()
      const text = await readTail(transcript).catch(() => '')
      return new Set(readShown(reader.shownBlocks(text)).ids.keys())
    },
    record(step) {
      try {
        trust.record(step)
      } catch (error) {
        // A statistic: what it cannot keep is no reason to lose the words.
        onProblem(error, 'trust')
      }
    },
  }
}

function candidateBook({ options, writerParts }: Core, { candidates: store }: StateStore): CandidateBook {
  const { tombstones } = writerParts
  return createCandidateBook({ store, tombstones, clock: options.clock, sensitive: options.loaded.config.sensitive })
}

/** Something may be written or proposed there by itself. */
function isOpen(mode: LayerMode): boolean {
  return mode === 'auto' || mode === 'review'
}

/** By the path as it is, or as its links lead: an agent may have written through one. */
function isBelow(directory: string, path: string): boolean {
  return [path, realPathOf(path)].some(
    (each) => each.startsWith(`${directory}${sep}`) || each.startsWith(`${realPathOf(directory)}${sep}`),
  )
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    // Gone meanwhile: then the path as it was written has to do.
    return path
  }
}
