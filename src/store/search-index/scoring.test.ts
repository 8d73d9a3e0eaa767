import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Atom, atomsOf, MAX_ATOMS, MAX_KEPT_ATOMS, MAX_WORD_ATOMS } from './atoms.ts'
import { compareText } from './row-order.ts'
import { type Found, IN_BODY, IN_HEAD, idfOf, judge, NOWHERE, scoreOf, weighAtoms } from './scoring.ts'

const word = (text: string, fields: Partial<Atom> = {}): Atom => ({
  kind: 'word',
  terms: [text],
  weight: 1,
  group: 0,
  standsFor: null,
  emphasis: 1,
  ...fields,
})
const statistics = { rows: 100, totalLength: 5_000 }

describe('score', () => {
  const atoms = weighAtoms([word('rare', { group: 1 }), word('common', { group: 2 })], [1, 60], 100)
  const score = (found: Found[], length: number) => scoreOf(atoms, found, length, statistics)

  it.each<[string, Found[], number, Found[], number]>([
    ['a rare word counts more than a common one', [IN_BODY, NOWHERE], 50, [NOWHERE, IN_BODY], 50],
    ['both count more than one', [IN_BODY, IN_BODY], 50, [IN_BODY, NOWHERE], 50],
    ['the head counts more than the body', [IN_HEAD, NOWHERE], 50, [IN_BODY, NOWHERE], 50],
    ['a short row counts more than a long one', [IN_BODY, NOWHERE], 20, [IN_BODY, NOWHERE], 200],
  ])('%s', (_, more, moreLength, less, lessLength) => {
    expect(score(more, moreLength)).toBeGreaterThan(score(less, lessLength))
  })

  it('falls with length for any row, which the sqlite driver relies on', () => {
    const place = fc.constantFrom<Found>(NOWHERE, IN_BODY, IN_HEAD)
    fc.assert(
      fc.property(place, place, fc.nat(10_000), fc.nat(10_000), (first, second, left, right) => {
        const [shorter, longer] = [Math.min(left, right), Math.max(left, right)]
        return score([first, second], shorter) >= score([first, second], longer)
      }),
    )
  })

  it('is never negative, also for a word of every row', () => {
    for (const [rows, frequency] of [
      [1, 1],
      [2, 2],
      [1_000, 1_000],
      [0, 0],
    ] as const)
      expect(idfOf(rows, frequency)).toBeGreaterThan(0)
  })
})

describe('weighAtoms', () => {
  it('keeps the rarest known ones and all unknown ones, in their order', () => {
    const atoms = Array.from({ length: 40 }, (_, at) => word(`w${at}`))
    const kept = weighAtoms(
      atoms,
      atoms.map((_, at) => (at % 4 === 3 ? 0 : 40 - at)),
      100,
    )
    const known = kept.filter((atom) => atom.frequency > 0)
    expect(known).toHaveLength(MAX_WORD_ATOMS)
    expect(Math.max(...known.map((atom) => atom.frequency))).toBeLessThan(15)
    expect(kept.filter((atom) => atom.frequency === 0)).toHaveLength(10)
    expect(kept.map((atom) => atom.place)).toEqual([...kept.map((atom) => atom.place)].sort((a, b) => a - b))
  })

  it('few enough known atoms are kept for an exact code of base 3', () => {
    expect(3 ** MAX_KEPT_ATOMS).toBeLessThan(Number.MAX_SAFE_INTEGER)
  })
})

