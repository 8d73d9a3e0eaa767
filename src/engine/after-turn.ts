/** Reading by a model as the engine wires it (spec W12): null or nothing to do where no model, database or text is there. */
import type { Message } from '../domain/index.ts'
import type { QueuedJob } from '../store/state/job-queue.ts'
import { createReadingBook, EXTRACTION, extractSession, isForgottenMessage, type ReadingBook } from '../write/index.ts'
import type { PlaceOfSession } from './capture.ts'
import type { Core } from './core.ts'
import type { RunJobsDependencies } from './run-jobs.ts'

export interface AfterTurn {
  /** Null: no model reads conversations here. */
  readonly book: () => ReadingBook | null
  /** How its jobs are done; empty while nobody can. */
  readonly work: () => RunJobsDependencies['work']
  /** A person does not want it: no model reads what it was about. */
  readonly giveUp: (job: Pick<QueuedJob, 'kind' | 'key'>) => void
}

export function afterTurnOf(core: Core, placeOf: PlaceOfSession): AfterTurn {
  const { options, stores, models, sessionModes } = core
  const { clock, ids, loaded } = options
  const parts = () => {
    // Without the words of conversations there is nothing to read.
    const sessions = loaded.config.capture.sessions ? stores.sessions() : null
    const state = stores.state()
    return sessions && state && { sessions, cursors: state.extractions, queue: state.queue, clock, ids }
  }
  const book = () => {
    const found = parts()
    return found && createReadingBook(found)
  }
  const isModelSet = () => models.has(EXTRACTION)
  return {
    book: () => (isModelSet() ? book() : null),
    giveUp: ({ kind, key }) => {
      if (kind === EXTRACTION) book()?.giveUp(key)
    },
    work() {
      const found = isModelSet() ? parts() : null
      if (!found) return nothing
      const isForgotten = (message: Message) => isForgottenMessage(core.writerParts.tombstones, message)
      const reading = { ...found, models, config: loaded.config, modeOf: sessionModes.modeOf, placeOf, isForgotten }
      return { [EXTRACTION]: (job, hold) => extractSession(reading, job, hold) }
    },
  }
}

const nothing: RunJobsDependencies['work'] = {}
