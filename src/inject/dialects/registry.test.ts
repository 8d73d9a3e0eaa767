import { describe, expect, it } from 'vitest'
import { utf8Bytes } from '../../util/index.ts'
import { MAX_GUIDANCE_BYTES } from './dialect.ts'
import { dialectNames, dialectOf, isDialect } from './registry.ts'

describe('the dialects [I12]', () => {
  it.each(['plain', 'library', 'claude-code', 'codex', 'hermes', 'facts'])('%s is one, within its share', (name) => {
    const dialect = dialectOf(name)
    expect(dialect).toMatchObject({ name, language: 'en', version: expect.any(Number) })
    expect(utf8Bytes(dialect.guidance)).toBeLessThanOrEqual(MAX_GUIDANCE_BYTES)
    expect(dialect.guidance).not.toContain('{{')
    expect(dialectNames).toContain(name)
  })

  it.each(['gemini-cli', 'opencode', '', 'toString', '__proto__', 'Codex'])(
    '%j has none of its own: plain',
    (agent) => {
      expect(isDialect(agent)).toBe(false)
      expect(dialectOf(agent)).toEqual(dialectOf('plain'))
    },
  )

  it('only where somebody takes it out again a list of used notes is asked for', () => {
    const asks = (mark: string) => dialectNames.filter((name) => dialectOf(name).guidance.includes(mark))
    expect(asks('<keepsake-cite>')).toEqual(['library'])
    expect(asks('<oai-mem-citation>')).toEqual(['codex'])
  })
})
