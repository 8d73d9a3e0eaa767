/** Cue tables of the user, `cues/*.json` of the home: read by capture alone, with what is wrong with them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { homeFiles } from '../domain/index.ts'
import { messageOf, systemCode } from '../errors.ts'
import { readCues, type SignalTable } from '../write/index.ts'

/** Files that are read; more is no list that a person keeps. */
const MAX_FILES = 50

export interface OwnCues {
  readonly tables: readonly SignalTable[]
  readonly problems: readonly string[]
}

export function readOwnCues(home: string): OwnCues {
  const folder = join(home, homeFiles.cues)
  const tables: SignalTable[] = []
  const problems: string[] = []
  const names = namesIn(folder, problems)
  if (names.length > MAX_FILES) problems.push(`${homeFiles.cues}: only the first ${MAX_FILES} files are read`)
  for (const name of names.slice(0, MAX_FILES)) {
    const read = readOne(join(folder, name))
    if ('table' in read) tables.push(read.table)
    else problems.push(`${homeFiles.cues}/${name}: ${read.problem}`)
  }
  return { tables, problems }
}

function readOne(file: string) {
  try {
    return readCues(readFileSync(file, 'utf8'))
  } catch (error) {
    return { problem: messageOf(error) }
  }
}

function namesIn(folder: string, problems: string[]): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .sort()
  } catch (error) {
    // Most homes have none.
    if (systemCode(error) !== 'ENOENT') problems.push(`${homeFiles.cues}: ${messageOf(error)}`)
    return []
  }
}
