// What one write costs in a layer of 1,000 notes: in a process that is open, and as a command of its own.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { p50p95, tableOf } from './figures.mjs'
import { buildHome, environmentOf, loadLibrary, openMemory } from './homes.mjs'

const SIZES = [1_000]
/** A write takes long enough that more would tell little. */
const MAX_RUNS = 30

export async function benchRemember({ dist, scratch, runs, sizes = SIZES, onProgress }) {
  const library = await loadLibrary(dist)
  const tables = []
  for (const size of sizes) {
    onProgress(`remember: building a home of ${size} notes`)
    const place = await buildHome(library, join(scratch, `remember-${size}`), size)
    const count = Math.min(runs, MAX_RUNS)
    onProgress(`remember: ${count} writes`)
    tables.push({
      notes: size,
      warmMs: p50p95(await warm(library, place, count)),
      commandMs: p50p95(Array.from({ length: count }, (_, index) => command(dist, place, index))),
    })
  }
  return { node: process.version, tables }
}

export function printRemember({ node, tables }) {
  const rows = tables.map(({ notes, warmMs, commandMs }) => [
    `${notes} notes`,
    warmMs.p50,
    warmMs.p95,
    commandMs.p50,
    commandMs.p95,
  ])
  const head = ['', 'open process p50 ms', 'p95', 'keepsake remember p50 ms', 'p95']
  return `remember, Node ${node}\n${tableOf([head, ...rows])}`
}

const textOf = (kind, index) => `The ${kind} buoy number ${index} is painted on day ${index * 17}`

async function warm(library, place, count) {
  const memory = await openMemory(library, place)
  const taken = []
  try {
    for (let index = 0; index <= count; index++) {
      const began = performance.now()
      const { outcome } = await memory.remember({ text: textOf('warm', index), type: 'project', layer: 'project' })
      if (outcome !== 'written') throw new Error(`remember said ${outcome}`)
      // The first opens files and databases: that is the other figure.
      if (index > 0) taken.push(performance.now() - began)
    }
  } finally {
    await memory.close()
  }
  return taken
}

function command(dist, place, index) {
  const call = [join(dist, 'cli.js'), 'remember', textOf('fresh', index), '--type', 'project', '--layer', 'project']
  const began = performance.now()
  const { status, stderr } = spawnSync(process.execPath, call, { cwd: place.project, env: environmentOf(place) })
  if (status !== 0) throw new Error(`keepsake remember ended with ${status}: ${stderr}`)
  return performance.now() - began
}
