import { estimateTokenCount } from 'tokenx'
import { describe, expect, it } from 'vitest'
import { JOB_BUDGETS, SESSION_NOTE_TOKENS, sessionNoteSections } from '../domain/index.ts'
import prompt from './prompts/session-note.md'
import { readWording } from './template.ts'
import template from './templates/session-note.md'

const none = { template: null, prompt: null }

describe('the prompt of a session note [F1]', () => {
  it('is as it was looked at: other words are another version', async () => {
    const version = /version (\d+)/.exec(prompt)?.[1]
    await expect(`${readWording(none).system}\n`).toMatchFileSnapshot(`./prompts/session-note.v${version}.txt`)
  })

  it('has a rule for each of the ten sections, once and in order', () => {
    const headings = [...template.matchAll(/^# (.*)$/gm)].map(([, name]) => name)
    expect(headings).toEqual([...sessionNoteSections])
    expect(readWording(none).rules).toHaveLength(sessionNoteSections.length)
    expect(readWording({ ...none, template }).problems).toEqual([])
  })

  it('leaves room for the whole note so far and as much again of new messages', () => {
    const { inputTokens } = JOB_BUDGETS['session-note']
    expect(estimateTokenCount(readWording(none).system)).toBeLessThanOrEqual(1_800)
    expect(inputTokens).toBeGreaterThanOrEqual(2 * SESSION_NOTE_TOKENS.whole + 1_800)
  })

  it('shows good and wrong in English and Chinese', () => {
    const [, english = '', chinese = ''] = /## Example([\s\S]*?)(新消息[\s\S]*)/.exec(prompt) ?? []
    for (const example of [english, chinese]) expect(example).toMatch(/Good:[\s\S]*Wrong:/)
  })
})

describe('a template of one’s own [F1]', () => {
  it('gives the rules', () => {
    const own = template.replace('_Five to ten words', '_标题：五到十个词')
    const { system, rules, problems } = readWording({ ...none, template: `\uFEFF${own.replaceAll('\n', '\r\n')}` })
    expect(problems).toEqual([])
    expect(system).toContain('标题：五到十个词')
    expect(rules[0]).toMatch(/^_标题/)
  })

  it.each([
    ['a section is missing', template.replace(/# Learnings\n.*\n/, ''), '"# Learnings" is missing'],
    ['a section of their own', `${template}\n# Mood\n_How it feels._\n`, 'it has a section "Mood"'],
    [
      'another order',
      template.replace('# Workflow', '# X').replace('# Worklog', '# Workflow').replace('# X', '# Worklog'),
      'in another place',
    ],
    ['a section twice', `${template}\n# Worklog\n_Again._\n`, 'stands twice'],
    ['a section without a rule', template.replace(/(?<=# Learnings\n\n).*\n/, ''), '"# Learnings" has no rule'],
    ['nothing', '', '"# Session Title" is missing'],
    ['too long', `${template}\n${'words of a rule '.repeat(2_000)}`, 'at most 2000 are read'],
  ])('is not used when %s', (_, own, problem) => {
    const read = readWording({ ...none, template: own })
    expect(read.problems).toEqual([expect.stringContaining('session-notes/template.md is not used: ')])
    expect(read.problems[0]).toContain(problem)
    expect(read.system).toBe(readWording(none).system)
  })

  it('BL-15: no secret of it reaches a model', () => {
    const own = template.replace('_Five', 'ghp_abcdefghijklmnopqrstuvwxyz0123456789 _Five')
    expect(readWording({ ...none, template: own }).system).not.toContain('ghp_')
  })
})

describe('a prompt of one’s own [F1]', () => {
  it('holds the template', () => {
    const read = readWording({ ...none, prompt: 'Write the note.\n\n{{template}}\n' })
    expect(read.problems).toEqual([])
    expect(read.system).toMatch(/^Write the note\.\n\n# Session Title\n/)
  })

  it.each([
    ['it has no place for the template', 'Write the note.', 'must hold {{template}} once'],
    ['it has two', '{{template}} {{template}}', 'must hold {{template}} once'],
    ['too long', `{{template}} ${'words '.repeat(9_000)}`, 'at most 4000 are read'],
  ])('is not used when %s', (_, own, problem) => {
    const read = readWording({ ...none, prompt: own })
    expect(read.problems).toEqual([expect.stringContaining(problem)])
    expect(read.system).toBe(readWording(none).system)
  })
})
