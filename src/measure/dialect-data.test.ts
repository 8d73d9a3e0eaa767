import { describe, expect, it } from 'vitest'
import { exampleAnswers, readTaughtRules } from './dialect-data.ts'
import { markRun } from './dialect-score.ts'

const { rules, tree } = readTaughtRules(null)

describe('the rules that ship [I12]', () => {
  it('are twenty, in both languages, of every kind', () => {
    expect(rules).toHaveLength(20)
    expect(exampleAnswers.map(({ id }) => id)).toEqual(rules.map(({ id }) => id))
    expect(rules.filter(({ lang }) => lang === 'zh').length).toBeGreaterThanOrEqual(8)
    expect([...new Set(rules.map(({ kind }) => kind))].sort()).toEqual([
      'forbidden',
      'format',
      'language',
      'naming',
      'tool',
      'verification',
    ])
    expect(rules.filter(({ opens }) => opens).length).toBeGreaterThanOrEqual(10)
    expect(rules.filter(({ gone }) => gone !== null).length).toBeGreaterThanOrEqual(8)
  })

  it.each(rules.map((rule) => [rule.id, rule] as const))(
    '%s tells an answer that obeys from one that does not',
    (id, rule) => {
      const examples = exampleAnswers.find((each) => each.id === id)
      const marksOf = (answer = '') =>
        markRun(
          { answer, cited: [], uses: [{ tool: 'list_files', input: {}, result: '' }] },
          { rule, note: 'n', asksForList: false },
        )
      const [right, wrong] = [marksOf(examples?.right), marksOf(examples?.wrong)]
      expect([right.obeyed, wrong.obeyed]).toEqual([true, false])
      // Who asserts what is gone has not verified it, whatever was looked at.
      if (rule.gone !== null) expect(right.verified).toBe(true)
      if (rule.gone !== null && examples?.wrong.includes(rule.gone)) expect(wrong.verified).toBe(false)
    },
  )

  it('an answer to another task obeys no rule', () => {
    const obeyed = rules.flatMap((rule) =>
      exampleAnswers
        .filter(({ id }) => id !== rule.id)
        .filter(
          ({ right }) =>
            markRun({ answer: right, cited: [], uses: [] }, { rule, note: 'n', asksForList: false }).obeyed,
        )
        .map(({ id }) => `${rule.id} by the answer to ${id}`),
    )
    expect(obeyed).toEqual([])
  })

  it.each(rules.flatMap(({ id, gone, text }) => (gone === null ? [] : [[id, gone, text] as const])))(
    '%s names %s, which is not there',
    (_id, gone, text) => {
      expect(text).toContain(gone)
      expect(Object.keys(tree)).not.toContain(gone)
    },
  )

  it.each(rules.flatMap(({ id, opens, description, must }) => (opens ? [[id, description, must] as const] : [])))(
    'the line of %s does not give its rule away: %s',
    (_id, description, must) => {
      expect(must.every((pattern) => new RegExp(pattern, 'imu').test(description))).toBe(false)
    },
  )
})
