import fc from 'fast-check'
import { estimateTokenCount } from 'tokenx'
import { describe, expect, it } from 'vitest'
import { SESSION_NOTE_TOKENS, sessionNoteSections } from '../domain/index.ts'
import { condenseSections } from './condense.ts'
import { emptySections, formatNote, formatSection, type NoteSections, readNote, sectionsFrom } from './note-document.ts'
import { blocksOf, cutBlock, cutTokens, isFenceLine } from './text-blocks.ts'

const head = { session: 'a:b', updated: '2026-11-20T00:00:00Z', transcript: '/t', since: 0, readTo: 9, askedTo: 0 }
const bodyOf = (sections: NoteSections) =>
  sessionNoteSections.map((name) => formatSection(name, sections[name])).join('\n')

function isFenceOpen(text: string): boolean {
  let open: string | null = null
  for (const line of text.split('\n')) open = isFenceLine(line, open)
  return open !== null
}

const words = fc.constantFrom(
  'tide cache ',
  '潮汐表写入。',
  '👩‍👩‍👧‍👦',
  'e\u0301 ',
  'नमस्ते ',
  '`pnpm test` ',
  'x'.repeat(60),
  '\ud83d',
  '🇩🇪',
)
/** Large texts from few choices: it is their size that is tested. */
const line = fc
  .tuple(words, words, fc.constantFrom(1, 8, 60))
  .map(([one, other, times]) => (one + other).repeat(times).trim())
const times = fc.constantFrom(0, 1, 40)
const code = fc
  .tuple(line, times)
  .map(([each, count]) => ['```ts', ...Array<string>(count).fill(each), '```'].join('\n'))
const facts = fc.tuple(line, times).map(([each, count]) => Array.from({ length: count }, (_, at) => `- ${at} ${each}`))
const told = fc
  .array(
    fc.oneof(
      line,
      line.map((each) => `- ${each}`),
      code,
    ),
    { maxLength: 3 },
  )
  .chain((parts) => times.map((count) => Array<string>(count).fill(parts.join('\n\n')).join('\n\n')))
const section = fc.record({ facts, told })
const sections = fc
  .tuple(section, section, section)
  .map((few) => sectionsFrom((name) => few[sessionNoteSections.indexOf(name) % 3]!))

describe('the bounds of a note [F1]', () => {
  it('hold for any conversation, in any language, with no block of code left open', () => {
    fc.assert(
      fc.property(sections, (given) => {
        const kept = condenseSections(given)
        for (const name of sessionNoteSections) {
          expect(estimateTokenCount(formatSection(name, kept[name]))).toBeLessThanOrEqual(SESSION_NOTE_TOKENS.section)
          expect(isFenceOpen(kept[name].told)).toBe(false)
        }
        expect(estimateTokenCount(bodyOf(kept))).toBeLessThanOrEqual(SESSION_NOTE_TOKENS.whole)
      }),
      { numRuns: 15 },
    )
  })

  it('a block that is cut ends on a grapheme, and keeps its fence', () => {
    const graphemes = (text: string) => [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment)
    fc.assert(
      fc.property(fc.array(words, { minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 40 }), (parts, most) => {
        const text = parts.join('')
        const cut = cutTokens(text, most)
        expect(estimateTokenCount(cut)).toBeLessThanOrEqual(most)
        const kept = graphemes(cut.replace(/…$/, ''))
        expect(graphemes(text).slice(0, kept.length)).toEqual(kept)
        const code = cutBlock(`\`\`\`\n${text}\n${text}\n\`\`\``, most + 8)
        expect(isFenceOpen(code)).toBe(false)
      }),
    )
  })

  it('what fits is not touched', () => {
    const small = sectionsFrom((name) => ({ facts: [`- about ${name}`], told: 'words' }))
    expect(condenseSections(small)).toEqual(small)
  })

  const long = (label: string) =>
    Array.from({ length: 200 }, (_, at) => `- ${label} ${at} ${'words of this line '.repeat(6)}`)

  it('the oldest goes first and is counted; bullets with a label stay', () => {
    const given = {
      ...emptySections(),
      Workflow: { facts: ['- Last command: `pnpm test` → exit 0', ...long('run')], told: '' },
    }
    const [first, second, ...rest] = condenseSections(given).Workflow.facts
    expect([first, second]).toEqual([
      expect.stringMatching(/^- \(\d+ older lines left out\)$/),
      '- Last command: `pnpm test` → exit 0',
    ])
    expect(rest.at(-1)).toContain('run 199 ')
    expect(Number(/\d+/.exec(first ?? '')?.[0]) + rest.length).toBe(200)
  })

  it('Current State and Errors & Corrections are cut for no other section', () => {
    const given = sectionsFrom((name) => ({ facts: long(name), told: '' }))
    const kept = condenseSections(given)
    const size = (name: (typeof sessionNoteSections)[number]) => kept[name].facts.length
    expect(size('Current State')).toBeGreaterThan(1.5 * size('Worklog'))
    expect(size('Errors & Corrections')).toBeGreaterThan(1.5 * size('Files and Functions'))
    const alone = condenseSections({ ...emptySections(), 'Current State': given['Current State'] })
    expect(kept['Current State']).toEqual(alone['Current State'])
  })

  it('condensing again changes nothing more', () => {
    const once = condenseSections(sectionsFrom((name) => ({ facts: long(name), told: long('told').join('\n') })))
    expect(bodyOf(condenseSections(once))).toBe(bodyOf(once))
  })
})

describe('a note as text and back [F1]', () => {
  it('is the same', () => {
    fc.assert(
      fc.property(sections, (given) => {
        const clean = sectionsFrom((name) => ({
          facts: given[name].facts,
          told: blocksOf(given[name].told).join('\n\n').trim(),
        }))
        expect(readNote(formatNote({ head, sections: clean }))).toEqual({ head, sections: clean })
      }),
      { numRuns: 20 },
    )
  })

  it.each([
    ['nothing', ''],
    ['another file', '# Notes\n\nmine\n'],
    ['a head without a session', formatNote({ head, sections: emptySections() }).replace('session:', 'about:')],
    ['a head with words for bytes', formatNote({ head, sections: emptySections() }).replace('since: 0', 'since: "0"')],
    ['a torn head', '---\nsession: "a:b"\n'],
  ])('%s is no note', (_, text) => {
    expect(readNote(text)).toBeNull()
  })
})
