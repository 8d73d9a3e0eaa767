/** Tells where a write-ahead log cannot work: its shared memory needs a local file system. */
import { existsSync, statfsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** `f_type` of Linux file systems that live on another machine or outside this kernel. */
const networkTypes: ReadonlySet<number> = new Set([
  0x6969, // NFS
  0x517b, // SMB
  0xff534d42, // CIFS
  0xfe534d42, // SMB2
  0x65735546, // FUSE, virtiofs
  0x01021997, // 9p
  0x5346414f, // AFS
  0x73757245, // Coda
  0x00c36400, // Ceph
  0x0bd00bd0, // Lustre
  0x564c, // NCP
  0x786f4256, // VirtualBox shared folder
])

/**
 * True when `path`, or the nearest folder above it that exists, lies on a network or FUSE file system. Linux numbers;
 * elsewhere, and when it cannot be told, false.
 */
export function isNetworkFileSystem(path: string, typeOf: (path: string) => number = statfsType): boolean {
  try {
    // Some kernels give the 32-bit magic as a signed number.
    return networkTypes.has(typeOf(nearestExisting(resolve(path))) >>> 0)
  } catch {
    // Not every platform can answer; the write-ahead log is the usual case.
    return false
  }
}

function statfsType(path: string): number {
  return process.platform === 'linux' ? statfsSync(path).type : 0
}

function nearestExisting(path: string): string {
  if (existsSync(path) || dirname(path) === path) return path
  return nearestExisting(dirname(path))
}
