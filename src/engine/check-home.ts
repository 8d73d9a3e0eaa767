/** Whether the home can be written now, by writing; and what kind of disk it lies on. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Check, type Home, homeFiles } from '../domain/index.ts'
import { isNetworkFileSystem } from '../store/sqlite/network-file-system.ts'
import { makeFolder } from '../util/index.ts'
import { attempt, broken, ok, warning } from './check.ts'
import { readOwnCues } from './own-cues.ts'

/** A real write, read and delete, when there is a home; making one is left to the first write. */
export function checkHome(home: Home): Check[] {
  if (!existsSync(home.directory)) return [ok('home', 'nothing kept yet; the first memory makes it')]
  if (!home.writable) {
    const words = `written by a newer Keepsake (format ${home.format}); it is read, not written`
    return [broken('home', words, 'Update Keepsake.')]
  }
  return [probe(home), ...checkDisk(home)]
}

function probe(home: Home): Check {
  const folder = join(home.directory, homeFiles.locks)
  const file = join(folder, `probe-${process.pid}-${randomBytes(4).toString('hex')}`)
  const words = randomBytes(16).toString('hex')
  const tried = attempt(() => {
    makeFolder(folder)
    writeFileSync(file, words, { mode: 0o600, flag: 'wx' })
    const read = readFileSync(file, 'utf8')
    if (read !== words) throw new Error('what was written could not be read back')
  })
  // Also when the disk was full in the middle of it.
  attempt(() => rmSync(file, { force: true }))
  return 'error' in tried
    ? broken('home', `cannot be written: ${tried.error}`, 'Check permissions and free space.')
    : ok('home', 'written, read and deleted')
}

/** Tables of the user that capture leaves out, and why. */
export function checkCues({ directory }: Home): Check[] {
  const { problems } = readOwnCues(directory)
  return problems.map((problem) =>
    warning('cues', `left out: ${problem}`, 'Correct the file; docs/background.md shows the shape.'),
  )
}

function checkDisk({ directory }: Home): Check[] {
  if (!isNetworkFileSystem(directory)) return []
  const words =
    'the home lies on a network file system: databases work there without their write-ahead log, more slowly'
  return [warning('disk', words, 'Put the home on a local disk if you can.')]
}
