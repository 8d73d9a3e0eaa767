import { estimateTokenCount } from 'tokenx'
import { describe, expect, it } from 'vitest'
import { languages } from '../../domain/index.ts'
import { utf8Bytes } from '../../util/index.ts'
import { MAX_BETWEEN_BYTES, MAX_GUIDANCE_BYTES, MAX_GUIDANCE_TOKENS } from './dialect.ts'
import { dialectNames, dialectOf, dialectsIn, isDialect } from './registry.ts'

const all = languages.flatMap(dialectsIn)

describe('the dialects [I12]', () => {
  it('are these', () => {
    expect(dialectNames).toEqual(expect.arrayContaining(['plain', 'library', 'claude-code', 'codex', 'hermes']))
  })

  it.each(all)('$name in $language keeps to its share', ({ guidance, betweenEntries }) => {
    expect(utf8Bytes(guidance)).toBeLessThanOrEqual(MAX_GUIDANCE_BYTES)
    expect(estimateTokenCount(guidance)).toBeLessThanOrEqual(MAX_GUIDANCE_TOKENS)
    expect(utf8Bytes(`${betweenEntries ?? ''}\n`)).toBeLessThanOrEqual(MAX_BETWEEN_BYTES)
  })

  it.each(dialectNames)('%s says the same version in each language', (name) => {
    expect(new Set(languages.map((language) => dialectOf(name, language).version)).size).toBe(1)
  })

  it.each(all)('$name in $language tells how to read, doubt, mark use and save', ({ guidance }) => {
    for (const tool of ['memory_get', 'memory_search', 'memory_save', 'memory_forget']) expect(guidance).toContain(tool)
    expect(guidance).toMatch(/counts as used|keepsake-cite|oai-mem-citation|算用过/)
    for (const type of ['user', 'feedback', 'project', 'reference']) expect(guidance).toContain(`- ${type}: `)
  })

  it.each(['gemini-cli', 'opencode', '', 'toString', '__proto__', 'Codex'])(
    '%j has none of its own: plain',
    (agent) => {
      expect(isDialect(agent)).toBe(false)
      expect(dialectOf(agent).guidance).toBe(dialectOf('plain').guidance)
    },
  )

  it('only where somebody takes it out again a list of used notes is asked for', () => {
    const asks = (mark: string) => all.filter(({ guidance }) => guidance.includes(mark)).map(({ name }) => name)
    expect(asks('<keepsake-cite>')).toEqual(['library', 'library'])
    expect(asks('<oai-mem-citation>')).toEqual(['codex', 'codex'])
  })
})
