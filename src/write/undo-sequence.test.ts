/**
 * The law of undo, with real git and real files: after any sequence of changes, ours and by hand, taking them back one
 * by one in reverse gives every earlier state again, to the byte and the permission bit.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Layer } from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import { createGitHistory } from '../store/notes/git-history.ts'
import { findGit } from '../store/notes/git-history-process.ts'
import { createNoteHistory } from '../store/notes/history.ts'
import { readChanges } from '../store/notes/history-log.ts'
import { createFsHistoryModes } from '../store/notes/history-modes.ts'
import { createFolderHome } from '../testing/folder-home.ts'
import { createWriteHarness } from '../testing/write-harness.ts'

const OPERATIONS = 100
const names = ['Invoices', 'Deploys', '发布流程', 'Ledger', 'Naming']
const subjects = ['run on Mondays', 'need two approvals', '每周五进行', 'use CRLF', 'are owned by Ana', 'moved to Riga']

const text = fc
  .tuple(fc.constantFrom(...names), fc.constantFrom(...subjects), fc.nat(99))
  .map((parts) => parts.join(' '))
const layerName = fc.constantFrom('global' as const, 'project' as const)
const pick = fc.nat(1_000)
const handBytes = fc.oneof(
  fc
    .constantFrom(
      'a\r\nb\r\n',
      '\ufeffBOM\r\n',
      '',
      'no end',
      '---\nname: Ledger\n---\n\nby hand\n',
      '---\nbroken: [\n---\n',
    )
    .map((words) => Buffer.from(words)),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
)
const mode = fc.constantFrom(0o600, 0o644, 0o755, 0o640)
const operation = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('remember' as const),
      text,
      name: fc.option(fc.constantFrom(...names)),
      layer: layerName,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('move' as const), pick, layer: layerName }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('forget' as const), pick }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('batch' as const),
      pick,
      text,
      to: fc.constantFrom('profile' as const, 'note' as const, 'global' as const, 'project' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('edit' as const),
      pick,
      layer: layerName,
      bytes: handBytes,
      mode,
      inPlace: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), pick, layer: layerName }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('rename' as const),
      pick,
      layer: layerName,
      to: fc.constantFrom('x.md', 'folder/y.md', '改名.md'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('look' as const) }) },
)
type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never
type State = Readonly<Record<string, string>>

function createStage() {
  const home = createFolderHome()
  const layers: Layer[] = ['projects/billing', 'global'].map(home.layer)
  const [project, global] = layers as [Layer, Layer]
  const failures: unknown[] = []
  const harness = createWriteHarness({ home: home.directory })
  const { clock, ids } = harness.dependencies
  const history = createNoteHistory({
    versions: createGitHistory({ home: home.directory, git: findGit(), clock }),
    modes: createFsHistoryModes(),
    clock,
    ids,
    off: false,
    onProblem: (error) => failures.push(error),
  })
  const layerOf = (name: 'global' | 'project') => (name === 'global' ? global : project)
  const writer = harness.with({
    files: home.files,
    history,
    layerFor: async (name) => layerOf(name),
    currentLayers: async () => ({ global, project }),
  })
  return { home, layers, failures, history, writer, layerOf, clock: harness.clock }
}
type Stage = ReturnType<typeof createStage>

/** Notes of a layer: name to permission bits and bytes. */
function stateOf({ directory }: Layer): State {
  if (!existsSync(directory)) return {}
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /^(?!MEMORY)[^.].*\.md$/.test(file),
  )
  return Object.fromEntries(
    files.sort().map((file) => {
      const path = join(directory, file)
      return [file, `${(statSync(path).mode & 0o777).toString(8)} ${readFileSync(path).toString('base64')}`]
    }),
  )
}

function fileOf(layer: Layer, index: number): string | null {
  const files = Object.keys(stateOf(layer))
  return files.length === 0 ? null : join(layer.directory, files[index % files.length]!)
}

