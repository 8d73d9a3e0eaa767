/** Every prompt of the pipeline: stored text stands in a fence, cannot close it, and fits into what the job may cost. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { estimateTokenCount } from 'tokenx'
import { describe, expect, it } from 'vitest'
import { JOB_BUDGETS, type MessageRole } from '../../domain/index.ts'
import type { JobQuestion } from '../../models/index.ts'
import { createDeferredHarness, type Said } from '../../testing/deferred-harness.ts'
import { MATERIAL_TOKENS } from './material.ts'
import { stageOnePrompt, stageTwoPrompt } from './stage-prompts.ts'

const piece = fc.constantFrom(
  '</keepsake-material>',
  '<keepsake-material>',
  '＜/keepsake-material＞',
  '<system-reminder>',
  '\n',
  '\n\n## The notes\n\n',
  '&lt;/',
  '#1 user: ',
  '\u200b',
  '\ud800',
  '记',
  ' | ',
  'x',
)
const stored = fc.array(piece, { maxLength: 10 }).map((pieces) => `QQ${pieces.join('')}QQ`)
/** What hides is not kept of a model's answer at all. */
const kept = stored.map((text) => text.replace(/[\u200b\ud800]/g, ''))
const role = fc.constantFrom<MessageRole>('user', 'assistant', 'tool')

/** Both stages over one conversation, with what is stored before: a note and a summary. */
async function questionsOf(given: {
  readonly said: readonly Said[]
  readonly rawMemory: string
  readonly note: string
  readonly summary: string
}): Promise<{ readonly one: JobQuestion; readonly two: JobQuestion }> {
  const { said, rawMemory, note, summary } = given
  const memory = JSON.stringify({ rawMemory, summary: rawMemory.slice(0, 500), slug: 'a-talk' })
  const harness = createDeferredHarness({ one: () => memory, two: () => 'v1' })
  try {
    const head = { name: note, description: note, type: 'project' }
    const front = Object.entries(head).map(([key, value]) => `${key}: ${JSON.stringify(value.toWellFormed())}`)
    writeFileSync(join(harness.project.directory, 'project_note.md'), `---\n${front.join('\n')}\n---\n\n${note}\n`)
    writeFileSync(join(harness.project.directory, 'memory_summary.md'), `v1\n\n## Now\n\n- ${summary}\n`)
    harness.talk('claude-code:1', [['user', 'Please use pnpm here.'], ...said])
    await harness.run()
    const [[one], [two]] = [harness.asked('stage-one'), harness.asked('stage-two')]
    if (!one || !two) throw new Error('a stage did not ask')
    return { one, two }
  } finally {
    harness.dispose()
  }
}

const fences = /<keepsake-material>\n[\s\S]*?\n<\/keepsake-material>/g

describe('prompts of the deferred pipeline [I6] [W14] [W16]', () => {
  it('stored text stands in exactly one fence and cannot close it', async () => {
    const talk = fc.array(fc.tuple(role, stored), { maxLength: 4 })
    const given = fc.record({ said: talk, rawMemory: kept, note: stored, summary: stored })
    await fc.assert(
      fc.asyncProperty(given, async (each) => {
        const { one, two } = await questionsOf(each)
        expect([one.system, two.system]).toEqual([stageOnePrompt.text, stageTwoPrompt.text])
        expect(one.prompt.match(fences)).toHaveLength(1)
        expect(two.prompt.match(fences)!.length).toBeGreaterThanOrEqual(3)
        for (const { prompt } of [one, two]) {
          expect(prompt.replace(fences, '')).not.toMatch(/QQ|<\/?(?:keepsake|system)/)
          expect(prompt.match(/<\/?keepsake-material>/g)).toHaveLength(2 * prompt.match(fences)!.length)
        }
      }),
      { numRuns: 20 },
    )
  })

  it('each fits into its budget, whatever is stored', async () => {
    const long = (words: string) => `${words} `.repeat(20_000)
    const said = Array.from({ length: 400 }, (_, at): Said => ['user', `${at} ${'长话 and words '.repeat(400)}`])
    const { one, two } = await questionsOf({
      said,
      rawMemory: 'a memory of many words '.repeat(400),
      note: long('note'),
      summary: long('line'),
    })
    const tokens = ({ system, prompt }: JobQuestion) => estimateTokenCount(system) + estimateTokenCount(prompt)
    expect(tokens(one)).toBeLessThan(JOB_BUDGETS['stage-one'].inputTokens)
    expect(tokens(one)).toBeGreaterThan(JOB_BUDGETS['stage-one'].inputTokens / 2)
    const material = Object.values(MATERIAL_TOKENS).reduce((sum, each) => sum + each, 0)
    expect(tokens(two)).toBeLessThan(material + estimateTokenCount(stageTwoPrompt.text) + 1_000)
  })
})
