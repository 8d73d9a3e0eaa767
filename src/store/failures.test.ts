import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Failure } from '../domain/index.ts'
import { appendFailure, MAX_FAILURES, readFailures } from './failures.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'keepsake-failures-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const secret = ['s3', 'cr', 'et'].join('')
const redact = (text: string) => ({ text: text.replaceAll(secret, '[masked]') })
const failure = (message: string): Failure => ({
  time: '2026-03-01T10:00:00Z',
  where: 'hook Stop',
  code: 'INTERNAL',
  message,
})
const messages = (limit = MAX_FAILURES) => readFailures(home, limit).map((each) => each.message)
const file = () => join(home, 'logs', 'failures.jsonl')

it('keeps the newest first, as many as asked', () => {
  for (const message of ['one', 'two', '三']) expect(appendFailure(home, failure(message), redact)).toBe(true)
  expect(messages()).toEqual(['三', 'two', 'one'])
  expect(messages(2)).toEqual(['三', 'two'])
  expect(readFailures(home, 1)).toEqual([failure('三')])
  expect(statSync(file()).mode & 0o777).toBe(0o600)
})

it('stores one masked line of bounded length', () => {
  appendFailure(home, failure(`cannot use ${secret}\n  at line 2\t${'界'.repeat(2_000)}`), redact)
  expect(readFileSync(file(), 'utf8')).not.toContain(secret)
  const [message = ''] = messages()
  expect(message).toMatch(/^cannot use \[masked\] at line 2 界+…$/)
  expect([...message].length).toBeLessThanOrEqual(500)
})

it('stays bounded, on disk too', () => {
  for (let index = 0; index < 3 * MAX_FAILURES; index++) appendFailure(home, failure(`failure ${index}`), redact)
  expect(messages()).toHaveLength(MAX_FAILURES)
  expect(messages(1)).toEqual([`failure ${3 * MAX_FAILURES - 1}`])
  expect(readFileSync(file(), 'utf8').split('\n').length).toBeLessThanOrEqual(2 * MAX_FAILURES + 2)
})

it('survives strange lines', () => {
  appendFailure(home, failure('one'), redact)
  writeFileSync(file(), `${readFileSync(file(), 'utf8')}{"time":1}\nhello\n{"to`)
  appendFailure(home, failure('two'), redact)
  expect(messages()).toEqual(['two', 'one'])
})

it.each([
  ['no home', () => rmSync(home, { recursive: true })],
  [
    'a file in place of the home',
    () => {
      rmSync(home, { recursive: true })
      writeFileSync(home, '')
    },
  ],
  ['a file in place of the folder', () => writeFileSync(join(home, 'logs'), '')],
  ['a folder in place of the file', () => mkdirSync(file(), { recursive: true })],
])('never throws and makes no home: %s', (_case, arrange) => {
  arrange()
  const before = existsSync(home)
  expect(appendFailure(home, failure('one'), redact)).toBe(false)
  expect(existsSync(home)).toBe(before)
})

it('a mask that fails is no second failure', () => {
  const failing = () => {
    throw new Error('mask failed')
  }
  expect(appendFailure(home, failure('one'), failing)).toBe(false)
  expect(messages()).toEqual([])
})
