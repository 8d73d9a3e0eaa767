import { expect, it } from 'vitest'
import { baseFromText, baseToText, decidedFromText, decidedToText } from './pass-texts.ts'

const evidence = [{ session: 's', message: 'm', role: 'user' as const, time: null, quote: 'q', hash: null }]
const pass = {
  changes: [
    { kind: 'edit' as const, note: 'a', find: 'x', text: 'y', isPersons: false, evidence, time: null },
    { kind: 'remove' as const, note: 'b', why: 'old' },
  ],
  answer: 'v1\n',
  skipped: ['c: no note is called so'],
  sequence: 7,
  base: '{}',
}

it('a decided pass comes back from its text, masked; anything else is none', () => {
  expect(decidedFromText(decidedToText(pass))).toEqual(pass)
  const secret = `ghp_${'a1B2'.repeat(9)}`
  expect(decidedToText({ ...pass, answer: `v1\n- ${secret} [x]` })).not.toContain(secret)
  for (const text of [
    '',
    '{',
    '[]',
    'null',
    decidedToText(pass).replace('"remove"', '"rm -rf"'),
    `${decidedToText(pass)}x`,
  ])
    expect(decidedFromText(text)).toBeNull()
})

it('a base comes back from its text; anything else is the first time', () => {
  expect(baseFromText(baseToText({ global: 'abc' }))).toEqual({ global: 'abc' })
  for (const text of [null, '', '[1]', '{"a":1}']) expect(baseFromText(text)).toBeNull()
})
