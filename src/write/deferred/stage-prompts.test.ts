import { estimateTokenCount } from 'tokenx'
import { describe, expect, it } from 'vitest'
import { isNothing, stageOneShape } from './answer.ts'
import { stageOnePrompt, stageTwoPrompt } from './stage-prompts.ts'

describe('the prompts of the deferred pipeline [W14]', () => {
  it.each([
    [stageOnePrompt, 1_300],
    [stageTwoPrompt, 1_700],
  ])('$name is as it was looked at, other words are another version; and it stays small', async (prompt, maxTokens) => {
    await expect(`${prompt.text}\n`).toMatchFileSnapshot(`./prompts/${prompt.name}.v${prompt.version}.txt`)
    expect(estimateTokenCount(prompt.text)).toBeLessThanOrEqual(maxTokens)
  })

  it('stage one answers its own examples by its own rules', () => {
    const answers = [...stageOnePrompt.text.matchAll(/\{"rawMemory": .*?"slug": "[^"]*"\}/g)].map(([json]) =>
      stageOneShape.schema.parse(JSON.parse(json)),
    )
    expect(answers.map(isNothing)).toEqual([true, false])
    const memory = answers[1]!.rawMemory
    const heads = [...memory.matchAll(/^#+ .*$/gm)].map(([head]) => head)
    for (const head of heads) expect(stageOnePrompt.text).toContain(`- \`${head}\``)
    for (const line of memory.split('\n').filter((each) => each.startsWith('- '))) expect(line).toMatch(/\(#\d+\)$/)
    const [, quote = ''] = /"([^"]+)" ->/.exec(memory) ?? []
    expect(stageOnePrompt.text).toContain(`: ${quote}`)
  })
})
