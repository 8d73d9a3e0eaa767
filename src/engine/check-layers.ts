/** What `status` and `doctor` say about the notes themselves and about what was forgotten. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Check, type Config, type Home, homeFiles, isShared, type Layer, TEAM_FOLDER } from '../domain/index.ts'
import { safeText } from '../guard/index.ts'
import type { NoteHistory } from '../store/notes/history.ts'
import { teamFolder } from '../store/notes/layers.ts'
import type { NoteFiles } from '../store/notes/note-files.ts'
import type { Sync } from '../store/sync.ts'
import type { SyncReport } from '../store/sync-report.ts'
import type { Tombstones } from '../store/tombstones.ts'
import { attempt, broken, messageWithReason, warning } from './check.ts'
import { checkProfile } from './check-profile.ts'
import type { Notes } from './notes.ts'
import type { Place } from './place.ts'
import type { Stores } from './stores.ts'

export interface LayerHealthDependencies {
  readonly home: Home
  readonly place: Place
  readonly notes: Notes
  readonly stores: Stores
  readonly sync: Sync
  readonly files: Pick<NoteFiles, 'list' | 'read' | 'readIndex'>
  readonly history: Pick<NoteHistory, 'unavailable' | 'versions'>
  readonly config: Config
  readonly tombstones: Pick<Tombstones, 'textKey' | 'badLines'>
}

export async function checkLayers(dependencies: LayerHealthDependencies, depth: 'status' | 'doctor') {
  const { place, notes, sync } = dependencies
  const counts: Record<string, number> = {}
  const checks: Check[] = checkTeamFolder(place)
  for (const layer of place.layers()) {
    const report = await sync.layer(layer, { hashAll: depth === 'doctor' })
    checks.push(...checkSync(report, layer), ...(await checkFiles(layer, report, dependencies)))
    checks.push(...(await checkEmptied(layer, dependencies)))
    counts[layer.name] = 0
  }
  const scanned = await notes.scan().catch((error: unknown) => {
    checks.push(broken('notes', messageWithReason(error), null))
    return []
  })
  for (const { layer } of scanned) counts[layer.name] = (counts[layer.name] ?? 0) + 1
  const profile = await checkProfile(scanned, place.layers(), dependencies)
  const writeTimes = scanned.map(({ note }) => note.mtimeMs)
  const lastWriteMs = writeTimes.length === 0 ? null : Math.max(...writeTimes)
  return { counts, checks: [...checks, ...profile.checks], profile: profile.usage, lastWriteMs }
}

/** An empty folder is how a disk looks that is not mounted; what was there is known by the history. */
async function checkEmptied(layer: Layer, { files, history }: LayerHealthDependencies): Promise<Check[]> {
  const { state, files: found } = await files.list(layer)
  if (state !== 'ok' || found.length > 0 || history.unavailable() !== null || isShared(layer)) return []
  // A history that cannot be read is told by its own check.
  const known = await history.versions.head(layer).catch(() => new Map())
  if (known.size === 0) return []
  const detail = `${layer.directory} is empty and held ${known.size} notes`
  return [warning(`notes ${layer.name}`, detail, 'If it is a disk, mount it; nothing was treated as forgotten.')]
}

function checkTeamFolder(place: Place): Check[] {
  const { project } = place.current()
  const found = project ? teamFolder(project) : 'none'
  if (!project || found === 'none' || found === 'folder') return []
  const what = found === 'link' ? 'a link' : 'no folder'
  const detail = `${join(project.directory, TEAM_FOLDER)} is ${what}, so no team notes are read`
  return [warning('notes team', detail, 'Put the folder itself there.')]
}

function checkSync({ state, failure }: SyncReport, layer: Layer): Check[] {
  const name = `notes ${layer.name}`
  if (state === 'vanished') {
    const detail = `${layer.directory} held notes and is gone or unreadable`
    return [broken(name, detail, 'Bring the folder back; nothing was treated as deleted.')]
  }
  // A database that cannot be used is told by its own check.
  if (state !== 'failed' || !failure || isOfDatabase(failure.code)) return []
  return [broken(name, `cannot be indexed: ${failure.message}`, failure.hint)]
}

function isOfDatabase(code: string): boolean {
  return code === 'INDEX_UNAVAILABLE' || code.startsWith('SQLITE_')
}

/** What is wrong with single files now, whether or not it was told before; at most so many, the rest is counted. */
async function checkFiles(layer: Layer, report: SyncReport, dependencies: LayerHealthDependencies): Promise<Check[]> {
  const { files, stores } = dependencies
  const rows = attempt(() => stores.index().notesOf(layer.key))
  const known = 'value' in rows ? rows.value : []
  const listing = await files.list(layer)
  const index = await files.readIndex(layer).then(
    () => [],
    (error: unknown) => [`MEMORY.md: ${messageWithReason(error)}`],
  )
  const said = new Set([
    ...index,
    ...listing.ignored.filter(({ reason }) => worthTelling.has(reason)).map(({ file, reason }) => `${file}: ${reason}`),
    ...known.flatMap(({ file, problems }) => problems.map((kind) => `${file}: ${kind}`)),
    ...known.flatMap(({ file, withheld }) =>
      withheld ? [`${file} is withheld from prompts: it matches ${withheld}`] : [],
    ),
    ...report.problems,
  ])
  const omitted = said.size - MAX_TOLD_FILES
  return [
    ...[...said].slice(0, MAX_TOLD_FILES).map((problem) => safeText(problem, 'file name').text),
    ...(omitted > 0 ? [`${omitted} more files with problems`] : []),
  ].map((problem) => warning(`notes ${layer.name}`, problem, null))
}

/** Reasons that a person would not expect: the file looks like a note and is none. */
const worthTelling = new Set([
  'too-large',
  'too-deep',
  'link-outside',
  'link-dangling',
  'link-folder',
  'same-name',
  'unreadable',
])
const MAX_TOLD_FILES = 20

/** Tombstones that cannot be read or recognised would let forgotten notes come back, so writing stops with them. */
export function checkForgotten({ home, tombstones }: Pick<LayerHealthDependencies, 'home' | 'tombstones'>): Check[] {
  if (!existsSync(home.directory)) return []
  const looked = attempt(() => {
    tombstones.textKey('')
    return tombstones.badLines()
  })
  if ('error' in looked)
    return [
      broken('forgotten', looked.error, 'What was forgotten cannot be recognised; until then nothing is written.'),
    ]
  const bad = looked.value
  return bad === 0 ? [] : [warning('forgotten', `${bad} unreadable lines in ${homeFiles.tombstones}`, null)]
}
