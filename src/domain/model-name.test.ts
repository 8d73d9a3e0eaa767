import { describe, expect, it } from 'vitest'
import { configKeys, valueProblem } from './config-keys.ts'
import { modelForms, parseModelName } from './model-name.ts'

const problem = (name: string, value: unknown) => valueProblem(configKeys.find(({ key }) => key === name)!.value, value)

describe('names of language models [W16]', () => {
  it.each([
    ['anthropic:claude-haiku-4-5', { kind: 'provider', provider: 'anthropic', model: 'claude-haiku-4-5' }],
    ['openai:gpt-5-mini', { kind: 'provider', provider: 'openai', model: 'gpt-5-mini' }],
    ['google:gemini-2.5-flash', { kind: 'provider', provider: 'google', model: 'gemini-2.5-flash' }],
    ['ollama:qwen3:8b', { kind: 'provider', provider: 'ollama', model: 'qwen3:8b' }],
    ['openai-compatible:org/模型', { kind: 'provider', provider: 'openai-compatible', model: 'org/模型' }],
    ['agent:claude', { kind: 'agent', program: 'claude', model: null }],
    ['agent:claude:haiku', { kind: 'agent', program: 'claude', model: 'haiku' }],
    ['agent:claude:sonnet[1m]', { kind: 'agent', program: 'claude', model: 'sonnet[1m]' }],
    ['agent:codex:gpt-5-codex', { kind: 'agent', program: 'codex', model: 'gpt-5-codex' }],
  ])('%s', (text, expected) => {
    expect(parseModelName(text)).toEqual(expected)
    expect(problem('models.small', text)).toBeNull()
  })

  it.each([
    '',
    'claude',
    'anthropic',
    'anthropic:',
    'Anthropic:x',
    'mistral:x',
    'agent:',
    'agent:gemini',
    'agent:claude:',
    'agent:claude:-p',
    'agent:claude:a;b',
    'agent:claude:a b',
    'openai: gpt',
    'openai:gpt\n',
    'openai:--help',
    'openai:a\u200bb',
  ])('%j is none, and the settings say what is', (text) => {
    expect(parseModelName(text)).toBeNull()
    expect(problem('models.large', text)).toContain(modelForms.join(', '))
  })

  it('null is no model; other values are none', () => {
    expect([problem('models.small', null), problem('models.large', null)]).toEqual([null, null])
    for (const value of [1, true, {}, []]) expect(problem('models.small', value)).not.toBeNull()
  })
})

describe('settings of the budget [W16]', () => {
  it.each<[string, unknown]>([
    ['budget.perDay.calls', 0],
    ['budget.perDay.money', null],
    ['budget.perDay.money', 0.5],
    ['budget.perJob', {}],
    ['budget.perJob', { extraction: { calls: 3, money: 0.02 }, 'stage-two': { seconds: 60 } }],
    ['models.prices', {}],
    ['models.prices', { 'ollama:x': { input: 0, output: 0 }, 'openai:y': { input: 0.25, output: 2 } }],
  ])('%s may be %j', (key, value) => {
    expect(problem(key, value)).toBeNull()
  })

  it.each<[string, unknown]>([
    ['budget.perDay.calls', -1],
    ['budget.perDay.calls', 1.5],
    ['budget.perDay.tokens', '1000'],
    ['budget.perDay.money', -1],
    ['budget.perDay.money', 'ten'],
    ['budget.perJob', []],
    ['budget.perJob', { extraction: 3 }],
    ['budget.perJob', { dream: { calls: 3 } }],
    ['budget.perJob', { extraction: { callz: 3 } }],
    ['budget.perJob', { extraction: { calls: -3 } }],
    ['models.prices', { 'openai:y': 2 }],
    ['models.prices', { 'openai:y': { input: 1 } }],
    ['models.prices', { 'openai:y': { input: 1, output: -1 } }],
    ['models.prices', { 'openai:y': { input: 1, output: 1, cached: 1 } }],
  ])('%s may not be %j', (key, value) => {
    expect(problem(key, value)).not.toBeNull()
  })
})
