/** Modes of layers and of sessions, at every door, for every operation (spec W11). */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Config, DEFAULT_CONFIG, type LayerMode, layerModes, modeOf, type WriteAuthor } from '../domain/index.ts'
import { createWriteHarness, globalLayer, projectLayer } from '../testing/write-harness.ts'
import type { Writer } from './index.ts'

let home = ''
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'keepsake-modes-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const ways: Readonly<Record<string, (mode: LayerMode) => Partial<Config>>> = {
  'of the layer': (mode) => ({ modes: { global: mode, project: 'auto', team: 'auto' } }),
  'of the session': (mode) => ({ session: { mode } }),
  'of both, the stricter': (mode) => ({
    modes: { global: 'review', project: 'auto', team: 'auto' },
    session: { mode },
  }),
}

const message = {
  session: 'claude-code:s1',
  message: 'm1',
  role: 'user',
  time: '2026-11-29T20:00:00Z',
  quote: 'x',
  hash: 'a'.repeat(64),
} as const
const by = (author: WriteAuthor) => ({
  author,
  agent: 'claude-code',
  ...(author === 'extractor' ? { evidence: [message] } : {}),
})

type Operation = (writer: Writer, author: WriteAuthor) => Promise<{ readonly outcome: string }>
const operations: Readonly<Record<string, Operation>> = {
  'a new note': (writer, author) => writer.remember({ text: 'Always run the linter.', layer: 'global', ...by(author) }),
  'a new version': (writer, author) =>
    writer.remember({ text: 'Always use tabs, in Go files too.', name: 'indent', layer: 'global', ...by(author) }),
  'a live edit': (writer, author) =>
    writer.edit({ edits: [{ action: 'replace', find: 'tabs', text: 'spaces' }], ...by(author) }),
  'several live edits': (writer, author) =>
    writer.edit({
      edits: [
        { action: 'replace', find: 'tabs', text: 'spaces' },
        { action: 'add', text: 'Always lint.', layer: 'global' },
      ],
      ...by(author),
    }),
  'a removal by an edit': (writer, author) =>
    writer.edit({ edits: [{ action: 'remove', find: 'tabs' }], ...by(author) }),
  forget: (writer) => writer.forget('indent'),
  'a move away': (writer) => writer.move({ reference: 'indent', layer: 'project' }),
}
const doors: readonly WriteAuthor[] = ['person', 'agent', 'extractor', 'import']
const doorsOf = (operation: string) => {
  if (operation === 'forget' || operation === 'a move away') return doors.slice(0, 1)
  return operation.includes('edit') ? doors.slice(0, 2) : doors
}

describe('modes [W11]', () => {
  const cases = Object.keys(ways).flatMap((way) =>
    layerModes.flatMap((mode) =>
      Object.keys(operations).flatMap((operation) =>
        doorsOf(operation).map((door) => [mode, way, operation, door] as const),
      ),
    ),
  )
  it.each(cases)('%s, %s: %s by %s', async (mode, way, operation, door) => {
    const store = createWriteHarness({ home })
    await store.writer.remember({ text: 'Always use tabs.', name: 'indent', layer: 'global' })
    const config = { ...DEFAULT_CONFIG, ...ways[way]?.(mode) }
    const holds = modeOf(globalLayer, config)
    const before = [await store.text(globalLayer, 'feedback_indent.md'), await store.index(globalLayer)]
    const result = await operations[operation]?.(store.with({ config }), door)
    const after = [await store.text(globalLayer, 'feedback_indent.md'), await store.index(globalLayer)]
    const waiting = await store.waiting()
    if (holds === 'auto') {
      expect(['written', 'merged', 'forgotten']).toContain(result?.outcome)
      expect(after).not.toEqual(before)
      expect(waiting.filter(({ asks }) => asks === 'change')).toEqual([])
      return
    }
    expect([after, await store.list(globalLayer), await store.list(projectLayer)]).toEqual([
      before,
      ['feedback_indent.md'],
      [],
    ])
    expect(result?.outcome).toBe(holds === 'review' ? 'proposed' : 'rejected')
    expect(waiting.length > 0).toBe(holds === 'review')
    expect(store.tombstones.since(0)).toEqual([])
    if (holds !== 'review') return
    // And a yes does what was asked.
    const { decided } = await store.with({ config }).review.approve(waiting, {})
    expect(decided.map(({ outcome }) => outcome)).toEqual(decided.map(() => 'applied'))
    expect(await store.waiting()).toEqual([])
    expect([await store.text(globalLayer, 'feedback_indent.md'), await store.index(globalLayer)]).not.toEqual(before)
  })

  it.each([
    ['auto', 'auto', 'auto'],
    ['auto', 'off', 'off'],
    ['off', 'auto', 'off'],
    ['review', 'read-only', 'read-only'],
    ['read-only', 'review', 'read-only'],
  ] as const)('a layer that is %s in a session that is %s is %s', (layer, session, holds) => {
    const config = {
      ...DEFAULT_CONFIG,
      modes: { global: layer, project: layer, team: layer },
      session: { mode: session },
    }
    for (const each of [globalLayer, projectLayer, { name: 'team', key: `${projectLayer.key}/team` } as const])
      expect(modeOf(each, config)).toBe(holds)
  })
})
