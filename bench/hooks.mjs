// The hooks' own time: each event and an empty process of the same Node, in turn, on homes of several sizes. What an
// agent waits for is the difference. The worker that a hook starts is replaced by one that ends at once, and the next
// measurement waits until it has ended: its work is not the hook's.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { childrenCpuMs, mean, p50p95, percentile, round, tableOf } from './figures.mjs'
import { buildHome, environmentOf, loadLibrary } from './homes.mjs'

const SIZES = [64, 1_000, 5_000]
const WORKER_PATIENCE_MS = 5_000

/**
 * Differences to the empty process: milliseconds of wall clock and of CPU (mean). `wallMs` has the percentiles of the
 * differences of pairs, `p95DifferenceMs` the difference of the two percentiles.
 */
export async function benchHooks({ dist, scratch, runs, sizes = SIZES, onProgress }) {
  const library = await loadLibrary(dist)
  const bundle = await copyHook(dist, scratch)
  const tables = []
  for (const size of sizes) {
    onProgress(`hooks: building a home of ${size} notes`)
    const place = await buildHome(library, join(scratch, `hooks-${size}`), size)
    onProgress(`hooks: ${runs} runs on ${size} notes`)
    tables.push({ notes: size, ...measure(bundle, place, { runs, size }) })
  }
  return { node: process.version, runs, tables }
}

export function printHooks({ node, runs, tables }) {
  const cells = ({ wallMs, p95DifferenceMs, cpuMs }) => [wallMs.p50, wallMs.p95, p95DifferenceMs ?? '-', cpuMs ?? '-']
  const rows = tables.flatMap(({ notes, empty, events }) => [
    [`${notes} notes: empty process`, ...cells(empty)],
    ...events.map((event) => [`  ${event.name}`, ...cells(event).map((cell) => (cell === '-' ? cell : `+${cell}`))]),
  ])
  return `Hooks over an empty process of Node ${node}, ${runs} interleaved runs\n${tableOf([['', 'p50 ms', 'p95 ms', 'difference of p95 ms', 'mean CPU ms'], ...rows])}`
}

/**
 * The hook beside a worker of our own, with its compiled form as `install` leaves it, and the packages of the project, so
 * that SQLite is found as when installed.
 */
async function copyHook(dist, scratch) {
  const folder = join(scratch, 'hook')
  mkdirSync(folder)
  symlinkSync(join(import.meta.dirname, '..', 'node_modules'), join(folder, 'node_modules'))
  for (const name of readdirSync(dist)) if (/\.c?js$/.test(name)) cpSync(join(dist, name), join(folder, name))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}\n')
  writeFileSync(
    join(folder, 'worker.js'),
    "import { appendFileSync } from 'node:fs'\nappendFileSync('logs/bench-worker', '.')\n",
  )
  const around = { environment: process.env, userHome: scratch, temporaryDirectory: scratch }
  const { compileHook } = await import(join(dist, 'tools.js'))
  const problem = await compileHook?.(folder, around)
  if (problem) throw new Error(problem)
  const empty = join(folder, 'empty.mjs')
  writeFileSync(empty, '')
  return { folder, empty, hook: join(folder, 'hook.js') }
}

function eventsFor({ root, project }, size) {
  const transcript = join(root, 'session.jsonl')
  writeFileSync(transcript, transcriptText())
  const input = (fields) => JSON.stringify({ session_id: 's', transcript_path: transcript, cwd: project, ...fields })
  const known = Math.floor(size / 2)
  return [
    { name: 'SessionStart', event: 'SessionStart', input: input({ source: 'startup' }), says: true, worker: true },
    {
      name: 'UserPromptSubmit, a note answers',
      event: 'UserPromptSubmit',
      input: input({ prompt: `What does beacon${known} mean, and how do I apply it?` }),
      says: true,
    },
    {
      name: 'UserPromptSubmit, nothing known',
      event: 'UserPromptSubmit',
      input: input({ prompt: 'Please rename zygomorphic quadrilaterals everywhere' }),
      says: false,
    },
    { name: 'Stop', event: 'Stop', input: input({}), says: false, worker: true },
  ]
}

/** About as long as an hour of work: 400 rows, 600 KB. */
function transcriptText() {
  const row = (index) => ({
    type: index % 2 === 0 ? 'user' : 'assistant',
    uuid: `m${index}`,
    timestamp: new Date(Date.UTC(2026, 10, 1) + index * 9_000).toISOString(),
    message: {
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: [{ type: 'text', text: `Row ${index}. ${'Some words of a long answer. '.repeat(50)}` }],
    },
  })
  return `${Array.from({ length: 400 }, (_, index) => JSON.stringify(row(index))).join('\n')}\n`
}

function measure(bundle, place, { runs, size }) {
  const events = eventsFor(place, size)
  const empty = { wall: [], cpu: [] }
  const series = events.map(() => ({ wall: [], cpu: [], over: [], overCpu: [] }))
  const options = { cwd: place.project, env: environmentOf(place) }
  // Once for each, uncounted: caches of the disk and of Node.
  for (const event of events) runEvent(bundle, place, event, options)
  for (let round = 0; round < runs; round++) {
    const base = timed(() => spawnSync(process.execPath, [bundle.empty], options))
    empty.wall.push(base.wallMs)
    empty.cpu.push(base.cpuMs)
    for (const [index, event] of events.entries()) {
      const run = runEvent(bundle, place, event, options)
      series[index].wall.push(run.wallMs)
      series[index].over.push(run.wallMs - base.wallMs)
      series[index].overCpu.push(run.cpuMs - base.cpuMs)
    }
  }
  const cpuOf = (values) => (childrenCpuMs() === null ? null : mean(values))
  const emptyP95 = percentile(empty.wall, 0.95)
  return {
    empty: { wallMs: p50p95(empty.wall), cpuMs: cpuOf(empty.cpu) },
    events: events.map(({ name }, index) => ({
      name,
      wallMs: p50p95(series[index].over),
      p95DifferenceMs: round(percentile(series[index].wall, 0.95) - emptyP95),
      cpuMs: cpuOf(series[index].overCpu),
    })),
  }
}

/** One run, checked: a hook that says the wrong thing quickly is not quick. */
function runEvent(bundle, place, { event, input, says, worker }, options) {
  const log = join(place.home, 'logs', 'bench-worker')
  const before = sizeOf(log)
  const call = [bundle.hook, '--home', place.home, 'claude-code', event]
  const run = timed(() => spawnSync(process.execPath, call, { ...options, input }))
  if (run.result.status !== 0 || run.result.stdout.length > 0 !== says || run.result.stderr.length > 0)
    throw new Error(`${event} ended with ${run.result.status}: ${run.result.stdout}${run.result.stderr}`)
  if (worker) waitUntil(() => sizeOf(log) > before)
  return run
}

function timed(run) {
  const cpu = childrenCpuMs()
  const began = performance.now()
  const result = run()
  return { result, wallMs: performance.now() - began, cpuMs: childrenCpuMs() - cpu }
}

const sizeOf = (file) => (existsSync(file) ? readFileSync(file).length : 0)

function waitUntil(isDone) {
  const pause = new Int32Array(new SharedArrayBuffer(4))
  for (const began = performance.now(); !isDone(); Atomics.wait(pause, 0, 0, 2))
    if (performance.now() - began > WORKER_PATIENCE_MS) throw new Error('The hook started no worker')
}
