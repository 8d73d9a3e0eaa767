import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MemoryError } from '../errors.ts'
import { safePath } from './safe-path.ts'

let base = ''
let root = ''

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'safe-path-')))
  root = join(base, 'notes')
  mkdirSync(join(root, 'inner', 'deep'), { recursive: true })
  mkdirSync(join(base, 'notes-evil'))
  mkdirSync(join(base, 'outside'))
  writeFileSync(join(root, 'plain.md'), 'x')
  writeFileSync(join(base, 'outside', 'secret.md'), 'x')
  symlinkSync(join(base, 'outside'), join(root, 'out'))
  symlinkSync(join(base, 'outside', 'secret.md'), join(root, 'secret.md'))
  symlinkSync(join(base, 'notes-evil'), join(root, 'sibling'))
  symlinkSync('../..', join(root, 'inner', 'up'))
  symlinkSync(join(root, 'inner'), join(root, 'inside'))
  symlinkSync('plain.md', join(root, 'alias.md'))
  symlinkSync(join(base, 'nowhere'), join(root, 'dangling'))
  symlinkSync('gone.md', join(root, 'gone-link.md'))
  symlinkSync('loop-b', join(root, 'loop-a'))
  symlinkSync('loop-a', join(root, 'loop-b'))
  symlinkSync(join(root, 'out'), join(root, 'twice'))
  symlinkSync(root, join(base, 'linked-root'))
})

afterAll(() => rmSync(base, { recursive: true, force: true }))

function reasonOf(path: string, from = root): unknown {
  try {
    return `allowed ${safePath(from, path)}`
  } catch (error) {
    if (!MemoryError.isInstance(error)) throw error
    expect(error.code).toBe('PATH_OUTSIDE_STORE')
    expect(error.hint).toBeTruthy()
    expect(error.data.path).toBe(path)
    return error.data.reason
  }
}

describe('S8: refused', () => {
  it.each([
    ['', 'empty'],
    ['   ', 'empty'],
    ['.', 'empty'],
    ['./', 'empty'],
    ['a\0.md', 'null-byte'],
    ['a.md\0../x', 'null-byte'],
    ['a\nb.md', 'control-character'],
    ['a\u007f.md', 'control-character'],
    ['a\u2028b.md', 'control-character'],
    ['a\ud800.md', 'not-well-formed'],
    ['..', 'dot-dot'],
    ['../x.md', 'dot-dot'],
    ['inner/../../x.md', 'dot-dot'],
    ['inner/../plain.md', 'dot-dot'],
    ['a/..', 'dot-dot'],
    ['.. /x', 'dot-dot'],
    ['..\u200b/x', 'dot-dot'],
    ['.../x', 'dot-dot'],
    ['/etc/passwd', 'absolute'],
    ['//server/share', 'absolute'],
    ['~/x.md', 'home'],
    ['~', 'home'],
    ['C:/x.md', 'drive'],
    ['c:x.md', 'drive'],
    ['file:///etc/passwd', 'url'],
    ['file:x', 'url'],
    ['http://host/x', 'url'],
    ['a\\b.md', 'backslash'],
    ['..\\x', 'backslash'],
    ['C:\\x', 'drive'],
    ['%2e%2e/x', 'encoded'],
    ['%2E%2E%2Fx', 'encoded'],
    ['inner%2f..%2fx', 'encoded'],
    ['a%5cb', 'encoded'],
    ['a%00.md', 'encoded'],
    ['%252e%252e%252fx', 'encoded'],
    ['%25252e%25252e/x', 'encoded'],
    ['%%32%65%%32%65/x', 'encoded'],
    ['%c0%ae%c0%ae/x', 'encoded'],
    ['%e0%80%ae/x', 'encoded'],
    ['%u002e%u002e/x', 'encoded'],
    ['％2e％2e/x', 'encoded'],
    ['%EF%BC%8E%EF%BC%8E/x'.replace('%EF%BC%8E%EF%BC%8E', '．．'), 'look-alike'],
    ['．．/x', 'look-alike'],
    ['．./x', 'look-alike'],
    ['‥/x', 'look-alike'],
    ['․․/x', 'look-alike'],
    ['…/x', 'look-alike'],
    ['。。/x', 'look-alike'],
    ['a／b', 'look-alike'],
    ['..／x', 'look-alike'],
    ['a＼b', 'look-alike'],
    ['a﹨b', 'look-alike'],
    ['a∕b', 'look-alike'],
    ['a⁄b', 'look-alike'],
    ['a∖b', 'look-alike'],
    ['Ｃ：/x', 'look-alike'],
    [`${'a'.repeat(256)}.md`, 'too-long'],
    [`${'笔'.repeat(86)}`, 'too-long'],
    [`${'a/'.repeat(600)}x`, 'too-long'],
    ['out/x.md', 'link-outside'],
    ['out/secret.md', 'link-outside'],
    ['out', 'link-outside'],
    ['secret.md', 'link-outside'],
    ['sibling/x.md', 'link-outside'],
    ['inner/up/x.md', 'link-outside'],
    ['inside/up/outside/secret.md', 'link-outside'],
    ['twice/x.md', 'link-outside'],
    ['dangling', 'dangling-link'],
    ['dangling/x.md', 'dangling-link'],
    ['gone-link.md', 'dangling-link'],
    ['loop-a', 'link-loop'],
    ['loop-a/x.md', 'link-loop'],
  ])('%j: %s', (path, reason) => expect(reasonOf(path)).toBe(reason))
})

