import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readIds } from './answer-ids.ts'

const offered = new Set(['c1', 'c2', 'c3'])

describe('readIds [R6]', () => {
  it.each<[string, string, string[] | null]>([
    ['a list', '["c2", "c1"]', ['c2', 'c1']],
    ['none', '[]', []],
    ['a code fence', '```json\n["c3"]\n```', ['c3']],
    ['prose around it', 'I looked at [c1] and at [all of them]. Best: ["c1","c3"]. Done.', ['c1', 'c3']],
    ['thoughts before it', '<think>["c1"] would do, no</think>\n["c2"]', ['c2']],
    ['unknown ids', '["c9", "c1", "feedback_x.md"]', ['c1']],
    ['an id twice', '["c1","c1","c2"]', ['c1', 'c2']],
    ['numbers', '[1, 2]', null],
    ['objects', '[{"id":"c1"}]', null],
    ['a list with something else in it', '["c1", 2]', null],
    ['no list', 'c1, c2', null],
    ['half a list', '["c1", "c2"', null],
    ['quota prose', 'You have reached your limit.', null],
    ['nothing', '', null],
  ])('%s', (_, answer, ids) => {
    expect(readIds(answer, offered)).toEqual(ids)
  })

  it('never throws, and gives only what was offered', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), fc.stringMatching(/^[[\]"c123, ]*$/)), (answer) => {
        for (const id of readIds(answer, offered) ?? []) expect(offered.has(id)).toBe(true)
      }),
    )
  })
})
