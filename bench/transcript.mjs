// Reads a large transcript in a process of its own: how long, and how much memory at its highest. Memory must not grow
// with the file, so a tenth of the file is read first.
import { spawnSync } from 'node:child_process'
import { closeSync, openSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { tableOf } from './figures.mjs'
import { environmentOf, makePlace } from './homes.mjs'

const SIZES_MB = [10, 100]
const ROWS_PER_WRITE = 200

export async function benchTranscript({ dist, scratch, onProgress }) {
  const reports = SIZES_MB.map((megabytes) => {
    const place = makePlace(join(scratch, `transcript-${megabytes}`))
    onProgress(`transcript: writing and reading ${megabytes} MB`)
    const file = join(place.root, 'session.jsonl')
    writeTranscript(file, megabytes * 1_000_000)
    return { megabytes: Math.round(statSync(file).size / 1_000_000), ...capture(dist, place, file) }
  })
  return { node: process.version, reports }
}

export function printTranscript({ node, reports }) {
  const rows = reports.map(({ megabytes, seconds, messages, idleMb, peakMb }) => [
    `${megabytes} MB`,
    seconds,
    messages,
    idleMb,
    peakMb,
  ])
  return `capture of one transcript, Node ${node}\n${tableOf([['', 'seconds', 'messages', 'RSS before MB', 'RSS peak MB'], ...rows])}`
}

/** A long conversation: short words of the user, long answers, and tool results of which most of a log consists. */
function writeTranscript(file, bytes) {
  const output = openSync(file, 'w')
  let written = 0
  for (let index = 0; written < bytes; index += ROWS_PER_WRITE) {
    const rows = Array.from({ length: ROWS_PER_WRITE }, (_, offset) => JSON.stringify(rowOf(index + offset)))
    written += writeSync(output, `${rows.join('\n')}\n`)
  }
  closeSync(output)
}

function rowOf(index) {
  const time = new Date(Date.UTC(2026, 9, 1) + index * 1_000).toISOString()
  const common = { sessionId: 'bench', uuid: `m${index}`, timestamp: time, cwd: '/srv/tidewater', version: '2.1.0' }
  const kind = index % 4
  if (kind === 0)
    return { ...common, type: 'user', message: { role: 'user', content: `Step ${index}: look at the lamp` } }
  if (kind === 2)
    return {
      ...common,
      type: 'user',
      message: {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: `t${index}`, content: `line ${index} of a log\n`.repeat(250) }],
      },
    }
  const text = `Answer ${index}. ${'The lamp blinks in fog and the harbour is quiet. '.repeat(20)}`
  return { ...common, type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text }] } }
}

/** Run in a child: the highest memory is that of a whole process. */
const program = `
const [library, home, cwd, root, file] = process.argv.slice(1)
const { createMemory } = await import(library)
const surroundings = { environment: {}, userHome: root, temporaryDirectory: root + '/tmp' }
const memory = await createMemory({ home, cwd, surroundings })
const idleMb = Math.round(process.memoryUsage().rss / 1e6)
const began = performance.now()
const { messages, problems } = await memory.capture({ file, agent: 'claude-code' })
const seconds = Math.round((performance.now() - began) / 100) / 10
await memory.close()
const peakMb = Math.round(process.resourceUsage().maxRSS / 1e3)
console.log(JSON.stringify({ seconds, messages, problems, idleMb, peakMb }))
`

function capture(dist, place, file) {
  const call = [
    '--input-type=module',
    '-e',
    program,
    join(dist, 'index.js'),
    place.home,
    place.project,
    place.root,
    file,
  ]
  const { status, stdout, stderr } = spawnSync(process.execPath, call, {
    cwd: place.project,
    env: environmentOf(place),
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`capture ended with ${status}: ${stderr}`)
  const report = JSON.parse(stdout)
  if (report.messages === 0 || report.problems.length > 0) throw new Error(`capture kept nothing: ${stdout}`)
  return report
}
