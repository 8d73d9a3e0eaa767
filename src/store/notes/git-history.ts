/**
 * Driver of the port `History` over git: one bare repository per layer at `history/<layer key>.git`, so no folder of
 * notes ever holds a `.git`. Commits go through fast-import, which takes the bytes as they are: no index, no work tree,
 * no attribute, filter or line-end rule of anybody. One call of git per write; what the last commit holds is kept beside.
 */
import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, homeFiles, type Layer } from '../../domain/index.ts'
import { fromFileSystemError, hasCode, MemoryError } from '../../errors.ts'
import {
  BRANCH,
  importCommands,
  isAbsent,
  LOG_ARGUMENTS,
  MODES_FILE,
  parseLog,
  parseRawChanges,
  printModes,
} from './git-history-format.ts'
import {
  call,
  failed,
  headOf,
  isDamaged,
  modesAt,
  namesIn,
  OBJECT_NAME,
  prepare,
  type Repository,
  readObjects,
  recorded,
} from './git-history-repository.ts'
import { writeSeen } from './git-history-seen.ts'
import {
  type ChangedFile,
  type Commit,
  DEFAULT_MODE,
  type History,
  MAX_FOUND,
  type NewCommit,
  type RecordedFile,
  type SeenStat,
  type Version,
  versionKey,
} from './history-port.ts'

export interface GitHistoryOptions {
  /** Absolute path of the home. */
  readonly home: string
  /** Absolute path of the git program; null when there is none. */
  readonly git: string | null
  readonly clock: Clock
}

/** Loose objects in one of git's 256 folders from which on a repository is packed. */
const MANY_LOOSE = 16
const UPKEEP_TIME_OUT_MS = 120_000
/** A killed git leaves these, and each would stop it for good. */
const leftLocks = ['index.lock', 'HEAD.lock', 'config.lock', 'packed-refs.lock', `${BRANCH}.lock`, 'shallow.lock']

export function createGitHistory(options: GitHistoryOptions): History {
  const { git } = options
  const at = (layer: Layer): Repository | null => {
    const directory = join(options.home, homeFiles.history, `${layer.key}.git`)
    return git !== null && existsSync(directory) ? { git, directory } : null
  }
  return {
    unavailable: () => (git === null ? 'no git program was found' : null),
    async head(layer) {
      const repository = at(layer)
      return repository ? (await recorded(repository)).files : new Map()
    },
    append: (layer, commits, seen = new Map()) => append(options, layer, { commits, seen }),
    async log(layer, { file, noteId, limit }) {
      const repository = at(layer)
      if (!repository || !(await headOf(repository))) return []
      const wanted = [
        ...(noteId === undefined ? [] : [['--fixed-strings', `--grep=Note: ${noteId}`]]),
        ...(file === undefined ? [] : [['--', file]]),
      ]
      const lists = await Promise.all((wanted.length > 0 ? wanted : [[]]).map((each) => log(repository, limit, each)))
      return lists.length === 1 ? (lists[0] ?? []) : merged(repository, lists, limit)
    },
    async find(layer, reference) {
      const repository = at(layer)
      return repository && (await headOf(repository)) ? find(repository, reference) : []
    },
    async versions(layer, commitId) {
      const repository = at(layer)
      return repository && OBJECT_NAME.test(commitId) ? versions(repository, commitId) : []
    },
    async latest(layer, file) {
      const repository = at(layer)
      const found = repository && (await recorded(repository)).files.get(file)
      if (!repository || !found) return null
      const [bytes = null] = await readObjects(repository, [found.key])
      return bytes && { bytes, mode: found.mode }
    },
    async damage(layer) {
      const repository = at(layer)
      return repository && (await isDamaged(repository)) ? 'git finds it damaged' : null
    },
    async upkeep(layer) {
      const repository = at(layer)
      if (!repository || countIn(join(repository.directory, 'objects/17')) < MANY_LOOSE) return
      await call(repository, ['gc', '--quiet'], { timeoutMs: UPKEEP_TIME_OUT_MS })
    },
  }
}

interface Appended {
  readonly commits: readonly NewCommit[]
  readonly seen: ReadonlyMap<string, SeenStat>
}

/** A repository that cannot be read any more (power loss, a bad disk) is set aside whole, and a new one is begun. */
async function append(options: GitHistoryOptions, layer: Layer, work: Appended): Promise<readonly string[]> {
  const { git } = options
  if (git === null) throw new MemoryError('HISTORY_UNAVAILABLE', 'No git program was found', { hint: 'Install git.' })
  const repository = { git, directory: join(options.home, homeFiles.history, `${layer.key}.git`) }
  try {
    await prepare(repository)
    return await appendTo(repository, work)
  } catch (error) {
    if (hasCode(error, 'HISTORY_FAILED') && (await isDamaged(repository)))
      renameSync(repository.directory, `${repository.directory}.damaged-${options.clock.now()}`)
    throw fromFileSystemError(error, repository.directory)
  }
}

