/** Recall as the engine wires it: over the index, and over the files while the index cannot be trusted. */
import type { Clock, Layer } from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import type { Embedder, ModelJobs } from '../models/index.ts'
import { createFullRecall, createRerank, createSelect, createSemantic, type Recall } from '../recall/index.ts'
import type { Here } from '../store/notes/precedence.ts'
import type { SearchIndex } from '../store/search-index/search-index.ts'
import type { SessionStore } from '../store/sessions/session-store.ts'
import type { IndexView } from './index-view.ts'
import type { Stores } from './stores.ts'
import type { TrustBook } from './trust.ts'

export interface RecallParts {
  readonly stores: Stores
  readonly models: ModelJobs
  readonly embedder: Embedder | null
  readonly view: IndexView
  readonly layers: () => readonly Layer[]
  readonly here: () => Here
  readonly readableSessions: () => SessionStore | null
  readonly trust: TrustBook
  readonly clock: Clock
  readonly onProblem: (error: unknown, where: string) => void
}

export interface Recalls {
  readonly recall: Recall
  /** For a search whose index could not be brought up to date: it may not know what the files say now. */
  readonly recallByScan: (reason: string) => Recall
}

export function recallsOf(parts: RecallParts): Recalls {
  const { stores, models, embedder, view, layers, here, trust, clock } = parts
  const semantic = embedder ? createSemantic({ index: () => stores.index(), embedder }) : undefined
  const recallOn = (index: () => SearchIndex) =>
    createFullRecall({
      index,
      ...(models.has('rerank') ? { rerank: createRerank(models) } : {}),
      ...(models.has('selection') ? { select: createSelect(models) } : {}),
      ...(semantic ? { semantic } : {}),
      scan: view.scan,
      layers,
      here,
      readNote: view.readNote,
      sessions: () => usableSessions(parts),
      noSessionsYet: () => stores.noSessionsYet(),
      clock,
      trustOf: (notes) => new Map([...trust.of(notes)].map(([id, { value }]) => [id, value])),
    })
  return {
    recall: recallOn(() => stores.index()),
    recallByScan: (reason) =>
      recallOn(() => {
        throw new MemoryError('INDEX_UNAVAILABLE', 'The search index cannot be brought up to date', {
          data: { reason },
        })
      }),
  }
}

/** Conversations that cannot be opened are no reason to find no note; recall says that they were not searched. */
function usableSessions({ readableSessions, onProblem }: RecallParts): SessionStore | null {
  try {
    return readableSessions()
  } catch (error) {
    if (!MemoryError.isInstance(error)) throw error
    onProblem(error, 'sessions')
    return null
  }
}
