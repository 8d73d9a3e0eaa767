import { describe, expect, it } from 'vitest'
import { fence } from '../guard/index.ts'
import { closedGate, isEnoughToSearch } from './turn-gates.ts'

const open = { isOn: true, prompt: 'which package manager', spentBytes: 0, maxBytes: 60_000 }

describe('closedGate [I3]', () => {
  it.each([
    ['nothing', {}, null],
    ['the feature is off', { isOn: false }, 'off'],
    ['there is no message', { prompt: ' \n' }, 'no message'],
    ['the message is a block of ours', { prompt: fence('facts', 'use pnpm here') }, 'no message'],
    ['the conversation shows all it may', { spentBytes: 60_000 }, 'no budget'],
    ['the conversation may show nothing', { maxBytes: 0 }, 'no budget'],
    ['one byte is left', { spentBytes: 59_999 }, null],
    ['one word', { prompt: 'ok' }, 'few words'],
    ['a block of ours and one word', { prompt: `${fence('facts', 'use pnpm here')}\nok` }, 'few words'],
    ['a block of ours and a question', { prompt: `${fence('facts', 'use it')}\nis that right` }, null],
  ])('%s', (_, more, gate) => {
    expect(closedGate({ ...open, ...more })).toBe(gate)
  })
})

describe('isEnoughToSearch [I3]', () => {
  it.each([
    ['yes', false],
    ['go on', true],
    ['继续', false],
    ['继续吧', false],
    ['继续部署', true],
    ['用 pnpm', true],
    ['pnpm吗', true],
    ['デプロイ', true],
    ['はい', false],
    ['👍', false],
    ['👍👍👍👍👍', false],
    ['👍 great', false],
    ['👩‍💻 why this', true],
    ['`npm`', false],
    ['`npm test`', true],
    ['x=1;', true],
    ['...', false],
    ['```\n```', false],
    ['42', false],
    ['error 42', true],
    ['src/auth.ts', true],
    ['', false],
  ])('%j: %s', (text, expected) => {
    expect(isEnoughToSearch(text)).toBe(expected)
  })
})
