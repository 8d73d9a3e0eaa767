/**
 * What an install did, kept in the Keepsake home so that uninstall gives the bytes back: for each file the splices and
 * the hashes before and after. A copy of the file before lies beside it, unless the file holds secrets: then the
 * splices alone must do, and they do. Written before the agent's files are touched.
 */
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fromFileSystemError } from '../../errors.ts'
import { redact } from '../../guard/index.ts'
import type { Splice } from './json-edit.ts'
import { bytesOf, type SettingsFile } from './settings-file.ts'

const RECEIPT_VERSION = 1

export interface FileReceipt {
  readonly path: string
  readonly existed: boolean
  readonly folderExisted: boolean
  /** SHA-256 (hex) of the bytes before (null: no file) and after. */
  readonly before: string | null
  readonly after: string
  /** One list per edit, in the order they were made; each list has the offsets of the text before it. */
  readonly steps: readonly (readonly Splice[])[]
  /** Keys of objects and arrays that did not exist before: `hooks`, `hooks.Stop`. */
  readonly created: readonly string[]
}

export interface Receipt {
  readonly version: number
  readonly agent: string
  readonly files: readonly FileReceipt[]
}

function folderOf(home: string): string {
  return join(home, 'receipts')
}

function receiptFile(home: string, agent: string): string {
  return join(folderOf(home), `agent-${agent}.json`)
}

/** Null when there is none, or none that we can read. */
export async function readReceipt(home: string, agent: string): Promise<Receipt | null> {
  try {
    const value: unknown = JSON.parse(await readFile(receiptFile(home, agent), 'utf8'))
    return isReceipt(value) && value.agent === agent ? value : null
  } catch {
    // No receipt: our entries are then found by their marks.
    return null
  }
}

export async function writeReceipt(home: string, receipt: Omit<Receipt, 'version'>): Promise<void> {
  await writePrivately(
    receiptFile(home, receipt.agent),
    JSON.stringify({ version: RECEIPT_VERSION, ...receipt }, null, 2),
  )
}

/** Keeps the bytes as they were. False when they hold secrets, which we never copy. */
export async function keepBackup(home: string, agent: string, file: SettingsFile): Promise<boolean> {
  if (redact(file.text).kinds.length > 0) return false
  await writePrivately(backupFile(home, agent, file.path), bytesOf(file, file.text))
  return true
}

/** Removes receipt and backups. */
export async function dropReceipt(home: string, receipt: Receipt): Promise<void> {
  for (const { path } of receipt.files) await rm(backupFile(home, receipt.agent, path), { force: true })
  await rm(receiptFile(home, receipt.agent), { force: true })
}

export function backupFile(home: string, agent: string, path: string): string {
  return join(folderOf(home), `agent-${agent}.${path.replace(/^.*[\\/]\.?/, '')}.backup`)
}

async function writePrivately(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.tmp`
  try {
    await mkdir(join(path, '..'), { recursive: true, mode: 0o700 })
    const handle = await open(temporary, 'w', 0o600)
    try {
      await handle.writeFile(content)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, path)
  } catch (error) {
    throw fromFileSystemError(error, path)
  }
}

function isReceipt(value: unknown): value is Receipt {
  if (typeof value !== 'object' || value === null) return false
  const { version, agent, files } = value as Partial<Receipt> // Each field is looked at before it is used.
  return version === RECEIPT_VERSION && typeof agent === 'string' && Array.isArray(files) && files.every(isFileReceipt)
}

function isFileReceipt(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { path, existed, folderExisted, before, after, steps, created } = value as Partial<FileReceipt> // As above.
  return (
    typeof path === 'string' &&
    typeof existed === 'boolean' &&
    typeof folderExisted === 'boolean' &&
    (before === null || typeof before === 'string') &&
    typeof after === 'string' &&
    Array.isArray(created) &&
    Array.isArray(steps) &&
    steps.every((step) => Array.isArray(step) && step.every(isSplice))
  )
}

function isSplice(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { at, removed, inserted } = value as Partial<Splice> // As above.
  return typeof at === 'number' && typeof removed === 'string' && typeof inserted === 'string'
}
