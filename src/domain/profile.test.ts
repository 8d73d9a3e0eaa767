import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codePoints } from '../util/index.ts'
import { DEFAULT_CONFIG } from './config.ts'
import {
  parseProfile,
  profileChars,
  profileEntry,
  profileHeader,
  profileStoreOf,
  profileUsage,
  renderProfile,
} from './profile.ts'
import { matchProfile } from './profile-match.ts'

/** Text as people write it, with everything that has been miscounted or mistaken for a delimiter before. */
const awkward = fc
  .array(
    fc.constantFrom(
      'word ',
      '§',
      '\n§\n',
      '\n\\§\n',
      '\\',
      '\r\n',
      '\n\n',
      '👩‍💻',
      '🏳️‍🌈',
      '偏好深色主题。',
      'e\u0301',
      'न\u093f',
      '💰',
      '\u2028',
      ' ',
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))

const limits = DEFAULT_CONFIG.profile

describe('the text of a profile [W3]', () => {
  it('comes back entry by entry, whatever the entries hold', () => {
    fc.assert(
      fc.property(fc.array(awkward, { maxLength: 8 }), (entries) => {
        const kept = entries.map(profileEntry).filter((entry) => entry !== '')
        expect(parseProfile(renderProfile(entries))).toEqual(kept)
      }),
      { numRuns: 2_000 },
    )
  })

  it('costs its code points and three for each gap', () => {
    fc.assert(
      fc.property(fc.array(awkward, { maxLength: 8 }), (entries) => {
        expect(profileChars(entries)).toBe(codePoints(renderProfile(entries)))
      }),
    )
    expect(profileChars(['ab', 'cd'])).toBe(7)
    expect(profileChars(['👩‍💻'])).toBe(3)
    expect(profileChars(['偏好深色'])).toBe(4)
    expect(profileChars(['e\u0301'])).toBe(2)
    expect(profileChars(['a\r\nb'])).toBe(3)
    expect(profileChars([])).toBe(0)
  })

  it.each([
    ['a lone § is content', 'cost § 5\nsecond line', ['cost § 5\nsecond line']],
    ['only the whole delimiter divides', 'one\n§ two\n§\nthree', ['one\n§ two', 'three']],
    ['CRLF and a byte order mark', '\uFEFFone\r\n§\r\ntwo\r\n', ['one', 'two']],
    ['nothing between two delimiters', 'one\n§\n\n§\ntwo', ['one', 'two']],
    ['an empty file', '', []],
  ])('%s', (_what, text, entries) => {
    expect(parseProfile(text)).toEqual(entries)
  })
})

describe('stores of the profile [W3]', () => {
  it.each([
    ['user', 'global', { store: 'user', layer: 'global' }],
    ['feedback', 'global', { store: 'memory', layer: 'global' }],
    ['user', 'project', { store: 'memory', layer: 'project' }],
    ['project', 'project', { store: 'memory', layer: 'project' }],
    ['user', 'team', null],
  ] as const)('a pinned %s note of %s', (type, layer, store) => {
    expect(profileStoreOf({ type, pinned: true, status: 'active' }, layer)).toEqual(store)
    expect(profileStoreOf({ type, pinned: false, status: 'active' }, layer)).toBeNull()
    expect(profileStoreOf({ type, pinned: true, status: 'archived' }, layer)).toBeNull()
  })

  it('is counted by layer, each with its cap', () => {
    const note = (type: 'user' | 'feedback', layer: string, body: string) =>
      ({ type, layer, body, pinned: true, status: 'active' }) as const
    const notes = [note('user', 'global', 'x'.repeat(1_000)), note('feedback', 'project', '\nuse pnpm\n')]
    expect(profileUsage(notes, ['global', 'project'], limits).map(profileHeader)).toEqual([
      'User profile [72% — 1,000/1,375 chars]',
      'Pinned memory [0% — 0/2,200 chars]',
      'Pinned memory of this project [0% — 8/2,200 chars]',
    ])
    expect(profileUsage(notes, ['global'], limits)).toHaveLength(2)
  })
})

describe('a profile text edited as a whole [W3]', () => {
  const notes = [
    { id: 'pnpm', text: 'Use pnpm 9 in this repository; run pnpm check before pushing' },
    { id: 'friday', text: 'The staging database is read-only on Fridays' },
    { id: 'zh', text: '回答请用中文，代码注释用英文' },
  ]
  it.each([
    ['nothing changed', notes.map(({ text }) => text), { changed: [], added: [], left: [] }],
    [
      'other order, one word changed',
      [notes[2]?.text ?? '', 'Use pnpm 10 in this repository; run pnpm check before pushing', notes[1]?.text ?? ''],
      {
        changed: [{ id: 'pnpm', text: 'Use pnpm 10 in this repository; run pnpm check before pushing' }],
        added: [],
        left: [],
      },
    ],
    [
      'one new, one gone, one in Chinese changed',
      [notes[0]?.text ?? '', '回答请用中文，代码注释用英文，提交说明也用英文', 'Prefers tabs'],
      {
        changed: [{ id: 'zh', text: '回答请用中文，代码注释用英文，提交说明也用英文' }],
        added: ['Prefers tabs'],
        left: ['friday'],
      },
    ],
    ['emptied', [], { changed: [], added: [], left: ['pnpm', 'friday', 'zh'] }],
  ])('%s', (_what, edited, match) => {
    expect(matchProfile(edited, notes)).toEqual(match)
  })

  it('gives every entry and every note exactly one place', () => {
    const texts = fc.array(awkward, { maxLength: 6 })
    fc.assert(
      fc.property(texts, texts, (edited, before) => {
        const standing = before.map((text, index) => ({ id: String(index), text }))
        const { changed, added, left } = matchProfile(edited, standing)
        const same = edited.length - changed.length - added.length
        expect(changed.length + left.length + same).toBe(standing.length)
        expect(new Set([...changed.map(({ id }) => id), ...left]).size).toBe(changed.length + left.length)
      }),
    )
  })
})
