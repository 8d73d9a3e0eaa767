// What of a prompt's prefix moves in fifty turns, and what that costs. Each request of a conversation holds all that was said
// before, so a provider serves from its cache what the request before it began with. Notes are written, changed and forgotten
// between the turns. Four hosts hold the same conversation: one without memory; one that keeps its start block by session
// (library); one that hooks speak to (Claude Code); and one as memory should not be done: rendered anew into the prefix at each
// turn, with what the question called up.
import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { estimateTokenCount } from 'tokenx'
import { tableOf } from './figures.mjs'
import { buildHome, environmentOf, loadLibrary, openMemory } from './homes.mjs'
import { ANSWER, naturalNote, saidIn, TURNS } from './talk.mjs'

const NOTES = 200
const INSTRUCTIONS =
  'You are a careful engineer who works in the repository of the user. Say what you did and what you left.'
const COMPACTED_AT = 35
const BATCHES = 20

export async function benchPrefix({ dist, scratch, sizes = [NOTES], cachedPrice = 0.1, onProgress }) {
  const library = await loadLibrary(dist)
  const [size] = sizes
  const hosts = []
  for (const [name, open] of Object.entries({
    none: withoutMemory,
    library: keptBySession,
    hooks: byHooks,
    rendered: renderedAnew,
  })) {
    onProgress(`prefix: ${TURNS} turns, ${name}`)
    const place = await buildHome(library, join(scratch, `prefix-${name}`), size, naturalNote)
    writeFileSync(join(place.home, 'config.json'), '{"worker": false}\n')
    const memory = await openMemory(library, place)
    try {
      hosts.push({ name, ...(await hold(await open({ memory, place, dist, scratch }), memory, { size, cachedPrice })) })
    } finally {
      await memory.close()
    }
  }
  onProgress(`prefix: ${BATCHES} batches of extraction`)
  return {
    node: process.version,
    notes: size,
    turns: TURNS,
    cachedPrice,
    hosts,
    extraction: extraction({ dist, scratch }),
  }
}

/** What happens between two turns, the same for every host. */
async function happens(turn, memory, size) {
  if (turn === 5 || turn === 30)
    await memory.remember({
      text: `The ${turn}th gate of the harbour is painted blue`,
      name: `gate ${turn}`,
      layer: 'project',
    })
  if (turn === 12) await memory.remember({ text: '三号闸门改成了手动开启', name: '三号闸门', layer: 'project' })
  if (turn === 20) await memory.remember({ text: 'The gate is painted white now', name: 'gate 5', layer: 'project' })
  if (turn === 24) await memory.refresh()
  if (turn === 40) {
    // One that stands in the start block.
    const [entry] = (await memory.context({})).entries.slice(-5)
    await memory.forget(entry.id)
    return 'forgot'
  }
  return turn === COMPACTED_AT && size > 0 ? 'compacted' : null
}

/** `host`: prefix(isNew), behind(said), and what it is told of each answer. */
async function hold(host, memory, { size, cachedPrice }) {
  const sums = { sent: 0, cached: 0, memory: 0 }
  const moved = { bytes: 0, turns: 0, byForgetting: 0, byCompaction: 0 }
  let history = ''
  let before = ''
  let cause = null
  for (let turn = 0; turn < TURNS; turn++) {
    if (cause === 'compacted') history = '[Summary] The conversation so far was about the code.\n'
    const said = saidIn(turn, size)
    const prefix = await host.prefix(said, cause === 'compacted')
    const behind = await host.behind(said)
    const request = `${INSTRUCTIONS}\n${prefix}\n${history}[User] ${said}\n${behind}`
    const common = commonLength(before, request)
    const lost = Buffer.byteLength(before) - Buffer.byteLength(before.slice(0, common))
    if (lost > 0 && cause === 'compacted') moved.byCompaction += lost
    else if (lost > 0 && cause === 'forgot') moved.byForgetting += lost
    else if (lost > 0) Object.assign(moved, { bytes: moved.bytes + lost, turns: moved.turns + 1 })
    const cached = estimateTokenCount(request.slice(0, common))
    sums.sent += estimateTokenCount(request)
    sums.cached += cached
    sums.memory += estimateTokenCount(prefix) + estimateTokenCount(behind)
    history += `[User] ${said}\n${behind}${behind === '' ? '' : '\n'}[Assistant] ${ANSWER}\n`
    before = request
    host.answered?.(said, behind)
    cause = await happens(turn, memory, size)
  }
  return { moved, ...sums, cost: Math.round(sums.sent - sums.cached + sums.cached * cachedPrice) }
}

function commonLength(one, other) {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  return at
}

async function withoutMemory() {
  return { prefix: async () => '', behind: async () => '' }
}

