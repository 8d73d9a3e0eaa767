import { describe, expect, it } from 'vitest'
import { extractNotes } from '../extract/index.ts'
import { dialogue } from '../extract/testing.ts'
import { findSignals } from './find-signals.ts'
import { readCues } from './read-cues.ts'

const table = (fields: object = {}, cue: object = {}) =>
  JSON.stringify({ kind: 'keep', cues: [{ id: 'elephant', pattern: '\\belephant:', ...cue }], ...fields })

describe("a user's own cues [W9]", () => {
  it('are found as ours are, and a keep of theirs keeps', () => {
    const read = readCues(table())
    if (!('table' in read)) throw new Error(read.problem)
    expect(findSignals('Elephant: the vault code changes in June', { tables: [read.table] })).toEqual([
      { kind: 'keep', cue: 'own:elephant', start: 0, end: 9 },
    ])
    const input = dialogue(['user: elephant: the gate opens at six'])
    expect(extractNotes(input)).toEqual([])
    expect(extractNotes({ ...input, cues: [read.table] }).map(({ body }) => body)).toEqual([
      expect.stringContaining('gate opens at six'),
    ])
  })

  it.each([
    ['no JSON', 'keep: elephant', /no JSON/],
    ['a kind that is none', table({ kind: 'shout' }), /"kind" must be one of/],
    ['no list', table({ cues: 'elephant' }), /list of at most/],
    ['a field that is none', table({ code: 'run()' }), /no field "code"/],
    ['a field of a cue that is none', table({}, { run: 'x' }), /cue 1: there is no field "run"/],
    ['no id', table({}, { id: '' }), /cue 1: "id"/],
    ['a pattern that is none', table({}, { pattern: '(' }), /cue 1: "pattern" is no regular expression/],
    ['a pattern for everything', table({}, { pattern: 'x*' }), /must not match an empty text/],
    ['a pattern without end', table({}, { pattern: 'x'.repeat(501) }), /at most 500/],
    [
      'an id twice',
      JSON.stringify({
        kind: 'keep',
        cues: [
          { id: 'a', pattern: 'x' },
          { id: 'a', pattern: 'y' },
        ],
      }),
      /twice/,
    ],
    ['a list', '[]', /"kind"/],
  ])('%s is told', (_, text, problem) => {
    const read = readCues(text)
    expect('problem' in read ? read.problem : '').toMatch(problem)
  })
})
