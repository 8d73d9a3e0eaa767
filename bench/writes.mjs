// Notes a second by one, two and eight processes in one layer. Counted is what is on disk afterwards, and every write that
// was acknowledged must be there.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { round, tableOf } from './figures.mjs'
import { buildHome, environmentOf, loadLibrary, openMemory } from './homes.mjs'

const PROCESSES = [1, 2, 8]
const NOTES_IN_ALL = 64
const NOTES_BEFORE = 16

export async function benchWrites({ dist, scratch, onProgress }) {
  const library = await loadLibrary(dist)
  const tables = []
  for (const processes of PROCESSES) {
    const place = await buildHome(library, join(scratch, `writes-${processes}`), NOTES_BEFORE)
    onProgress(`writes: ${NOTES_IN_ALL} notes by ${processes} processes`)
    tables.push({ processes, ...(await measure(library, dist, place, processes)) })
  }
  return { node: process.version, tables }
}

export function printWrites({ node, tables }) {
  const rows = tables.map(({ processes, acknowledged, seconds, perSecond }) => [
    `${processes} ${processes === 1 ? 'process' : 'processes'}`,
    acknowledged,
    seconds,
    perSecond,
  ])
  return `Writes into one layer, Node ${node}\n${tableOf([['', 'notes', 'seconds', 'notes a second'], ...rows])}`
}

/** Each process says when it is open, writes when it is told to, and says how many writes were acknowledged. */
const program = `
const [library, home, cwd, root, name, count] = process.argv.slice(1)
const { createMemory } = await import(library)
const surroundings = { environment: {}, userHome: root, temporaryDirectory: root + '/tmp' }
const memory = await createMemory({ home, cwd, surroundings })
await memory.list({ limit: 1 })
process.stdout.write('ready\\n')
await new Promise((begin) => process.stdin.once('data', begin))
let acknowledged = 0
for (let index = 0; index < Number(count); index++) {
  const text = 'Buoy ' + name + ' ' + index + ' is painted on day ' + index * 17
  const { outcome } = await memory.remember({ text, name: 'Buoy ' + name + ' ' + index, type: 'project', layer: 'project' })
  if (outcome === 'written') acknowledged++
}
await memory.close()
process.stdout.write(acknowledged + '\\n')
process.exit(0)
`

async function measure(library, dist, place, processes) {
  const children = Array.from({ length: processes }, (_, index) => start(dist, place, index, NOTES_IN_ALL / processes))
  await Promise.all(children.map(({ line }) => line()))
  const began = performance.now()
  for (const { child } of children) child.stdin.write('go\n')
  const counts = await Promise.all(children.map(({ line }) => line()))
  const seconds = (performance.now() - began) / 1_000
  const acknowledged = counts.reduce((sum, count) => sum + Number(count), 0)
  const memory = await openMemory(library, place)
  const { total } = await memory.list({ limit: 1 })
  await memory.close()
  if (total !== NOTES_BEFORE + acknowledged)
    throw new Error(`${acknowledged} writes were acknowledged, and ${total - NOTES_BEFORE} notes are there`)
  return { acknowledged, seconds: round(seconds), perSecond: round(acknowledged / seconds) }
}

function start(dist, place, index, count) {
  const call = ['--input-type=module', '-e', program, join(dist, 'index.js')]
  const options = { cwd: place.project, env: environmentOf(place), stdio: ['pipe', 'pipe', 'inherit'] }
  const child = spawn(
    process.execPath,
    [...call, place.home, place.project, place.root, String.fromCharCode(97 + index), String(count)],
    options,
  )
  const lines = []
  const waiting = []
  child.stdout.setEncoding('utf8').on('data', (text) => {
    for (const each of text.trim().split('\n')) waiting.length > 0 ? waiting.shift()(each) : lines.push(each)
  })
  const line = () => new Promise((done) => (lines.length > 0 ? done(lines.shift()) : waiting.push(done)))
  return { child, line }
}
