/**
 * Port to the files of notes: bytes in, bytes out, under one lock per layer. It knows nothing of front matter.
 * Drivers: `fs-note-files` (the protocol in README.md) and `memory-note-files`.
 */
import type { Layer } from '../../domain/index.ts'

export interface NoteFileStat {
  /** Path below the layer's folder, `/` separated, NFC. */
  readonly file: string
  readonly size: number
  readonly mtimeMs: number
  /** When the file last changed in any way, where a disk says more than `mtimeMs`: a copy may bring an old time with it. */
  readonly changedMs?: number
  readonly inode: number
}

export interface IgnoredFile {
  readonly file: string
  /**
   * `hidden`, `underscore`, `reserved-folder`, `not-markdown`, `backup`, `conflict-copy`, `too-large`, `too-deep`,
   * `link-outside`, `link-dangling`, `link-folder`, `not-a-file`, `same-name` (differs only in Unicode form),
   * `unreadable`. A folder ends with `/`.
   */
  readonly reason: string
}

export interface LayerListing {
  /**
   * `ok`; `empty` = the folder does not exist and never held notes; `vanished` = it was there before and is gone or
   * cannot be read: never "all deleted".
   */
  readonly state: 'ok' | 'empty' | 'vanished'
  readonly files: readonly NoteFileStat[]
  readonly ignored: readonly IgnoredFile[]
}

export interface NoteBytes {
  readonly bytes: Uint8Array
  /** SHA-256 (hex) of the bytes. */
  readonly hash: string
  readonly mtimeMs: number
  readonly size: number
  readonly inode: number
}

export interface LockOptions {
  /** Default 5,000 (a person or agent); the worker takes 60,000. Then STORE_BUSY. */
  readonly waitMs?: number
  readonly signal?: AbortSignal
}

/** What may be done while the lock of a layer is held. */
export interface LockedLayer {
  readonly layer: Layer
  list(): Promise<LayerListing>
  read(file: string): Promise<NoteBytes | null>
  /**
   * Replaces or creates one file atomically and durably (temp file, fsync, rename, fsync of the folder). The write is
   * acknowledged when this resolves. `expectedHash` null = must not exist; else the hash of the file as it is now, or as
   * it was read through this same lock and then only appended to: what was appended is carried over to the end, now and
   * later (README, step 3), so the bytes that come back may be more than those given. NOTE_CHANGED_ON_DISK for any other
   * change. INPUT_INVALID for a name or size that no listing would show.
   */
  write(file: string, bytes: Uint8Array, expectedHash: string | null): Promise<NoteBytes>
  /** NOTE_CHANGED_ON_DISK when the file is not, to the byte, what `expectedHash` says. No earlier version stays behind. */
  remove(file: string, expectedHash: string): Promise<void>
  /** MEMORY.md: replaced like a note, and only when the bytes differ. */
  writeIndex(bytes: Uint8Array, expectedHash: string | null): Promise<void>
  readIndex(): Promise<NoteBytes | null>
}

export interface NoteFiles {
  list(layer: Layer): Promise<LayerListing>
  /** Null when there is none. `file` passes the path guard: PATH_OUTSIDE_STORE otherwise. */
  read(layer: Layer, file: string): Promise<NoteBytes | null>
  readIndex(layer: Layer): Promise<NoteBytes | null>
  /** Runs `work` while holding the layer's lock, and releases it whatever happens. */
  withLock<T>(layer: Layer, options: LockOptions, work: (locked: LockedLayer) => Promise<T>): Promise<T>
  /**
   * Looks again at files that were displaced: carries over what was appended to them, names what cannot be carried
   * (`conflicts/`), and lets go of those older than 60 s.
   */
  settle(layer: Layer): Promise<{ settled: number; waiting: number; conflicts: readonly string[] }>
}
