import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeFolder } from './make-folder.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'keepsake-folder-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

describe('makeFolder', () => {
  it('makes what is missing, private, and says where it began', () => {
    expect(makeFolder(join(root, 'a', 'b', 'c'))).toBe(join(root, 'a'))
    expect(statSync(join(root, 'a', 'b')).mode & 0o777).toBe(0o700)
    expect(makeFolder(join(root, 'a', 'b', 'd'))).toBe(join(root, 'a', 'b', 'd'))
  })

  it('leaves what is there, also behind a link', () => {
    mkdirSync(join(root, 'a'), { mode: 0o755 })
    symlinkSync(join(root, 'a'), join(root, 'link'))
    expect([makeFolder(join(root, 'a')), makeFolder(join(root, 'link')), makeFolder('/')]).toEqual([null, null, null])
    expect(statSync(join(root, 'a')).mode & 0o777).toBe(0o755)
  })

  it.each(['file', 'file/below', 'file/below/more'])('a file in the way: %s', (path) => {
    writeFileSync(join(root, 'file'), '')
    expect(() => makeFolder(join(root, path))).toThrow(/EEXIST|ENOTDIR/)
  })

  it.runIf(existsSync('/proc/self'))('ends below a folder that takes no child', () => {
    expect(() => makeFolder('/proc/nope/x/y')).toThrow(/ENOENT/)
  })
})
