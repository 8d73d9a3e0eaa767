/** Whole blocks, as each agent gets them, and what must be the same in all. */
import fc from 'fast-check'
import { estimateTokenCount } from 'tokenx'
import { describe, expect, it } from 'vitest'
import { DEFAULT_CONFIG, type Language, languages } from '../../domain/index.ts'
import { utf8Bytes } from '../../util/index.ts'
import { createStartBlock } from '../start-block.ts'
import type { StartNote } from '../start-note.ts'
import { NO_REST, type StartRest } from '../start-rest.ts'
import { startNote as note } from '../testing.ts'
import { dialectOf, dialectsIn } from './registry.ts'

const names = dialectsIn('en').map(({ name }) => name)

const rule = { voice: 'rule', type: 'feedback' } as const

const notes: readonly StartNote[] = [
  note(1, {
    ...rule,
    name: 'answer style',
    layer: 'global',
    pinned: true,
    body: 'Short answers.\n\n**Why:** a phone.',
  }),
  note(2, { ...rule, name: 'role', type: 'user', layer: 'global', pinned: true, body: 'Teaches chemistry.' }),
  note(3, { ...rule, name: 'commits', layer: 'global', pinned: true, body: 'Commit messages in English.' }),
  note(4, { ...rule, name: 'use pnpm', description: 'Use pnpm, never npm' }),
  note(5, { name: 'release', description: 'Release on 2026-12-04 by Mira' }),
  note(6, { voice: 'quoted', name: 'readme', description: 'run the setup script' }),
]

const rest: StartRest = {
  session: { id: 'claude-code:11aa', date: '2026-11-29', line: 'Login loop; tests pass, docs are missing' },
  summary: [
    { text: 'Mira does the release on Friday, after the tide table is checked.', note: 'release' },
    { text: 'Use pnpm, never npm', note: 'use pnpm' },
    { text: 'A line of a note that is gone.', note: 'gone' },
  ],
  skills: [
    { name: 'deploy-preview', description: 'Put a branch online' },
    { name: 'seed-data', description: null },
  ],
}

interface Made {
  readonly agent: string
  readonly language?: Language
  readonly maxBytes?: number
  readonly maxTokens?: number
}

function blockOf(given: readonly StartNote[], beside: StartRest, { agent, language = 'en', ...caps }: Made) {
  const { block, pieces } = createStartBlock({
    dialect: dialectOf(agent, language),
    notes: given,
    total: given.length,
    rest: beside,
    projectName: 'tidewater',
    maxBytes: 9_500,
    maxTokens: 2_500,
    profile: DEFAULT_CONFIG.profile,
    problems: [],
    ...caps,
  })
  return { ...block, pieces }
}

/** Lines of notes, and the lines that go on with them. */
const noteLines = (text: string) => {
  const [, ...behind] = text.split('memory_forget')
  return behind
    .join('')
    .split('\n')
    .filter((line) => /^(?:- | {2}|\* )/.test(line))
}

describe('whole blocks [I12] [I1] [I11]', () => {
  it.each(languages.flatMap((language) => names.map((agent) => ({ agent, language }))))(
    '$agent, $language',
    async ({ agent, language }) => {
      await expect(blockOf(notes, rest, { agent, language }).text).toMatchFileSnapshot(
        `../../../test/fixtures/start-blocks/${agent}.${language}.md`,
      )
    },
  )
})

describe('the same in every dialect [I12]', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 120 }),
    fc.constantFrom('</keepsake-facts>', '§', '══ MEMORY', '中文'.repeat(40), 'plain words '.repeat(12), '## Heading'),
  )
  const someNotes = fc.uniqueArray(
    fc
      .record({
        id: fc.nat(99_999),
        name: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
        description: text,
        voice: fc.constantFrom('rule' as const, 'fact' as const, 'quoted' as const),
        type: fc.constantFrom('user' as const, 'feedback' as const, 'project' as const),
        pinned: fc.boolean(),
        layer: fc.constantFrom('global', 'projects/tidewater-0a1b2c3d', 'projects/tidewater-0a1b2c3d/team'),
        body: text,
      })
      .map(({ id, body, ...more }) =>
        note(id, { ...more, body: more.pinned && !more.layer.endsWith('team') ? `${body}\n${body}` : null }),
      ),
    { maxLength: 120, selector: ({ id }) => id },
  )
  const someRest = fc.record({
    session: fc.option(fc.record({ id: fc.constant('codex:1'), date: fc.constant('2026-11-29'), line: text })),
    summary: fc.array(fc.record({ text, note: fc.constantFrom('note 1', 'gone', 'release') }), { maxLength: 60 }),
    skills: fc.array(
      fc.record({ name: fc.constantFrom('deploy', 'seed', 'probe', 'tide'), description: fc.option(text) }),
      { maxLength: 30 },
    ),
  })
  const caps = fc.record({
    maxBytes: fc.integer({ min: 1_500, max: 12_000 }),
    maxTokens: fc.integer({ min: 400, max: 3_000 }),
    language: fc.constantFrom(...languages),
  })

  it('the same notes stand there, in one order and in the same words, and each block keeps to its caps', () => {
    fc.assert(
      fc.property(
        someNotes,
        fc.oneof(fc.constant(NO_REST), someRest),
        caps,
        (given, beside, { language, ...sizes }) => {
          const blocks = names.map((agent) => blockOf(given, beside, { agent, language, ...sizes }))
          for (const block of blocks) {
            expect(block.bytes).toBe(utf8Bytes(block.text))
            expect(block.bytes).toBeLessThanOrEqual(sizes.maxBytes)
            expect(block.tokens).toBe(estimateTokenCount(block.text))
            expect(block.tokens).toBeLessThanOrEqual(sizes.maxTokens)
            expect(block.text.isWellFormed()).toBe(true)
            const lines = `\n${block.text}\n`
            for (const piece of block.pieces) expect(lines).toContain(`\n${piece.text}\n`)
            expect(block.entries).toEqual(blocks[0]?.entries)
            expect(noteLines(block.text).toSorted()).toEqual(noteLines(blocks[0]?.text ?? '').toSorted())
            expect(noteLines(block.text).filter((line) => !line.startsWith('* '))).toEqual(
              noteLines(blocks[0]?.text ?? '').filter((line) => !line.startsWith('* ')),
            )
            for (const tag of ['keepsake-facts', 'keepsake-quoted', 'keepsake-memory'])
              expect(block.text.split(`</${tag}>`).length).toBe(block.text.split(`<${tag}`).length)
          }
        },
      ),
      { numRuns: 60 },
    )
  })
})
