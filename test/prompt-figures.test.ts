/** What each prompt costs, as docs/dev/evals.md says it: printed when the page is out of date. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { estimateTokenCount } from 'tokenx'
import { describe, expect, it } from 'vitest'
import { JOB_BUDGETS, type MessageRole } from '../src/domain/index.ts'
import { reflectPrompt } from '../src/mcp/prompts/reflect.ts'
import { reviewPrompt } from '../src/mcp/prompts/review.ts'
import { extractPrompt } from '../src/write/after-turn/extract-prompt.ts'
import { buildExtractQuestion } from '../src/write/after-turn/extract-question.ts'
import { stageOnePrompt, stageTwoPrompt } from '../src/write/deferred/stage-prompts.ts'

const root = resolve(import.meta.dirname, '..')
const page = readFileSync(resolve(root, 'docs/dev/evals.md'), 'utf8')
const cells = (row: string) => row.split('|').map((cell) => cell.trim())
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) => cells(line).join(' | ').trim())
const number = (value: number) => Math.round(value).toLocaleString('en-US')

interface Row {
  readonly messages: readonly { readonly role: MessageRole | 'system'; readonly content: string }[]
}

/** Every thirty messages of our own labelled conversations, one after the other, as one conversation. */
function conversationsOfThirty(): { role: MessageRole; content: string }[][] {
  const text = readFileSync(resolve(root, 'test/fixtures/gate/own.jsonl'), 'utf8').trim()
  const said = text
    .split('\n')
    .flatMap((line) => (JSON.parse(line) as Row).messages)
    .flatMap(({ role, content }) => (role === 'system' ? [] : [{ role, content }]))
  return Array.from({ length: Math.floor(said.length / 30) }, (_, at) => said.slice(at * 30, at * 30 + 30))
}

describe('cost of the prompts [W16]', () => {
  it.each([extractPrompt, stageOnePrompt, stageTwoPrompt, reflectPrompt, reviewPrompt])(
    '$name stands in the page with its tokens',
    ({ name, version, text }) => {
      expect(rows).toContain(`| ${name} | ${version} | ${number(estimateTokenCount(text))} |`)
    },
  )

  it('an extraction of thirty messages', () => {
    const kept = Array.from({ length: 40 }, (_, at) => ({
      type: 'feedback' as const,
      name: `release checklist ${at}`,
      description: `Run the migration before the release and tell the support team, step ${at}`,
    }))
    const prefix = estimateTokenCount(extractPrompt.text)
    const beginnings = `Kept notes:\n${kept.map(({ name, description }) => `feedback | ${name} | ${description}`).join('\n')}`
    const costs = conversationsOfThirty().map((said) => {
      const messages = said.map((each, at) => ({ ...each, number: at + 1, time: '2026-03-03T09:00:00Z' }))
      const { prompt, taken } = buildExtractQuestion({ kept, earlier: [], messages })
      expect(taken).toBe(30)
      return prefix + estimateTokenCount(prompt)
    })
    const median = costs.toSorted((a, b) => a - b)[Math.floor(costs.length / 2)] ?? 0
    const stable = prefix + estimateTokenCount(beginnings)
    expect(costs.length).toBeGreaterThan(20)
    expect(Math.max(...costs) * 2).toBeLessThan(JOB_BUDGETS.extraction.inputTokens)
    // Our conversations grow in number, so what they cost in the middle moves a little.
    const row = rows.find((each) => each.includes('thirty messages, 40 kept notes'))
    const [told = 0, share = 0] =
      row
        ?.match(/\d[\d,]*(?= \|| %)/g)
        ?.slice(-2)
        .map((each) => Number(each.replace(',', ''))) ?? []
    const figures = `${row}: now ${number(median)} tokens, ${number((stable / median) * 100)} %`
    expect(Math.abs(told - median) / median, figures).toBeLessThan(0.1)
    expect(Math.abs(share - (stable / median) * 100), figures).toBeLessThan(5)
  })
})
