/** Packs a staged copy into one gzipped tar: the manifest first, then the files in its order. */
import { createReadStream, createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { TarPackController } from 'modern-tar'
import { cancelled, fromFileSystemError } from '../../errors.ts'
import { type BackupManifest, HOME_PREFIX, MANIFEST_NAME, printManifest } from './backup-format.ts'

export interface WriteArchiveOptions {
  readonly created: Date
  readonly signal?: AbortSignal
  readonly onPacked: (bytes: number) => void
}

/** Writes `target` (which must not exist, mode 0600) and puts it onto the disk. Throws STORE_FULL, CANCELLED, … */
export async function writeArchive(
  target: string,
  staged: string,
  manifest: BackupManifest,
  options: WriteArchiveOptions,
): Promise<void> {
  // Loaded when used: no other command pays for it.
  const { createTarPacker } = await import('modern-tar')
  const { readable, controller } = createTarPacker()
  const written = pipeline(
    Readable.fromWeb(readable),
    createGzip({ level: 6 }),
    createWriteStream(target, { flags: 'wx', mode: 0o600 }),
    options.signal ? { signal: options.signal } : {},
  )
  const packed = addAll(controller, staged, manifest, options).catch((error: unknown) => {
    controller.error(error)
    throw error
  })
  try {
    // Whichever fails first says why; the other one ends with it.
    await Promise.all([written, packed])
    await sync(target)
  } catch (error) {
    if (options.signal?.aborted) throw cancelled(error)
    throw fromFileSystemError(error, target)
  } finally {
    await Promise.allSettled([written, packed])
  }
}

async function addAll(
  controller: TarPackController,
  staged: string,
  manifest: BackupManifest,
  { created, onPacked, signal }: WriteArchiveOptions,
): Promise<void> {
  const head = printManifest(manifest)
  await addBytes(controller, MANIFEST_NAME, 0o600, head, created)
  for (const { path, size, mode } of manifest.files) {
    if (signal?.aborted) throw cancelled(signal.reason)
    const entry = controller.add({ name: `${HOME_PREFIX}${path}`, size, mode, mtime: created, type: 'file' })
    await Readable.toWeb(createReadStream(join(staged, path))).pipeTo(entry)
    onPacked(size)
  }
  for (const folder of manifest.folders) {
    const name = `${HOME_PREFIX}${folder}/`
    await controller.add({ name, size: 0, mode: 0o700, mtime: created, type: 'directory' }).close()
  }
  controller.finalize()
}

async function addBytes(controller: TarPackController, name: string, mode: number, bytes: Uint8Array, mtime: Date) {
  const writer = controller.add({ name, size: bytes.length, mode, mtime, type: 'file' }).getWriter()
  await writer.write(bytes)
  await writer.close()
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
