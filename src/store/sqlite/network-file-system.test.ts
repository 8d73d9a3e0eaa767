import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isNetworkFileSystem } from './network-file-system.ts'

describe('isNetworkFileSystem', () => {
  it.each([
    ['NFS', 0x6969, true],
    ['SMB', 0x517b, true],
    ['CIFS', 0xff534d42, true],
    ['CIFS as a signed number', 0xff534d42 | 0, true],
    ['SMB2', 0xfe534d42, true],
    ['FUSE and virtiofs', 0x65735546, true],
    ['9p', 0x01021997, true],
    ['ext4', 0xef53, false],
    ['btrfs', 0x9123683e, false],
    ['xfs', 0x58465342, false],
    ['tmpfs', 0x01021994, false],
    ['overlay', 0x794c7630, false],
    ['a platform that gives 0', 0, false],
  ])('%s', (_, type, expected) => {
    expect(isNetworkFileSystem('/', () => type)).toBe(expected)
  })

  it('asks the nearest folder that exists', () => {
    const directory = mkdtempSync(join(tmpdir(), 'keepsake-network-'))
    const asked: string[] = []
    isNetworkFileSystem(join(directory, 'not', 'yet', 'index.db'), (path) => asked.push(path))
    rmSync(directory, { recursive: true })
    expect(asked).toEqual([directory])
  })

  it('says no when it cannot be told', () => {
    const refuse = () => {
      throw new Error('not supported')
    }
    expect(isNetworkFileSystem('/', refuse)).toBe(false)
  })
})
