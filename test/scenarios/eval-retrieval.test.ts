/** `keepsake eval retrieval` through the built command, and a floor under recall on a small data set of our own. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ForeignReport, RetrievalReport } from '../../src/measure/index.ts'
import { createWorkshop, type Workshop } from '../support/cli.ts'

const fixtures = resolve(import.meta.dirname, '../fixtures/retrieval')
const turns = join(fixtures, 'turns.jsonl')
const questions = join(fixtures, 'questions.jsonl')

let shop: Workshop
/** Where the runs make their homes; a folder of its own, so that others at work on this machine do not count. */
let temporary: string
beforeEach(() => {
  shop = createWorkshop('measure')
  temporary = join(shop.root, 'tmp')
  mkdirSync(temporary)
})
afterEach(() => shop.remove())

const measure = async (...options: string[]) =>
  (await shop.cli(['eval', 'retrieval', turns, questions, ...options, '--json'])).json<RetrievalReport>()

describe('eval retrieval [M1]', () => {
  it('finds most turns and nearly every session, in English and Chinese, alone and pooled', async () => {
    const alone = await measure()
    expect(alone).toMatchObject({ unit: 'turn', pooled: null, n: 13, skipped: 0 })
    expect(alone.any[5]).toBeGreaterThanOrEqual(0.9)
    expect(alone.any[1]).toBeGreaterThanOrEqual(0.6)
    expect(Object.keys(alone.perCategory)).toEqual(['chinese', 'single', 'time'])
    const sessions = await measure('--unit', 'session', '--pooled')
    expect(sessions).toMatchObject({ unit: 'session', pooled: 0, n: 13 })
    expect(sessions.any[1]).toBeGreaterThanOrEqual(0.85)
  })

  it('leaves categories out, reads gzip, and leaves no home behind', async () => {
    const packed = join(shop.root, 'turns.jsonl.gz')
    writeFileSync(packed, gzipSync(readFileSync(turns)))
    const options = { environment: { TMPDIR: temporary } }
    const { stdout, code } = await shop.cli(
      ['eval', 'retrieval', packed, questions, '--without', 'chinese', 'time'],
      options,
    )
    expect(code).toBe(0)
    expect(stdout).toContain('8 questions for a turn, each conversation alone; 5 not asked')
    expect(existsSync(join(shop.home, 'sessions.db'))).toBe(false)
    expect(readdirSync(temporary)).toEqual([])
  })

  it.each([
    ['no JSON', 'hello', 'line 1'],
    ['a row without text', '{"c":"a","s":"1","t":"1"}', 'line 1'],
    ['a list', '\n[1]', 'line 2'],
    ['nothing', '', 'line 1'],
  ])('a file that is no data set: %s', async (_, text, line) => {
    const wrong = join(shop.root, 'wrong.jsonl')
    writeFileSync(wrong, text)
    const { code, stderr } = await shop.cli(['eval', 'retrieval', wrong, questions])
    expect(code).toBe(2)
    expect(stderr).toContain(line)
  })

  it('a file that is not there, and questions without gold', async () => {
    expect((await shop.cli(['eval', 'retrieval', join(shop.root, 'none'), questions])).code).not.toBe(0)
    const bare = join(shop.root, 'bare.jsonl')
    writeFileSync(bare, '{"c":"kiln","id":"1","q":"what"}')
    expect((await shop.cli(['eval', 'retrieval', turns, bare])).code).toBe(2)
  })
})

describe('eval foreign [R7]', () => {
  const foreign = async (...options: string[]) =>
    shop.cli(['eval', 'foreign', turns, questions, ...options], { environment: { TMPDIR: temporary } })

  it('questions about other conversations give nothing, most of the own ones keep their answer', async () => {
    const report = (await foreign('--json')).json<ForeignReport>()
    expect(report).toMatchObject({ pooled: null, own: 13 })
    expect(report.foreign).toBeGreaterThanOrEqual(10)
    expect(report.empty).toBeGreaterThanOrEqual(0.9)
    expect(report.found).toBeGreaterThanOrEqual(5)
    expect(report.silent).toBeLessThan(0.17)
    expect(readdirSync(temporary)).toEqual([])
  })

  it('the measure can fail: what is asked of its own conversations is not foreign', async () => {
    const report = (await foreign('--others', questions, '--json')).json<ForeignReport>()
    expect(report.empty).toBeLessThan(0.9)
  })

  it('takes foreign questions from another file, and says so when there are none', async () => {
    const others = join(shop.root, 'others.jsonl')
    writeFileSync(others, '{"c":"x","id":"1","q":"Who repaired the telescope on the roof?"}')
    const { stdout } = await foreign('--others', others, '--pooled')
    expect(stdout).toContain('1 foreign questions: 100.0 % give an empty block')
    const alone = await foreign('--pooled')
    expect(alone.code).toBe(2)
    expect(alone.stderr).toContain('--others')
  })
})