describe('coverage', () => {
  const coverage = (atoms: Atom[], frequencies: number[], found: Found[]) =>
    judge(weighAtoms(atoms, frequencies, 100), found, 50, statistics)

  it('is the share of the rarity that was asked for', () => {
    const atoms = [word('a', { group: 1 }), word('b', { group: 2 })]
    expect(coverage(atoms, [5, 5], [IN_BODY, IN_BODY]).coverage).toBe(1)
    expect(coverage(atoms, [5, 5], [IN_BODY, NOWHERE])).toMatchObject({ coverage: 0.5, matched: 1 })
    expect(coverage(atoms, [5, 0], [IN_BODY, NOWHERE]).coverage).toBeLessThan(0.5)
  })

  it('an alias covers the word that it stands for, and both together no more than it', () => {
    const atoms = [word('docker', { group: 1 }), word('container', { group: 1, standsFor: 1, weight: 0.5 })]
    expect(coverage(atoms, [0, 5], [NOWHERE, IN_BODY])).toMatchObject({ coverage: 1, matched: 1 })
    expect(coverage(atoms, [5, 5], [IN_BODY, IN_BODY])).toMatchObject({ coverage: 1, matched: 1 })
    const half = [atoms[0]!, word('unit', { group: 1, standsFor: 0.5 }), word('test', { group: 1, standsFor: 0.5 })]
    expect(coverage(half, [5, 5, 5], [NOWHERE, IN_BODY, NOWHERE]).coverage).toBe(0.5)
  })

  it('a missing name weighs more than a missing word', () => {
    const plain = [word('a', { group: 1 }), word('b', { group: 2 })]
    const named = [plain[0]!, word('b', { group: 2, emphasis: 1.5 })]
    const found: Found[] = [IN_BODY, NOWHERE]
    expect(coverage(named, [5, 5], found).coverage).toBeLessThan(coverage(plain, [5, 5], found).coverage)
  })

  it('phrases lift the score and do not change coverage', () => {
    const phrase: Atom = { ...word('x'), kind: 'phrase', terms: ['a', 'b'], group: null }
    const [plain, lifted] = [[word('a')], [word('a'), phrase]]
    const without = coverage(plain, [5], [IN_BODY])
    const withPhrase = coverage(lifted, [5, 2], [IN_BODY, IN_BODY])
    expect(withPhrase.coverage).toBe(without.coverage)
    expect(withPhrase.score).toBeGreaterThan(without.score)
  })
})

describe('rarity', () => {
  const rarity = (rows: number, frequency: number) => {
    const few = { ...statistics, rows }
    return judge(weighAtoms([word('a', { group: 1 })], [frequency], rows), [IN_BODY], 50, few).rarity
  }

  it('is 1 for a word of one row and falls to nothing for one of all rows, where there are enough to tell', () => {
    expect(rarity(1_000, 1)).toBe(1)
    expect(rarity(1_000, 1_000)).toBeLessThan(0.01)
    expect(rarity(1_000, 30)).toBeLessThan(rarity(1_000, 10))
  })

  it('of a word that all of a few rows hold is not small', () => {
    expect(rarity(9, 9)).toBeGreaterThan(0.25)
    expect(rarity(1, 1)).toBe(1)
  })
})

describe('atomsOf', () => {
  it('is bounded for any query', () => {
    const terms = Array.from({ length: 500 }, (_, at) => ({ text: `w${at}`, weight: 1 }))
    const phrases = Array.from({ length: 100 }, () => ({ words: ['a', 'b'], grams: ['守护', '护进'] }))
    expect(atomsOf({ words: terms, grams: terms, phrases, prefixes: [] })).toHaveLength(MAX_ATOMS)
  })

  it('a single character is looked up as a beginning', () => {
    const query = {
      words: [],
      grams: [
        { text: '守', weight: 1 },
        { text: '守护', weight: 1 },
        { text: '𠮷', weight: 1 },
      ],
      phrases: [],
      prefixes: ['ab'],
    }
    expect(atomsOf(query).map((atom) => atom.kind)).toEqual(['prefix', 'prefix', 'gram', 'prefix'])
  })
})

describe('compareText', () => {
  it('is the order of UTF-8 bytes', () => {
    const text = fc.string({ unit: 'binary', maxLength: 12 }).filter((each) => each.isWellFormed())
    fc.assert(
      fc.property(text, text, (left, right) => {
        return Math.sign(compareText(left, right)) === Buffer.compare(Buffer.from(left), Buffer.from(right))
      }),
      { numRuns: 1_000 },
    )
  })
})
