/**
 * The home's secret key: 32 random bytes (0600) that make tombstones and text keys unreadable to others. Made once,
 * race-free (a link never replaces). Reading never makes a home: while there is none, a key is held in memory and
 * becomes the stored one if this process is the first to write.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { homeFiles } from '../domain/index.ts'
import { fromFileSystemError, MemoryError, systemCode } from '../errors.ts'
import { placeNew, TEMP_PREFIX } from './notes/atomic-write.ts'

const KEY_BYTES = 32

export interface SecretKey {
  /** The stored key. Stores one when the home exists and has none; without a home it gives a key of this process. */
  bytes(): Uint8Array
  /** Stores the key (making the home's folder if need be), so that what was hashed stays comparable. */
  persist(): void
}

/** Throws HOME_INVALID when the stored key has another length, STORE_READ_ONLY and the like when it cannot be stored. */
export function createSecretKey(home: string): SecretKey {
  const file = join(home, homeFiles.secretKey)
  const state: { stored: Uint8Array | null; own: Uint8Array } = { stored: null, own: randomBytes(KEY_BYTES) }
  const persist = () => {
    state.stored ??= readKey(file) ?? store(home, file, state.own)
  }
  return {
    persist,
    bytes() {
      if (!state.stored) {
        if (existsSync(join(home, homeFiles.home))) persist()
        else state.stored = readKey(file)
      }
      return state.stored ?? state.own
    },
  }
}

function readKey(file: string): Uint8Array | null {
  let bytes: Uint8Array
  try {
    bytes = readFileSync(file)
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return null
    throw damaged(file, error)
  }
  if (bytes.length !== KEY_BYTES) throw damaged(file)
  return bytes
}

function store(home: string, file: string, key: Uint8Array): Uint8Array {
  const temp = join(home, `${TEMP_PREFIX}${randomBytes(8).toString('hex')}`)
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 })
    writeFileSync(temp, key, { mode: 0o600, flag: 'wx', flush: true })
  } catch (error) {
    throw fromFileSystemError(error, file)
  }
  if (placeNew(temp, file)) return key
  return readKey(file) ?? key
}

function damaged(file: string, cause?: unknown): MemoryError {
  return new MemoryError('HOME_INVALID', `The secret key ${file} cannot be used`, {
    hint: 'Restore it from a backup. Without it, what was forgotten cannot be recognised.',
    data: { home: file },
    cause,
  })
}
