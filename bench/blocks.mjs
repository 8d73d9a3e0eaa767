// What one block costs in a process that is open, without the start of a process: the start block and the turn block of a
// home of each size. The first of each compiles; the others are what a server would take.
import { join } from 'node:path'
import { p50p95, round, tableOf } from './figures.mjs'
import { buildHome, loadLibrary } from './homes.mjs'

const SIZES = [64, 1_000, 5_000]
/** More would tell little. */
const MAX_RUNS = 50

export async function benchBlocks({ dist, scratch, runs, sizes = SIZES, onProgress }) {
  const library = await loadLibrary(dist)
  const { createReadMemory, DEFAULT_CONFIG } = await import(join(dist, 'tools.js'))
  const tables = []
  for (const size of sizes) {
    onProgress(`blocks: building a home of ${size} notes`)
    const place = await buildHome(library, join(scratch, `blocks-${size}`), size)
    onProgress(`blocks: ${Math.min(runs, MAX_RUNS)} of each`)
    // Opened anew for each block, as a hook does: what it read of a layer belongs to one block.
    const open = () =>
      createReadMemory({
        home: place.home,
        cwd: place.project,
        config: DEFAULT_CONFIG,
        userHome: place.root,
        temporaryDirectory: join(place.root, 'tmp'),
      })
    tables.push({
      notes: size,
      start: await series(runs, async () => (await open()).startBlock({ agent: 'claude-code' })),
      turn: await series(runs, async () => (await open()).turnBlock(question(Math.floor(size / 2)))),
    })
  }
  return { node: process.version, tables }
}

export function printBlocks({ node, tables }) {
  const cells = ({ firstMs, warmMs, bytes, tokens }) => [firstMs, warmMs.p50, warmMs.p95, bytes, tokens]
  const rows = tables.flatMap(({ notes, start, turn }) => [
    [`${notes} notes: start block`, ...cells(start)],
    ['  turn block', ...cells(turn)],
  ])
  return `Blocks in an open process, Node ${node}\n${tableOf([['', 'first ms', 'p50 ms', 'p95 ms', 'bytes', 'tokens'], ...rows])}`
}

const question = (known) => ({
  prompt: `What does beacon${known} mean, and how do I apply it?`,
  shown: [],
  sessionStart: new Date().toISOString(),
  begins: null,
  maxBytes: 9_500,
  signal: new AbortController().signal,
})

async function series(runs, make) {
  const taken = []
  let block
  for (let run = 0; run <= Math.min(runs, MAX_RUNS); run++) {
    const began = performance.now()
    block = await make()
    taken.push(performance.now() - began)
    if (block.text === '') throw new Error('The block is empty')
  }
  const [first, ...rest] = taken
  return { firstMs: round(first), warmMs: p50p95(rest), bytes: block.bytes, tokens: block.tokens }
}
