import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { porterStem } from './porter-stem.ts'

describe('porterStem', () => {
  it.each([
    ['caresses', 'caress'],
    ['ponies', 'poni'],
    ['cats', 'cat'],
    ['caress', 'caress'],
    ['feed', 'feed'],
    ['agreed', 'agre'],
    ['plastered', 'plaster'],
    ['bled', 'bled'],
    ['motoring', 'motor'],
    ['sing', 'sing'],
    ['conflated', 'conflat'],
    ['troubled', 'troubl'],
    ['hopping', 'hop'],
    ['falling', 'fall'],
    ['filing', 'file'],
    ['failing', 'fail'],
    ['happy', 'happi'],
    ['sky', 'sky'],
    ['relational', 'relat'],
    ['conditional', 'condit'],
    ['digitizer', 'digit'],
    ['radically', 'radic'],
    ['vietnamization', 'vietnam'],
    ['hopefulness', 'hope'],
    ['formaliti', 'formal'],
    ['triplicate', 'triplic'],
    ['electrical', 'electr'],
    ['revival', 'reviv'],
    ['adjustment', 'adjust'],
    ['adoption', 'adopt'],
    ['probate', 'probat'],
    ['cease', 'ceas'],
    ['controlling', 'control'],
    ['rolling', 'roll'],
    ['testing', 'test'],
    ['deployments', 'deploi'],
    ['deploy', 'deploi'],
    ['employment', 'emploi'],
    ['yes', 'ye'],
    ['as', 'as'],
  ])('%s -> %s', (word, stem) => {
    expect(porterStem(word)).toBe(stem)
  })

  it.each(['20', 'utf8', 'кошки', 'naïve', '守护'])('leaves %s alone', (word) => {
    expect(porterStem(word)).toBe(word)
  })

  it('never empties a word and never grows it by more than one letter', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'abcdefghilmnorstuvyz'), minLength: 1, maxLength: 24 })
    fc.assert(
      fc.property(letters, (word) => {
        const stem = porterStem(word)
        return stem.length > 0 && stem.length <= word.length + 1
      }),
      { numRuns: 2_000 },
    )
  })
})