async function appendTo(repository: Repository, { commits, seen }: Appended): Promise<readonly string[]> {
  const before = await recorded(repository)
  const files = new Map(before.files)
  for (const [file, stat] of seen) {
    const known = files.get(file)
    if (known) files.set(file, { ...known, seen: stat })
  }
  const parts: Uint8Array[] = []
  let modes = printModes(modesOf(files))
  for (const [index, commit] of commits.entries()) {
    for (const change of commit.files) applyTo(files, change)
    const next = printModes(modesOf(files))
    const parent = index === 0 ? before.head : `:${index}`
    parts.push(...importCommands(commit, { mark: index + 1, parent, modes: next === modes ? null : next }))
    modes = next
  }
  if (commits.length === 0) {
    if (before.head) writeSeen(repository.directory, before.head, files)
    return []
  }
  const ids = await importAll(repository, Buffer.concat([...parts, Buffer.from('done\n')]))
  const head = ids.at(-1)
  if (ids.length !== commits.length || !head) throw failed('fast-import did not name every commit')
  writeSeen(repository.directory, head, files)
  return ids
}

async function importAll(repository: Repository, input: Uint8Array): Promise<string[]> {
  for (const lock of leftLocks) rmSync(join(repository.directory, lock), { force: true })
  try {
    const output = await call(repository, ['fast-import', '--quiet', '--done', '--date-format=raw'], { input })
    return output
      .toString('utf8')
      .split('\n')
      .filter((line) => OBJECT_NAME.test(line))
  } finally {
    for (const name of namesIn(repository.directory))
      if (name.startsWith('fast_import_crash_')) rmSync(join(repository.directory, name), { force: true })
  }
}

function applyTo(files: Map<string, RecordedFile>, { file, version, seen }: NewCommit['files'][number]): void {
  if (version) files.set(file, { key: versionKey(version.bytes), mode: version.mode, seen })
  else files.delete(file)
}

function modesOf(files: ReadonlyMap<string, RecordedFile>): Map<string, number> {
  return new Map([...files].map(([file, { mode }]) => [file, mode]))
}

async function log(repository: Repository, limit: number, more: readonly string[]): Promise<Commit[]> {
  const output = await call(repository, ['log', ...LOG_ARGUMENTS, `--max-count=${limit}`, BRANCH, ...more])
  return parseLog(output.toString('utf8'))
}

/** One order for several lists: that of the branch. */
async function merged(repository: Repository, lists: readonly Commit[][], limit: number): Promise<Commit[]> {
  const byId = new Map(lists.flat().map((commit) => [commit.id, commit]))
  if (byId.size === 0) return []
  const order = (await call(repository, ['rev-list', BRANCH])).toString('utf8').split('\n')
  return order.flatMap((id) => byId.get(id) ?? []).slice(0, limit)
}

async function find(repository: Repository, reference: string): Promise<Commit[]> {
  if (/^[0-9A-HJKMNP-TV-Z]{26}$/.test(reference))
    return log(repository, MAX_FOUND, ['--fixed-strings', `--grep=Change: ${reference}`])
  if (!/^[0-9a-f]{6,40}$/i.test(reference)) return []
  const ids = (await call(repository, ['rev-list', BRANCH])).toString('utf8').split('\n')
  const wanted = ids.filter((id) => id.startsWith(reference.toLowerCase())).slice(0, MAX_FOUND)
  if (wanted.length === 0) return []
  return parseLog((await call(repository, ['log', ...LOG_ARGUMENTS, '--no-walk', ...wanted])).toString('utf8'))
}

async function versions(repository: Repository, id: string): Promise<ChangedFile[]> {
  const raw = await call(repository, ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', '--root', id])
  const changes = parseRawChanges(raw.toString('utf8').replace(/^[0-9a-f]{40}\0/, ''))
  const [modesBefore = new Map(), modesAfter = new Map()] = await modesAt(repository, [`${id}^`, id])
  const notes = changes.filter(({ file }) => file !== MODES_FILE)
  const named = new Set(notes.map(({ file }) => file))
  const objects = await readObjects(repository, [
    ...notes.flatMap(({ before, after }) => [before, after].filter((name) => !isAbsent(name))),
  ])
  const next = (name: string): Uint8Array | null => (isAbsent(name) ? null : (objects.shift() ?? null))
  const version = (bytes: Uint8Array | null, mode = DEFAULT_MODE): Version | null => bytes && { bytes, mode }
  const changed = notes.map(({ file, before, after }) => ({
    file,
    before: version(next(before), modesBefore.get(file)),
    after: version(next(after), modesAfter.get(file)),
  }))
  return [...changed, ...(await onlyModes(repository, id, { modesBefore, modesAfter, named }))]
}

/** Files whose bytes stayed and whose permission bits changed: git sees those in MODES_FILE only. */
async function onlyModes(
  repository: Repository,
  id: string,
  {
    modesBefore,
    modesAfter,
    named,
  }: {
    readonly modesBefore: ReadonlyMap<string, number>
    readonly modesAfter: ReadonlyMap<string, number>
    readonly named: ReadonlySet<string>
  },
): Promise<ChangedFile[]> {
  const files = [...new Set([...modesBefore.keys(), ...modesAfter.keys()])].filter(
    (file) => !named.has(file) && modesBefore.get(file) !== modesAfter.get(file) && !file.includes('\n'),
  )
  const found = await readObjects(
    repository,
    files.map((file) => `${id}:${file}`),
  )
  return files.flatMap((file, index) => {
    const bytes = found[index]
    if (!bytes) return []
    const [before, after] = [modesBefore.get(file) ?? DEFAULT_MODE, modesAfter.get(file) ?? DEFAULT_MODE]
    return [{ file, before: { bytes, mode: before }, after: { bytes, mode: after } }]
  })
}

function countIn(directory: string): number {
  return namesIn(directory).length
}
