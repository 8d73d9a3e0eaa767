/** Tentative statements through capture (spec W8): kept aside, promoted by what W8 names, forgotten with what was forgotten. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createMemoryCandidateStore } from '../store/state/memory-candidate-store.ts'
import { type CaptureHarness, createCaptureHarness } from '../testing/capture-harness.ts'
import { createWriteHarness, projectLayer, type WriteHarness } from '../testing/write-harness.ts'
import { createCandidateBook } from './candidates.ts'
import { extractNotes } from './extract/index.ts'

let home = ''
let store: WriteHarness
let harness: CaptureHarness
let candidates: ReturnType<typeof createMemoryCandidateStore>

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'keepsake-candidates-'))
  store = createWriteHarness({ home })
  harness = createCaptureHarness(store)
  candidates = createMemoryCandidateStore()
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const layers = [projectLayer.key]
const texts = () => candidates.list(layers, 50).map(({ text }) => text)
const bookAt = (now: () => number) =>
  createCandidateBook({ store: candidates, tombstones: store.tombstones, clock: { now }, sensitive: 'refuse' })

/** What the user says in one session; each session has a day of its own unless told otherwise. */
async function say(session: string, words: string, day = `2026-11-${10 + Number(session.slice(1))}`) {
  const message = { nativeId: `${session}-${words}`, content: words, time: `${day}T09:00:00Z` }
  const result = await harness.capture(
    [{ sessionId: session, messages: [message, { role: 'assistant', nativeId: `${session}-answer`, content: 'OK.' }] }],
    { candidates: bookAt(store.clock.now), extract: extractNotes },
    { file: `/logs/${session}.jsonl` },
  )
  return result.outcomes.flatMap((outcome) =>
    'note' in outcome && outcome.outcome === 'written' ? outcome.note.description : [],
  )
}

describe('tentative statements [W8]', () => {
  it.each([
    ['I may learn Rust', 'I might learn Rust after all'],
    ['maybe I will switch to a standing desk', 'I am considering a standing desk'],
    ['we might move billing to Go', 'perhaps we move billing to Go'],
    ['我可能会学 Rust', '我打算学 Rust'],
    ['我们在考虑把计费挪到 Go', '我们也许会把计费挪到 Go'],
  ])('said once it waits, said again in another session on another day it is kept: %s', async (first, again) => {
    expect(await say('s1', first)).toEqual([])
    expect(texts()).toHaveLength(1)
    expect(await say('s1', `${again}!`)).toEqual([])
    expect(await say('s2', again, '2026-11-11')).toEqual([])
    expect(texts()).toHaveLength(1)
    expect(await say('s3', again)).toHaveLength(1)
    expect(texts()).toEqual([])
  })

  it.each([
    ['I may learn Rust', 'I have now signed up for the Rust course'],
    ['I might get a standing desk', 'I actually bought the standing desk'],
    ['maybe we move billing to Go', 'we have now moved billing to Go'],
    ['我可能会学 Rust', '我已经开始学 Rust 了'],
    ['我在考虑换站立办公桌', '我终于买了站立办公桌'],
  ])('an act carries it out: %s', async (first, act) => {
    await say('s1', first)
    expect(await say('s1', act)).toHaveLength(1)
    expect(texts()).toEqual([])
  })

  it('an order in anger waits, until from now on', async () => {
    expect(await say('s1', 'damn it, always use tabs in this repo')).toEqual([])
    expect(texts()).toHaveLength(1)
    expect(await say('s1', 'from now on always use tabs in this repo')).toHaveLength(1)
    expect(texts()).toEqual([])
  })

  it.each([
    'should I learn Rust, maybe?',
    'suppose I might learn Rust',
    'he may learn Rust',
    'it may be a race in the pool',
    'yes, probably',
    '你可能看错了',
    '他也许会学 Rust',
    '要是我可能学 Rust 呢',
    '可能是缓存的问题',
    '我可能确诊了糖尿病',
  ])('is none: %s', async (words) => {
    expect(await say('s1', words)).toEqual([])
    expect(texts()).toEqual([])
  })

  it('what the user takes back goes, and what was forgotten is no candidate again', async () => {
    await say('s1', 'I may learn Rust')
    const [kept] = candidates.list(layers, 1)
    await store.tombstones.add({
      noteId: 'n',
      nameKey: '',
      textKey: kept?.textKey ?? '',
      evidenceKeys: kept?.sightings.map(({ message }) => message) ?? [],
    })
    candidates.remove([kept?.id ?? ''])
    expect(await say('s1', 'I may learn Rust')).toEqual([])
    expect(texts()).toEqual([])
  })

  it('is gone after 90 days', async () => {
    await say('s1', 'I may learn Rust')
    const book = (days: number) => bookAt(() => Date.parse('2026-11-11T09:00:00Z') + days * 86_400_000)
    book(89).expire()
    expect(texts()).toHaveLength(1)
    book(91).expire()
    expect(texts()).toEqual([])
  })
})
