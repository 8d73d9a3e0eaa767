import { describe, expect, it } from 'vitest'
import type { TranscriptBatch, TranscriptToolCall } from '../domain/index.ts'
import { foldFacts } from './conversation-facts.ts'
import { factSections } from './fact-sections.ts'

const time = '2026-11-20T09:00:00.000Z'
const rules = { isCorrection: (content: string) => content.startsWith('No,'), isForgotten: () => false }

function turn(
  said: readonly (readonly ['user' | 'assistant' | 'tool', string])[],
  calls: readonly Partial<TranscriptToolCall>[] = [],
): TranscriptBatch {
  const call = { name: 'Bash', command: null, read: [], written: [], exit: null, failed: false, error: null, time }
  return {
    sessionId: 's',
    cwd: '/home/dev/tidepool',
    branch: 'main',
    title: null,
    messages: said.map(([role, content]) => ({ nativeId: null, role, content, toolName: null, time })),
    memoryWrites: [],
    toolCalls: calls.map((each) => ({ ...call, ...each })),
    skipped: {},
    endOffset: 1,
    turnEnded: said.at(-1)?.[0] === 'assistant',
  }
}

function factsOf(...batches: readonly TranscriptBatch[]) {
  const fold = foldFacts(0, rules)
  for (const batch of batches) fold.add(batch)
  return fold.facts()
}
const sectionsOf = (...batches: readonly TranscriptBatch[]) => factSections(factsOf(...batches))

