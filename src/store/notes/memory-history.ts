/** Driver of the port `History` in memory, for tests and for trying things without git. */
import type { Layer } from '../../domain/index.ts'
import { sha256 } from '../../util/index.ts'
import {
  type ChangedFile,
  type Commit,
  type History,
  MAX_COMMIT_FILES,
  MAX_FOUND,
  type NewCommit,
  type RecordedFile,
  type SeenStat,
  type Version,
  versionKey,
} from './history-port.ts'

interface KeptCommit {
  readonly commit: Commit
  readonly changed: readonly ChangedFile[]
}

interface KeptLayer {
  readonly commits: KeptCommit[]
  readonly files: Map<string, Version>
  readonly seen: Map<string, SeenStat | null>
}

export function createMemoryHistory(): History {
  const layers = new Map<string, KeptLayer>()
  const kept = ({ key }: Layer): KeptLayer => {
    const found = layers.get(key) ?? { commits: [], files: new Map(), seen: new Map() }
    layers.set(key, found)
    return found
  }
  const newest = (layer: Layer) => kept(layer).commits.toReversed()
  return {
    unavailable: () => null,
    head: async (layer) => headOf(kept(layer)),
    async append(layer, commits, seen = new Map()) {
      const target = kept(layer)
      for (const [file, stat] of seen) if (target.files.has(file)) target.seen.set(file, stat)
      return commits.map((commit) => appendOne(target, commit))
    },
    async log(layer, { file, noteId, limit }) {
      const isWanted = ({ commit, changed }: KeptCommit) =>
        (file === undefined && noteId === undefined) ||
        changed.some((each) => each.file === file) ||
        commit.noteIds.some((id) => id === noteId)
      const wanted = newest(layer).filter(isWanted)
      return wanted.slice(0, limit).map(({ commit }) => commit)
    },
    async find(layer, reference) {
      const isNamed = ({ commit: { id, change } }: KeptCommit) =>
        change === reference || (reference.length >= 6 && id.startsWith(reference.toLowerCase()))
      return newest(layer)
        .filter(isNamed)
        .slice(0, MAX_FOUND)
        .map(({ commit }) => commit)
    },
    versions: async (layer, id) => kept(layer).commits.find(({ commit }) => commit.id === id)?.changed ?? [],
    latest: async (layer, file) => kept(layer).files.get(file) ?? null,
    damage: async () => null,
    upkeep: async () => undefined,
  }
}

function headOf({ files, seen }: KeptLayer): ReadonlyMap<string, RecordedFile> {
  return new Map(
    [...files].map(([file, { bytes, mode }]) => [file, { key: versionKey(bytes), mode, seen: seen.get(file) ?? null }]),
  )
}

function appendOne(target: KeptLayer, { files, ...message }: NewCommit): string {
  const id = sha256(`${target.commits.length} ${message.change} ${message.why}`).slice(0, 40)
  const changed: ChangedFile[] = []
  for (const { file, version, seen } of files.toSorted((one, other) => (one.file < other.file ? -1 : 1))) {
    changed.push({ file, before: target.files.get(file) ?? null, after: version })
    if (version) target.files.set(file, version)
    else target.files.delete(file)
    target.seen.set(file, seen)
  }
  const named = changed.slice(0, MAX_COMMIT_FILES).map(({ file, before, after }) => ({
    file,
    change: before === null ? ('added' as const) : after === null ? ('removed' as const) : ('changed' as const),
  }))
  const timeMs = Math.floor(message.timeMs / 1_000) * 1_000
  const commit = { ...message, timeMs, id, files: named, omittedFiles: changed.length - named.length }
  target.commits.push({ commit, changed })
  return id
}
