import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { appendJsonLine, readJsonLines, rewriteJsonLines } from './json-lines.ts'

let directory: string
let file: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'keepsake-lines-'))
  file = join(directory, 'deep', 'log.jsonl')
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const values = () => readJsonLines(file).records.map(({ value }) => value)

describe('appending', () => {
  it('makes file and folder private', () => {
    appendJsonLine(file, { a: 1 })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(join(directory, 'deep')).mode & 0o777).toBe(0o700)
  })

  it('gives every record back, whatever text it holds', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 6 }), (texts) => {
        rmSync(file, { force: true })
        for (const text of texts) appendJsonLine(file, { text })
        expect(values()).toEqual(texts.map((text) => ({ text: text.toWellFormed() })))
        expect(readJsonLines(file).bad).toEqual([])
      }),
      { numRuns: 30 },
    )
  })

  it.each(['{"torn":', '{"torn":"半', '\0\0\0', '{"a":1}', '}', '{"a":{"b":'])(
    'begins on a fresh line after %j, and loses nothing of its own',
    (torn) => {
      appendJsonLine(file, { first: 1 })
      appendFileSync(file, torn)
      appendJsonLine(file, { second: 2 })
      expect(values()).toContainEqual({ first: 1 })
      expect(values()).toContainEqual({ second: 2 })
      expect(readFileSync(file, 'utf8').endsWith('\n{"second":2}\n')).toBe(true)
    },
  )
})

describe('BL-75: reading', () => {
  it.each([
    ['a blank line', '{"a":1}\n\n  \n{"b":2}\n', [{ a: 1 }, { b: 2 }], []],
    ['a byte order mark', '\u{FEFF}{"a":1}\n', [{ a: 1 }], []],
    ['CRLF', '{"a":1}\r\n{"b":2}\r\n', [{ a: 1 }, { b: 2 }], []],
    ['no last line break', '{"a":1}\n{"b":2}', [{ a: 1 }, { b: 2 }], []],
    ['two records glued', '{"a":1}{"b":2}\n', [{ a: 1 }, { b: 2 }], []],
    [
      'three glued with braces in text',
      '{"a":"}{"}{"b":"{"} {"c":"\\"}"}\n',
      [{ a: '}{' }, { b: '{' }, { c: '"}' }],
      [],
    ],
    ['a torn record glued to a whole one', '{"a":"tor{"b":2}\n', [{ b: 2 }], []],
    ['a torn last line', '{"a":1}\n{"b":', [{ a: 1 }], [2]],
    ['what is no object', '1\n"a"\n[{"x":1}]\nnull\n{"a":1}\n', [{ x: 1 }, { a: 1 }], [1, 2, 4]],
    ['no JSON at all', 'hello\n{"a":1}\n', [{ a: 1 }], [1]],
    ['an empty file', '', [], []],
  ])('survives %s', (_case, text, expected, bad) => {
    appendJsonLine(file, {})
    writeFileSync(file, text)
    expect(values()).toEqual(expected)
    expect(readJsonLines(file).bad.map(({ line }) => line)).toEqual(bad)
  })

  it('gives nothing for a file that does not exist, and makes none', () => {
    expect(readJsonLines(file)).toEqual({ records: [], bad: [] })
    expect(() => statSync(file)).toThrow()
  })

  it('never throws for any bytes', () => {
    appendJsonLine(file, {})
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        writeFileSync(file, bytes)
        expect(readJsonLines(file).records).toBeInstanceOf(Array)
      }),
      { numRuns: 50 },
    )
  })

  it('does not spend long on a long hostile line', () => {
    appendJsonLine(file, {})
    writeFileSync(file, '{"'.repeat(2_000_000))
    expect(readJsonLines(file)).toMatchObject({ records: [], bad: [{ line: 1 }] })
  })
})

it('rewriting replaces the whole file and keeps it private', () => {
  appendJsonLine(file, { a: 1 })
  rewriteJsonLines(file, [{ b: 2 }, { c: 3 }])
  expect(values()).toEqual([{ b: 2 }, { c: 3 }])
  expect(statSync(file).mode & 0o777).toBe(0o600)
})
