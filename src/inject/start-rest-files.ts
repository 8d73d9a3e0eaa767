/**
 * Reads what stands in a start block beside the notes: plain reads of a few small files, without SQLite or YAML. Never
 * throws: a file that cannot be read is not shown.
 */
import { type Dirent, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isShared, type Layer } from '../domain/index.ts'
import { scanNoteHead } from '../store/notes/note-scan.ts'
import { parseSummaryLine, readSummary } from '../store/notes/summary-file.ts'
import { readNewestSession, readSessionState } from '../store/session-notes.ts'
import { compareUnits } from '../util/index.ts'
import type { RestSession, RestSkill, StartRest, SummaryLine } from './start-rest.ts'

/** Folders of skills that are looked at; more names would not fit. */
const MAX_SKILLS = 40
/** Of them as many are opened: each is a read at the start of a session. */
const MAX_OPENED_SKILLS = 10
/** A larger SKILL.md is named only. */
const MAX_SKILL_BYTES = 65_536
const MAX_SKILL_NAME = 64

export interface RestFilesOptions {
  /** Absolute path of the home. */
  readonly home: string
  /** Nearest first. */
  readonly layers: readonly Layer[]
  readonly isToolWritten: (path: string) => boolean
  /** The conversation that goes on behind a compaction: the block says where it stands instead of naming the last one. */
  readonly compacted?: string | null
}

export function readStartRest({ home, layers, isToolWritten, compacted = null }: RestFilesOptions): StartRest {
  const project = layers.find(({ name }) => name === 'project')
  return {
    session: ownSession(home, project, compacted) ?? (project === undefined ? null : lastSession(home, project)),
    summary: project === undefined ? [] : summaryLines(project),
    skills: skillsOf(layers, isToolWritten),
  }
}

/** Rebuilt from its note, without a model. */
function ownSession(home: string, project: Layer | undefined, session: string | null): RestSession | null {
  if (session === null) return null
  const state = readSessionState(home, { project: project?.key ?? null, session })
  return state === '' ? null : { id: session, date: null, line: state.replace(/^- /, '').replaceAll('\n- ', '; ') }
}

function lastSession(home: string, { key }: Layer): RestSession | null {
  const newest = readNewestSession(home, key)
  return newest === null ? null : { id: newest.session, date: newest.updated.slice(0, 10), line: newest.line }
}

function summaryLines(project: Layer): SummaryLine[] {
  try {
    return (readSummary(project) ?? '').split('\n').flatMap((line) => parseSummaryLine(line) ?? [])
  } catch {
    // Gone in between, or not readable: the notes tell the same.
    return []
  }
}

/** A skill of the project hides one of the same name that holds everywhere. */
function skillsOf(layers: readonly Layer[], isToolWritten: RestFilesOptions['isToolWritten']): RestSkill[] {
  const skills = new Map<string, RestSkill>()
  let opened = 0
  for (const layer of layers) {
    for (const name of skillNames(layer)) {
      if (skills.has(name)) continue
      if (skills.size === MAX_SKILLS) break
      const file = join(layer.directory, 'skills', name, 'SKILL.md')
      // What a tool or a stranger says that it is for is not said here.
      const isNamed = isShared(layer) || isToolWritten(file) || opened++ >= MAX_OPENED_SKILLS
      skills.set(name, { name, description: isNamed ? null : descriptionIn(file, layer) })
    }
  }
  return [...skills.values()]
}

function skillNames({ directory }: Layer): string[] {
  return foldersIn(join(directory, 'skills'))
    .map(({ name }) => name)
    .filter((name) => name.length <= MAX_SKILL_NAME && /^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u.test(name))
    .filter((name) => isPlainFile(join(directory, 'skills', name, 'SKILL.md')))
    .sort(compareUnits)
}

/** Links are not followed: they could lead anywhere. */
function foldersIn(directory: string): Dirent[] {
  try {
    if (!lstatSync(directory, { throwIfNoEntry: false })?.isDirectory()) return []
    return readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  } catch {
    // Not readable: as if there were none.
    return []
  }
}

function isPlainFile(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false })?.isFile() ?? false
  } catch {
    // As above.
    return false
  }
}

function descriptionIn(file: string, layer: Layer): string | null {
  try {
    if (lstatSync(file).size > MAX_SKILL_BYTES) return null
    const fields = scanNoteHead(readFileSync(file, 'utf8'), { layer: layer.key, file: 'SKILL.md' })
    return fields === 'unsure' || fields.description === '' ? null : fields.description
  } catch {
    // As above; its name is known.
    return null
  }
}