async function keptBySession({ memory }) {
  const shown = []
  return {
    prefix: async (_said, renew) => {
      const { text } = await memory.context({ agent: 'library', session: 'bench', renew })
      if (renew) shown.length = 0
      shown[0] = { kind: 'start', text, time: null }
      return text
    },
    behind: async (prompt) => {
      const { text } = await memory.context({ prompt, shown })
      if (text !== '') shown.push({ kind: 'turn', text, time: null })
      return text
    },
  }
}

/** The built hook, as Claude Code runs it; its transcript holds what the hook said. */
async function byHooks({ place, dist }) {
  const folder = join(place.root, 'transcripts')
  mkdirSync(folder)
  const transcript = join(folder, 'bench.jsonl')
  writeFileSync(transcript, '')
  const run = (hookEvent, fields) => {
    const input = {
      session_id: 'bench',
      transcript_path: transcript,
      cwd: place.project,
      hook_event_name: hookEvent,
      ...fields,
    }
    const { stdout, status } = spawnSync(process.execPath, [join(dist, 'hook.js'), 'claude-code', hookEvent], {
      input: JSON.stringify(input),
      env: environmentOf(place),
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`The hook ${hookEvent} ended with ${status}`)
    const text = stdout === '' ? '' : JSON.parse(stdout).hookSpecificOutput.additionalContext
    const attachment = { type: 'hook_additional_context', hookEvent, content: [text] }
    if (text !== '') write({ type: 'attachment', timestamp: new Date().toISOString(), attachment })
    return text
  }
  const write = (row) => appendFileSync(transcript, `${JSON.stringify(row)}\n`)
  let start = run('SessionStart', { source: 'startup' })
  let turn = 0
  return {
    prefix: async (_said, isCompacted) => {
      turn++
      if (isCompacted) {
        write({ type: 'system', subtype: 'compact_boundary', timestamp: new Date().toISOString() })
        start = run('SessionStart', { source: 'compact' })
      }
      // The client is closed and the conversation taken up again: nothing may be said a second time.
      if (turn === 26 && run('SessionStart', { source: 'resume' }) !== '') throw new Error('The hook spoke at a resume')
      return start
    },
    behind: async (prompt) => run('UserPromptSubmit', { prompt }),
  }
}

/** How it should not be done. */
async function renderedAnew({ memory }) {
  return {
    prefix: async (prompt) => `${(await memory.context({})).text}\n${(await memory.context({ prompt })).text}`,
    behind: async () => '',
  }
}

/** Our own prompts: the share of each extraction question that the question before it began with. */
function extraction({ dist, scratch }) {
  const file = join(scratch, 'turns.jsonl')
  const rows = Array.from({ length: BATCHES }, (_, session) =>
    Array.from({ length: 12 }, (_each, turn) => ({
      c: 'bench',
      s: `s${session}`,
      t: `s${session}:${turn}`,
      ts: new Date(Date.UTC(2026, 0, 1 + session, 9, turn)).toISOString(),
      r: turn % 2 === 0 ? 'Mira' : 'Tomas',
      x: turn % 2 === 0 ? naturalNote(session * 6 + turn / 2).text.replaceAll('*', '') : ANSWER,
    })),
  ).flat()
  writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  const command = ['eval', 'reading', file, '--sessions', String(BATCHES), '--json']
  const { stdout, status, stderr } = spawnSync(process.execPath, [join(dist, 'cli.js'), ...command], {
    env: { ...environmentOf({ root: scratch, home: join(scratch, 'reading') }), TMPDIR: scratch },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  const { calls, tokensPerCall, stablePrefixShare } = JSON.parse(stdout)
  return { batches: BATCHES, calls, tokensPerCall: tokensPerCall.p50, stableShare: stablePrefixShare.p50 }
}

const words = {
  none: 'without memory',
  library: 'library, kept by session',
  hooks: 'hooks of Claude Code',
  rendered: 'rendered anew (not ours)',
}

export function printPrefix({ node, notes, turns, cachedPrice, hosts, extraction: asked }) {
  const bare = hosts.find(({ name }) => name === 'none')
  const head = [
    '',
    'bytes moved',
    'in turns',
    'by forgetting',
    'by compaction',
    'tokens sent',
    'cached',
    'cost',
    'of the bare cost',
  ]
  const rows = hosts.map(({ name, moved, sent, cached, cost }) => [
    words[name],
    moved.bytes,
    moved.turns,
    moved.byForgetting,
    moved.byCompaction,
    sent,
    `${percent(cached / sent)}`,
    cost,
    percent(cost / bare.cost),
  ])
  return [
    `Prefix over ${turns} turns on ${notes} notes, Node ${node}; cost in tokens of uncached input, cached ones at ${cachedPrice}`,
    tableOf([head, ...rows]),
    `Extraction, ${asked.batches} conversations: ${asked.calls} questions, ${asked.tokensPerCall} tokens each (median), ${percent(asked.stableShare)} of one is what the one before began with`,
  ].join('\n')
}

const percent = (share) => `${Math.round(share * 100)} %`
