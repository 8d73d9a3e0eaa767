import { describe, expect, it } from 'vitest'
import { workedTools } from '../domain/index.ts'
import { isUsageOfWorkedTools } from './used-tools.ts'

describe('usage notes of tools that just worked are left out [R2]', () => {
  it.each<[string, string[], string[], boolean]>([
    ['its tool worked', ['tool:github', 'usage'], ['github'], true],
    ['case and space do not matter', [' Tool:Bash', 'Usage '], ['bash'], true],
    ['a tool of that MCP server worked', ['tool:github', 'usage'], ['mcp__github__create_issue'], true],
    ['that tool of an MCP server worked', ['tool:create_issue', 'usage'], ['mcp__github__create_issue'], true],
    ['both of its tools worked', ['tool:bash', 'tool:edit', 'usage'], ['Bash', 'Edit'], true],
    ['one of its tools was not used', ['tool:bash', 'tool:edit', 'usage'], ['Bash'], false],
    ['a gotcha stays', ['tool:github', 'gotcha'], ['github'], false],
    ['usage with a gotcha stays', ['tool:github', 'usage', 'gotcha'], ['github'], false],
    ['usage with a warning stays', ['tool:github', 'usage', 'warning'], ['github'], false],
    ['another tool worked', ['tool:github', 'usage'], ['gitlab'], false],
    ['nothing worked', ['tool:github', 'usage'], [], false],
    ['usage of nothing in particular', ['usage'], ['github'], false],
    ['no tags', [], ['github'], false],
  ])('%s', (_, tags, worked, isLeftOut) => {
    expect(isUsageOfWorkedTools(tags, () => worked)).toBe(isLeftOut)
  })

  it('a tool that failed once does not count as used', () => {
    const uses = [
      { name: 'Bash', failed: false },
      { name: 'Edit', failed: false },
      { name: 'Bash', failed: true },
      { name: 'Bash', failed: false },
    ]
    expect(workedTools(uses)).toEqual(['Edit'])
    expect(workedTools([])).toEqual([])
  })
})
