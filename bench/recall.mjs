// What one search costs: in a process that is open, over notes that have one right answer or many.
import { join } from 'node:path'
import { p50p95, tableOf } from './figures.mjs'
import { buildHome, loadLibrary, openMemory } from './homes.mjs'

const SIZES = [1_000, 5_000]

export async function benchRecall({ dist, scratch, runs, sizes = SIZES, onProgress }) {
  const library = await loadLibrary(dist)
  const tables = []
  for (const size of sizes) {
    onProgress(`recall: building a home of ${size} notes`)
    const place = await buildHome(library, join(scratch, `recall-${size}`), size)
    onProgress(`recall: ${runs} questions of each kind`)
    const memory = await openMemory(library, place)
    try {
      tables.push({ notes: size, ...(await measure(memory, size, runs)) })
    } finally {
      await memory.close()
    }
  }
  return { node: process.version, runs, tables }
}

export function printRecall({ node, runs, tables }) {
  const rows = tables.map(({ notes, firstMs, oneMs, manyMs, chineseMs }) => [
    `${notes} notes`,
    firstMs,
    ...[oneMs, manyMs, chineseMs].flatMap(({ p50, p95 }) => [p50, p95]),
  ])
  const head = ['', 'first ms', 'one answer p50', 'p95', 'many p50', 'p95', 'Chinese p50', 'p95']
  return `recall, Node ${node}, ${runs} of each\n${tableOf([head, ...rows])}`
}

async function measure(memory, size, runs) {
  const ask = async (query, expected) => {
    const began = performance.now()
    const { results } = await memory.recall({ query })
    const taken = performance.now() - began
    const names = results.map((hit) => hit.name ?? hit.note?.name ?? '')
    if (expected !== null && !names.some((name) => name.startsWith(expected)))
      throw new Error(`${query} did not find ${expected} but ${names.join(', ')}`)
    return taken
  }
  const firstMs = Math.round((await ask('beacon1', 'Beacon 1 ')) * 10) / 10
  const series = { one: [], many: [], chinese: [] }
  for (let run = 0; run < runs; run++) {
    const index = (run * 37) % size
    series.one.push(await ask(`what does beacon${index} mean`, `Beacon ${index} `))
    series.many.push(await ask('deploy rollback server migration', null))
    series.chinese.push(await ask('客户的发布预算', null))
  }
  return { firstMs, oneMs: p50p95(series.one), manyMs: p50p95(series.many), chineseMs: p50p95(series.chinese) }
}
