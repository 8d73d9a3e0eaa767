// What a search costs as a home grows: notes of one project, and messages of one project alone or among many. Each kind
// of question is asked in a process that is open (wall time and CPU), and by new processes; beside it stands the same
// search as plain FTS5 in the same process (words of the question joined by OR, scope as a term, bm25, ten rows).
import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { p50p95, percentile, round, tableOf } from './figures.mjs'
import { environmentOf, loadLibrary, openMemory } from './homes.mjs'
import { buildMessages, buildNotes, sizeOf } from './search-home.mjs'
import { questionsOf } from './search-kinds.mjs'
import { openPlain } from './search-plain.mjs'
import { createWords } from './words.mjs'

const NOTES = [1_000, 10_000, 100_000]
const MESSAGES = [10_000, 100_000, 1_000_000]
/** New processes that are started for each home. */
const COLD_RUNS = 15

const execute = promisify(execFile)

export async function benchSearch(options) {
  const { dist, scratch, runs, notes = NOTES, messages = MESSAGES, onProgress } = options
  const library = await loadLibrary(dist)
  const tools = await import(join(dist, 'tools.js'))
  const words = createWords()
  const sizes = [
    ...notes.map((count) => ({ target: 'notes', count, build: buildNotes })),
    ...messages.map((count) => ({ target: 'sessions', count, build: buildMessages })),
  ]
  const homes = []
  for (const { target, count, build } of sizes) {
    const root = join(scratch, `search-${target}-${count}`)
    onProgress(`search: building a home of ${count} ${target === 'notes' ? 'notes' : 'messages'}`)
    const built = await build({ library, tools, words, root, count, onProgress })
    const indexBytes = Math.round((sizeOf(built.place.home) - built.indexBytes) / count)
    const measured = await measure({ library, tools, words, dist, target, runs, built, onProgress })
    homes.push({ target, count, projects: built.projects, asked: built.size, indexBytes, ...measured })
    rmSync(root, { recursive: true, force: true })
  }
  return { node: process.version, runs, homes, growth: growthOf(homes) }
}

async function measure({ library, tools, words, dist, target, runs, built, onProgress }) {
  const questions = questionsOf(words, built)
  onProgress('search: new processes')
  const cold = await askCold({ dist, target, place: built.place, ask: questions['whole question'] })
  const memory = await openMemory(library, built.place)
  const plain = await openPlain(tools, built, target)
  const kinds = []
  try {
    const began = performance.now()
    await memory.recall({ query: 'warm up', in: target })
    const firstMs = round(performance.now() - began)
    for (const [kind, ask] of Object.entries(questions)) {
      onProgress(`search: ${runs} of ${kind}`)
      const ours = await series(runs, (at) => memory.recall({ query: ask(at), in: target }))
      const theirs = plain && (await series(runs, (at) => plain.search(ask(at))))
      kinds.push({ kind, ...ours, plain: theirs, ...ratioTo(ours, theirs) })
    }
    const all = kinds.flatMap(({ times }) => times)
    return { cold, firstMs, all: p50p95(all), kinds: kinds.map(withoutTimes) }
  } finally {
    plain?.close()
    await memory.close()
  }
}

async function series(runs, ask) {
  const times = []
  const found = []
  const before = process.cpuUsage()
  for (let at = 0; at < runs; at++) {
    const began = performance.now()
    const answer = await ask(at)
    times.push(performance.now() - began)
    found.push(answer.results?.length ?? answer.length)
  }
  const { user, system } = process.cpuUsage(before)
  return { ...p50p95(times), cpuMs: round((user + system) / 1_000 / runs), found: percentile(found, 0.5), times }
}

function ratioTo(ours, theirs) {
  return theirs ? { ratio: round(ours.cpuMs / Math.max(theirs.cpuMs, 0.1)) } : {}
}

function withoutTimes({ times: _, plain, ...kind }) {
  return { ...kind, plain: plain && { p50: plain.p50, p95: plain.p95, cpuMs: plain.cpuMs } }
}

async function askCold({ dist, target, place, ask }) {
  const file = join(import.meta.dirname, 'search-ask.mjs')
  const [whole, first] = [[], []]
  for (let at = 0; at < COLD_RUNS; at++) {
    const began = performance.now()
    const parameters = [file, dist, JSON.stringify(place), target, ask(at)]
    const { stdout } = await execute(process.execPath, parameters, { env: environmentOf(place) })
    whole.push(performance.now() - began)
    const { openMs, firstMs } = JSON.parse(stdout)
    first.push(openMs + firstMs)
  }
  return { process: p50p95(whole), first: p50p95(first) }
}

/** How often as long ten times as much takes, kind by kind, for homes of one layout. */
function growthOf(homes) {
  return homes.flatMap((home) => {
    const smaller = homes.find(
      (each) => each.target === home.target && each.projects === home.projects && each.count * 10 === home.count,
    )
    if (!smaller) return []
    const times = home.kinds.map(({ kind, p50 }, at) => [kind, round(p50 / Math.max(smaller.kinds[at].p50, 0.1))])
    return [{ target: home.target, from: smaller.count, to: home.count, times: Object.fromEntries(times) }]
  })
}

export function printSearch({ node, runs, homes, growth }) {
  const head = ['', 'p50 ms', 'p95 ms', 'CPU ms', 'results', 'FTS5 p50', 'p95', 'CPU', 'ours/FTS5 CPU']
  const tables = homes.map((home) => {
    const { target, count, projects, asked, indexBytes, cold, firstMs, all, kinds } = home
    const among = projects > 1 ? `one project of ${asked} among ` : ''
    const rows = kinds.map(({ kind, p50, p95, cpuMs, found, plain, ratio }) => [
      kind,
      ...[p50, p95, cpuMs, found],
      ...(plain ? [plain.p50, plain.p95, plain.cpuMs, ratio] : ['', '', '', '']),
    ])
    return [
      `${among}${count} ${target === 'notes' ? 'notes' : 'messages'}: p50 ${all.p50} p95 ${all.p95} ms; ${indexBytes} index bytes each`,
      `new process: whole ${cold.process.p50} / ${cold.process.p95} ms, open and first search ${cold.first.p50} / ${cold.first.p95} ms; first here ${firstMs} ms`,
      tableOf([head, ...rows]),
    ].join('\n')
  })
  const curves = growth.map(
    ({ target, from, to, times }) =>
      `${target} ${from} to ${to}: ${Object.entries(times)
        .map(([kind, ratio]) => `${kind} x${ratio}`)
        .join(', ')}`,
  )
  return [`search, Node ${node}, ${runs} of each kind`, ...tables, ...curves].join('\n\n')
}
