/** Recall over invented notes: an index, "files" that can change behind it, and a fixed clock. */
import type { Layer, Session } from '../domain/index.ts'
import { createRecall, type Recall, type RecallDependencies } from '../recall/index.ts'
import { createMemorySearchIndex } from '../store/search-index/memory-search-index.ts'
import { type IndexedNote, type SearchIndex, sessionScope } from '../store/search-index/search-index.ts'
import { createMemorySessionStore } from '../store/sessions/memory-session-store.ts'
import type { SessionStore } from '../store/sessions/session-store.ts'
import { sha256 } from '../util/index.ts'
import { exampleNote } from './search-index-corpus.ts'

export const NOW = Date.parse('2026-11-29T12:00:00Z')
export const globalLayer: Layer = { name: 'global', key: 'global', directory: '/home/user/.keepsake/global' }
export const projectLayer: Layer = {
  name: 'project',
  key: 'projects/shop-1a2b3c4d',
  directory: '/home/user/.keepsake/projects/shop-1a2b3c4d',
}

export interface RecallHarness {
  readonly recall: Recall
  readonly index: SearchIndex
  readonly store: SessionStore
  /** What is on disk, by layer and file. Change it without telling the index. */
  readonly files: Map<string, IndexedNote>
  /** Every file read back, in order. */
  readonly reads: string[]
  note(file: string, fields?: Partial<IndexedNote>, layer?: Layer): IndexedNote
  conversation(id: string, project: string | null, contents: readonly string[], fields?: Partial<Session>): void
}

export function createRecallHarness(overrides: Partial<RecallDependencies> = {}): RecallHarness {
  const index = createMemorySearchIndex()
  const store = createMemorySessionStore()
  const files = new Map<string, IndexedNote>()
  const reads: string[] = []
  const recall = createRecall({
    index: () => index,
    layers: () => [globalLayer, projectLayer],
    readNote: async (layer, file) => {
      reads.push(file)
      return files.get(`${layer} ${file}`) ?? null
    },
    sessions: () => store,
    clock: { now: () => NOW },
    ...overrides,
  })
  return {
    recall,
    index,
    store,
    files,
    reads,
    note(file, fields = {}, layer = globalLayer) {
      const note = exampleNote(file, { ...fields, layer: layer.key })
      index.putNotes(layer.key, [note], [])
      files.set(`${layer.key} ${file}`, note)
      return note
    },
    conversation(id, project, contents, fields = {}) {
      const empty = { agent: 'claude-code', title: null, tags: [], branch: null, cwd: null, started: null, ended: null }
      store.putSession({ ...empty, summary: null, parent: null, ...fields, id, project })
      const messages = contents.map((content, at) => ({
        id: `${id}:${at}`,
        role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
        content,
        toolName: null,
        time: `2026-11-28T10:0${at % 10}:00Z`,
        hash: sha256(content),
        idGiven: true,
      }))
      store.addMessages(id, messages)
      index.putMessages(
        messages.map((message, ordinal) => ({
          session: id,
          ordinal,
          scope: sessionScope(project),
          speaker: message.role,
          body: message.content,
        })),
      )
    },
  }
}
