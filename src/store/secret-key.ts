/**
 * The home's secret key: 32 random bytes (0600) that make tombstones and text keys unreadable to others. Made once,
 * race-free (a link never replaces). Looking never makes a home: while there is no folder, a key is held in memory and
 * becomes the stored one if this process is the first to write.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { homeFiles } from '../domain/index.ts'
import { fromFileSystemError, MemoryError, systemCode } from '../errors.ts'
import { makeFolder } from '../util/index.ts'
import { placeNew, TEMP_PREFIX } from './notes/atomic-write.ts'

const KEY_BYTES = 32

export interface SecretKey {
  /** The stored key. Stores one when the home's folder has none; without a folder it gives a key of this process. */
  bytes(): Uint8Array
  /**
   * Stores the key, making the folder if need be. Throws STORE_BUSY when `bytes` gave out another key before: what was
   * hashed with it can never be recognised, so it must be hashed again.
   */
  persist(): void
}

/** Throws HOME_INVALID when the stored key has another length, STORE_READ_ONLY and the like when it cannot be stored. */
export function createSecretKey(home: string): SecretKey {
  const file = join(home, homeFiles.secretKey)
  const state = { stored: null as Uint8Array | null, own: randomBytes(KEY_BYTES), isOwnGivenOut: false }
  const persist = () => {
    if (state.stored) return
    state.stored = readKey(file) ?? store(home, file, state.own)
    if (state.isOwnGivenOut && !state.own.equals(state.stored)) throw overtaken(home)
  }
  return {
    persist,
    bytes() {
      // Another process may have made the home since the last look: from then on its key counts.
      state.stored ??= readKey(file) ?? (existsSync(home) ? store(home, file, state.own) : null)
      if (!state.stored) state.isOwnGivenOut = true
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
  if ((statSync(join(home, homeFiles.tombstones), { throwIfNoEntry: false })?.size ?? 0) > 0) {
    // The key stands before the first tombstone: if another process made both since the last look, it is there now.
    const made = readKey(file)
    if (made) return made
    // A new key would recognise none of them: what was forgotten would come back without a word.
    throw damaged(file)
  }
  const temp = join(home, `${TEMP_PREFIX}${randomBytes(8).toString('hex')}`)
  try {
    makeFolder(home)
    writeFileSync(temp, key, { mode: 0o600, flag: 'wx', flush: true })
  } catch (error) {
    throw fromFileSystemError(error, file)
  }
  if (placeNew(temp, file)) return key
  return readKey(file) ?? key
}

function overtaken(home: string): MemoryError {
  return new MemoryError('STORE_BUSY', 'Another process made the secret key of the home at the same moment', {
    hint: 'Try again.',
    data: { layer: home, waitedMs: 0 },
  })
}

function damaged(file: string, cause?: unknown): MemoryError {
  return new MemoryError('HOME_INVALID', `The secret key ${file} cannot be used`, {
    hint: `Restore it from a backup: without it, what was forgotten cannot be recognised. To begin anew, remove ${homeFiles.tombstones} as well.`,
    data: { home: file },
    cause,
  })
}