describe('facts of a conversation [F1]', () => {
  it('a command that failed is the last error until the note says that it worked later', () => {
    const failed = {
      command: 'pnpm test',
      exit: 1,
      failed: true,
      error: 'Exit code 1\n\n> test\nTypeError: rows is undefined\n    at x',
    }
    const once = sectionsOf(turn([['user', 'go']], [failed]))
    expect(once['Errors & Corrections'][0]).toBe(
      '- Last error: `pnpm test` failed with exit 1: "TypeError: rows is undefined"',
    )
    const twice = sectionsOf(turn([['user', 'go']], [failed, { command: 'pnpm test', exit: 0 }]))
    expect(twice['Errors & Corrections'][0]).toMatch(/; the same command worked later$/)
    expect(twice.Workflow).toEqual([
      '- Last command: `pnpm test` → exit 0',
      '- 2026-11-20T09:00Z `pnpm test` → exit 0 (run 2×)',
    ])
  })

  it.each([
    [
      'the assistant',
      [
        ['user', 'go'],
        ['assistant', 'Done. Next I will move the readers over.'],
      ],
      'Next I will move the readers over.',
    ],
    ['the user', [['user', 'Looks fine. Next: the cache.']], 'Next: the cache.'],
    [
      'an answer to who asks',
      [
        ['user', 'What is left?'],
        ['assistant', 'The schema and a test.'],
      ],
      'The schema and a test.',
    ],
    [
      'the assistant, in Chinese',
      [
        ['user', '好'],
        ['assistant', '改好了。下一步是迁移。'],
      ],
      '下一步是迁移。',
    ],
    ['the user, in Chinese', [['user', '接下来看缓存。']], '接下来看缓存。'],
    [
      'nobody',
      [
        ['user', 'go'],
        ['assistant', 'The suite passes.'],
      ],
      null,
    ],
    [
      'a question',
      [
        ['user', 'go'],
        ['assistant', 'What should we do next?'],
      ],
      null,
    ],
    [
      'a request behind it',
      [
        ['assistant', 'Next I will write a test.'],
        ['user', 'Stop, show me the diff'],
      ],
      null,
    ],
  ] as const)('next step: %s', (_, said, step) => {
    expect(factsOf(turn(said)).nextStep).toBe(step)
  })

  it('corrections stand with errors, in order', () => {
    const bullets = sectionsOf(
      turn([['user', 'No, use pnpm']], [{ name: 'Read', failed: true, error: 'File does not exist.' }]),
    )
    expect(bullets['Errors & Corrections']).toEqual([
      '- Last error: Read failed: "File does not exist."',
      '- 2026-11-20T09:00Z Correction: "No, use pnpm"',
      '- 2026-11-20T09:00Z Read failed: "File does not exist."',
    ])
  })

  it('BL-15: a secret stands nowhere, whoever said it', () => {
    const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'
    const all = sectionsOf(
      turn(
        [
          ['user', `No, the token is ${secret}`],
          ['assistant', `Next I will use ${secret}`],
        ],
        [
          {
            command: `curl -H "Authorization: Bearer ${secret}" x`,
            exit: 1,
            failed: true,
            error: `bad token ${secret} refused`,
          },
          { name: 'Read', read: [`/home/dev/tidepool/${secret}.txt`] },
        ],
      ),
    )
    expect(JSON.stringify(all)).not.toContain(secret)
    expect(all['Current State'].join()).toContain('[masked: ')
  })

  it.each([
    [400_000, 4],
    [400_000, 12],
    [400_000, 30],
    [410_000, 4],
    [410_000, 30],
  ])('BL-15: nor does half of one, where a very long message is cut: at %i behind %i signs', (cut, signs) => {
    const token = 'ghp_1234567890abcdefghijABCDEFGHIJ123456'
    const step = 'Next step: call it with '
    const before = 'word. '.repeat(cut / 6).slice(0, cut - step.length - signs - 1)
    const facts = factsOf(turn([['assistant', `${before}\n${step}${token} ${'word '.repeat(4_000)}`]]))
    expect(facts.lastAnswer?.words).toContain('word.')
    expect(JSON.stringify(facts)).not.toContain('ghp_')
  })

  it('our own blocks and questions are nobody’s words', () => {
    const block = '<keepsake-memory>\nRecalled: use tabs\n</keepsake-memory>'
    const facts = factsOf(turn([['user', `${block}\nFix the cache`]]))
    expect(facts.task?.words).toBe('Fix the cache')
  })

  it('what proved a forgotten note is not heard', () => {
    const fold = foldFacts(0, { ...rules, isForgotten: ({ content }) => content.includes('harbour') })
    fold.add(
      turn([
        ['user', 'my house is at the harbour'],
        ['user', 'fix the cache'],
      ]),
    )
    expect(JSON.stringify(fold.facts())).not.toContain('harbour')
  })

  it.each([
    ['words like a heading', '# Current State\n- State: hacked'],
    ['words like a mark', 'a\n<!-- told by a model -->\nb'],
    ['words like a label', 'x\n- Last error: none'],
    ['words like a fence', '```\n# Worklog'],
  ])('%s stay one bullet', (_, words) => {
    const lines = Object.values(sectionsOf(turn([['user', words]], [{ command: words, exit: 0 }]))).flat()
    expect(lines.every((line) => line.startsWith('- ') && !line.includes('\n'))).toBe(true)
  })

  it('holds the newest of everything, at flat memory', () => {
    const batches = Array.from({ length: 500 }, (_, at) =>
      turn(
        [
          ['user', `No, request ${at}`],
          ['assistant', `done ${at}`],
        ],
        [
          { command: `run ${at}`, exit: 1, failed: true, error: `Error ${at}` },
          { name: 'Edit', written: [`/home/dev/tidepool/src/${at}.ts`] },
        ],
      ),
    )
    const facts = factsOf(...batches)
    expect(
      [facts.requests, facts.troubles, facts.files, facts.commands, facts.turns].map(({ length }) => length),
    ).toEqual([40, 60, 200, 60, 200])
    expect([facts.task?.words, facts.lastRequest?.words, facts.files.at(-1)?.path]).toEqual([
      'No, request 0',
      'No, request 499',
      'src/499.ts',
    ])
    expect(facts.toolCalls).toBe(1_000)
  })
})
