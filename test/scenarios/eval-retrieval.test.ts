/** `keepsake eval retrieval` through the built command, and a floor under recall on a small data set of our own. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RetrievalReport } from '../../src/measure/index.ts'
import { createWorkshop, type Workshop } from '../support/cli.ts'

const fixtures = resolve(import.meta.dirname, '../fixtures/retrieval')
const turns = join(fixtures, 'turns.jsonl')
const questions = join(fixtures, 'questions.jsonl')

let shop: Workshop
beforeEach(() => {
  shop = createWorkshop('measure')
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
    const { stdout, code } = await shop.cli(['eval', 'retrieval', packed, questions, '--without', 'chinese', 'time'])
    expect(code).toBe(0)
    expect(stdout).toContain('8 questions for a turn, each conversation alone; 5 not asked')
    expect(existsSync(join(shop.home, 'sessions.db'))).toBe(false)
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('keepsake-eval'))).toEqual([])
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