async function perform({ writer, layers, layerOf, history, home }: Stage, each: Operation): Promise<void> {
  switch (each.kind) {
    case 'remember':
      return void (await writer.remember({
        text: each.text,
        layer: each.layer,
        ...(each.name ? { name: each.name } : {}),
      }))
    case 'move':
    case 'forget': {
      const file = fileOf(layers[each.pick % 2]!, each.pick)
      if (!file) return
      const reference = file.slice(dirname(file).length + 1)
      return void (await (each.kind === 'move'
        ? writer.move({ reference, layer: each.layer })
        : writer.forget(reference)))
    }
    case 'batch':
      return batch({ writer, layers }, each)
    case 'look':
      for (const layer of layers) await home.files.withLock(layer, {}, (locked) => history.catchUp(locked))
      return
  }
  const layer = layerOf(each.layer)
  const file = fileOf(layer, each.pick)
  if (each.kind === 'edit') {
    const path = file && each.inPlace ? file : join(layer.directory, `hand-${each.pick % 4}.md`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, each.bytes)
    chmodSync(path, each.mode)
  } else if (file && each.kind === 'delete') rmSync(file)
  else if (file && each.kind === 'rename') {
    const to = join(layer.directory, each.to)
    mkdirSync(dirname(to), { recursive: true })
    renameSync(file, to)
  }
}

/** Two edits as one change, over one layer or both. */
async function batch(
  { writer, layers }: Pick<Stage, 'writer' | 'layers'>,
  { pick: index, text: words, to }: Extract<Operation, { kind: 'batch' }>,
): Promise<void> {
  const [one, other] = [fileOf(layers[index % 2]!, index), fileOf(layers[(index + 1) % 2]!, index + 1)]
  if (!one) return
  const add = { action: 'add', text: words, layer: 'project' } as const
  const move = { action: 'move', in: basename(one), to } as const
  const last = other ? ({ action: 'remove', in: basename(other) } as const) : add
  await writer.edit({ edits: [move, last], author: 'agent', agent: 'codex' })
}

/** What each layer was before one change. */
interface Before {
  readonly id: string
  readonly states: ReadonlyMap<string, State>
}

describe('any sequence of changes', () => {
  it(`${OPERATIONS} operations, taken back one by one in reverse: every state again, bytes and modes`, async () => {
    const counts: Record<string, number> = {}
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: OPERATIONS, maxLength: OPERATIONS }), async (operations) => {
        const stage = createStage()
        const { home, layers, failures, history, writer, clock } = stage
        try {
          const known = new Set<string>()
          const recorded = new Map(layers.map((layer) => [layer.key, stateOf(layer)]))
          const stack: Before[] = []
          for (const each of [...operations, { kind: 'look' as const }]) {
            clock.set(clock.now() + 1_000)
            const before = new Map(layers.map((layer) => [layer.key, stateOf(layer)]))
            await perform(stage, each).catch((error: unknown) => {
              // Nothing of that name, or several: then nothing was done.
              if (!MemoryError.isInstance(error)) throw error
            })
            const news = (await readChanges(history, layers, { limit: 9 })).filter(
              ({ change }) => !known.has(change.id),
            )
            for (const { change, parts } of news.toReversed()) {
              known.add(change.id)
              counts[change.kind] = (counts[change.kind] ?? 0) + 1
              const from = change.kind === 'outside' ? recorded : before
              stack.push({
                id: change.id,
                states: new Map(parts.map(({ layer }) => [layer.key, from.get(layer.key)!])),
              })
            }
            for (const { parts } of news) for (const { layer } of parts) recorded.set(layer.key, stateOf(layer))
          }
          for (const { id, states } of stack.toReversed()) {
            clock.set(clock.now() + 1_000)
            expect((await writer.undo(id)).outcome).toBe('undone')
            for (const layer of layers) if (states.has(layer.key)) expect(stateOf(layer)).toEqual(states.get(layer.key))
          }
          expect(layers.map(stateOf)).toEqual([{}, {}])
          expect(failures).toEqual([])
        } finally {
          home.dispose()
        }
      }),
      { numRuns: 2 },
    )
    console.log(`changes taken back: ${JSON.stringify(counts)}`)
    expect(Object.keys(counts).sort()).toEqual(['forget', 'move', 'outside', 'remember'])
  }, 600_000)
})
