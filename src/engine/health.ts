/** What `status` and `doctor` look at. Every check is made now, on the real thing; nothing is remembered as healthy. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { LoadedConfig } from '../config.ts'
import {
  type Check,
  type Clock,
  type Failure,
  type Home,
  homeFiles,
  isoSeconds,
  type StatusReport,
  VERSION,
} from '../domain/index.ts'
import type { ModelJobs } from '../models/index.ts'
import { readFailures } from '../store/failures.ts'
import { readJournal } from '../store/journal.ts'
import type { NoteHistory } from '../store/notes/history.ts'
import type { NoteFiles } from '../store/notes/note-files.ts'
import { readProjects } from '../store/notes/project-json.ts'
import type { Proposals } from '../store/proposals.ts'
import type { Sync } from '../store/sync.ts'
import type { Tombstones } from '../store/tombstones.ts'
import { CANDIDATE_DAYS } from '../write/index.ts'
import { attempt, broken, warning } from './check.ts'
import { checkDatabases } from './check-databases.ts'
import { checkHistory } from './check-history.ts'
import { checkCues, checkHome } from './check-home.ts'
import { checkJobs } from './check-jobs.ts'
import { checkForgotten, checkLayers } from './check-layers.ts'
import { checkProposals } from './check-proposals.ts'
import { checkSessionNotes } from './check-session-notes.ts'
import { deferredStatus } from './deferred.ts'
import { type EmbedDependencies, embeddingStatus } from './embed.ts'
import { modelStatus } from './models.ts'
import type { Notes } from './notes.ts'
import type { Place } from './place.ts'
import type { SessionNotesAccess } from './session-notes.ts'
import type { Stores } from './stores.ts'

const SHOWN_FAILURES = 10
/** A failure counts as current for this long; after that it is history, and listed only. */
const RECENT_MS = 60 * 60 * 1_000

export interface HealthDependencies {
  readonly home: Home
  readonly loaded: LoadedConfig
  readonly place: Place
  readonly notes: Notes
  readonly stores: Stores
  readonly proposals: Proposals
  readonly history: NoteHistory
  readonly sync: Sync
  readonly clock: Clock
  readonly files: Pick<NoteFiles, 'list' | 'read' | 'readIndex' | 'withLock'>
  readonly tombstones: Pick<Tombstones, 'textKey' | 'badLines'>
  readonly embedding: EmbedDependencies | null
  readonly models: ModelJobs
  readonly sessionNotes: Pick<SessionNotesAccess, 'wording'>
}

export async function reportHealth(
  dependencies: HealthDependencies,
  depth: 'status' | 'doctor',
): Promise<StatusReport> {
  const { home, place, stores, clock } = dependencies
  const databases = checkDatabases(stores, clock)
  const layers = await checkLayers({ ...dependencies, config: dependencies.loaded.config }, depth)
  // Read last: looking may itself have set a damaged file aside, and that is told here.
  const failures = readFailures(home.directory, SHOWN_FAILURES)
  const jobs = checkJobs(stores)
  const waiting = await checkProposals(dependencies.proposals, clock)
  const checks = [
    ...checkHome(home),
    ...checkCues(home),
    ...checkSessionNotes(dependencies.sessionNotes),
    ...checkProjects(home),
    ...checkConfig(dependencies.loaded),
    ...checkForgotten(dependencies),
    ...databases.checks,
    ...layers.checks,
    ...(await checkHistory(dependencies, depth)),
    ...waiting.checks,
    ...jobs.checks,
    ...checkFailures(failures, clock),
  ]
  const journal = attempt(() => readJournal(home.directory))
  if ('error' in journal) checks.push(broken('journal', journal.error, 'Move what is in its place away.'))
  else if (journal.value.bad.length > 0)
    checks.push(warning('journal', `${journal.value.bad.length} unreadable lines were left out`, null))
  const resolution = place.resolution()
  return {
    home: home.directory,
    version: VERSION,
    project: {
      folder: resolution.kind === 'known' ? resolution.project.folder : null,
      name: resolution.kind === 'known' ? resolution.project.name : null,
      notice: resolution.kind === 'none' ? resolution.reason : resolution.notice,
    },
    notes: layers.counts,
    profile: layers.profile,
    sessions: databases.counts,
    embedding: embeddingOf(dependencies),
    models: modelStatus(dependencies),
    deferred: deferredOf(dependencies),
    candidates: candidatesIn(dependencies),
    proposals: waiting.count,
    oldestProposal: waiting.oldest,
    conflicts: filesIn(join(home.directory, homeFiles.conflicts)),
    queue: {
      journalLines: 'value' in journal ? journal.value.entries.length : 0,
      workerRunning: databases.workerRunning,
      ...jobs.status,
    },
    lastSuccess: { write: timeOf(layers.lastWriteMs), capture: timeOf(databases.lastCaptureMs) },
    checks,
    failures,
    healthy: checks.every((check) => check.state !== 'broken'),
  }
}

/** The same report with more of what was looked at. */
export function withChecks(report: StatusReport, more: readonly Check[]): StatusReport {
  const checks = [...report.checks, ...more]
  return { ...report, checks, healthy: checks.every((check) => check.state !== 'broken') }
}

/** A state database that cannot be read is told of by its own check. */
function candidatesIn({ stores, clock }: HealthDependencies): number | null {
  const counted = attempt(() => stores.state()?.candidates.count(clock.now() - CANDIDATE_DAYS * 86_400_000) ?? null)
  return 'value' in counted ? counted.value : null
}

/** Counted in the index, the model is not asked. An index that cannot be read is told of by its own check. */
function embeddingOf({ embedding }: HealthDependencies): StatusReport['embedding'] {
  const counted = embedding && attempt(() => embeddingStatus(embedding))
  return counted && 'value' in counted ? counted.value : null
}

/** A state.db that cannot be read is told of by its own check. */
function deferredOf({ stores, loaded, clock }: HealthDependencies): StatusReport['deferred'] {
  const found = attempt(() => deferredStatus({ stores, config: loaded.config.deferred, clock }))
  return 'value' in found ? found.value : null
}

/** A project whose project.json cannot be read is not found by its repository. */
function checkProjects(home: Home): Check[] {
  const { unreadable } = readProjects(home.directory)
  return unreadable.map((file) =>
    broken('projects', `${file} cannot be read`, 'Mend it, or move its notes to where they belong.'),
  )
}

function checkConfig({ usable, problems, unknownKeys }: LoadedConfig): Check[] {
  const unknown = unknownKeys.map((key) => warning('config', `unknown key ${key}`, "See 'keepsake config'."))
  if (!usable)
    return [broken('config', problems.join('; '), 'Mend or remove config.json; until then nothing is written.')]
  return [...problems.map((problem) => warning('config', problem, "See 'keepsake config'.")), ...unknown]
}

function timeOf(milliseconds: number | null): string | null {
  return milliseconds === null ? null : isoSeconds(milliseconds)
}

function checkFailures(failures: readonly Failure[], clock: Clock): Check[] {
  // Of a clock that was ahead: not younger than now.
  const recent = failures.filter(({ time }) => Math.abs(clock.now() - Date.parse(time)) < RECENT_MS)
  if (recent.length === 0) return []
  const [last] = recent
  return [
    broken(
      'background work',
      `${recent.length} failures in the last hour, last: ${last?.where} ${last?.code}`,
      'They are listed below.',
    ),
  ]
}

function filesIn(folder: string): string[] {
  const found = attempt(() => readdirSync(folder))
  return 'value' in found ? found.value.map((name) => join(folder, name)) : []
}