describe('S8: look-alikes that pass', () => {
  it.each([
    'plain.md',
    'notes..md',
    '..notes.md',
    'a...b.md',
    '100%.md',
    '100%25.md',
    '50% off.md',
    'a%20b.md',
    '%E7%AC%94%E8%AE%B0.md',
    '笔记.md',
    '项目：计划.md',
    '說明。md',
    '等等….md',
    'with space.md',
    ' leading.md',
    'inner/deep/x.md',
    'inner//deep/./x.md',
    'new-folder/new.md',
    'inside/deep/x.md',
    'alias.md',
    'project: plan.md',
    '~draft.md',
    'a~/b.md',
    'café.md',
    'ﬁle.md',
    '👩‍💻.md',
    '.hidden',
    'plain.md/below',
    'user_prefers-tabs.md',
    'a'.repeat(255),
    '2026-03-14 会议（一）.md',
  ])('%j', (path) => {
    const allowed = safePath(root, path)
    expect(allowed).toBe(join(root, path))
    expect(allowed.startsWith(root + sep)).toBe(true)
  })
})

describe('the root', () => {
  it('may be a link itself', () => {
    expect(safePath(join(base, 'linked-root'), 'inside/x.md')).toBe(join(base, 'linked-root', 'inside/x.md'))
    expect(reasonOf('out/x.md', join(base, 'linked-root'))).toBe('link-outside')
  })

  it('need not exist yet', () => {
    expect(safePath(join(base, 'later', 'notes'), 'x.md')).toBe(join(base, 'later', 'notes', 'x.md'))
    expect(safePath(join(base, 'linked-root', 'later'), 'x.md')).toBe(join(base, 'linked-root', 'later', 'x.md'))
  })

  it('is compared with a separator: a sibling whose name begins alike is outside', () => {
    expect(reasonOf('sibling')).toBe('link-outside')
  })
})

describe('laws', () => {
  it('whatever it returns lies in the root', () => {
    const part = fc.oneof(
      fc.constantFrom(
        '..',
        '.',
        '%2e',
        '%2f',
        '/',
        '\\',
        '．',
        '／',
        'out',
        'inner',
        'up',
        'inside',
        'loop-a',
        'x.md',
        '%25',
        '\0',
        ' ',
        '~',
        'C:',
      ),
      fc.string({ unit: 'binary', maxLength: 4 }),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const path = parts.join('')
        let allowed: string
        try {
          allowed = safePath(root, path)
        } catch (error) {
          expect(MemoryError.isInstance(error)).toBe(true)
          return
        }
        expect(allowed.startsWith(root + sep)).toBe(true)
        expect(allowed.split(sep)).not.toContain('..')
      }),
      { numRuns: 3_000 },
    )
  })

  it('the message of a refusal is one well-formed line without control characters', () => {
    for (const path of ['a\nb', `${'💰'.repeat(200)}`, '\ud800', `..${'x'.repeat(5_000)}`]) {
      try {
        safePath(root, path)
        expect.unreachable()
      } catch (error) {
        const message = error instanceof Error ? error.message : ''
        expect(message.isWellFormed()).toBe(true)
        expect(message).not.toMatch(/\p{Cc}/u)
        expect(message.length).toBeLessThan(400)
      }
    }
  })
})
