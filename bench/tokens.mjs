// What memory costs in tokens: at the start of a conversation, at each turn, and over fifty turns, beside a prompt that holds
// every note. Through the library, without a model and without an embedder, so it is the least that any host gets.

import { join } from 'node:path'
import { estimateTokenCount } from 'tokenx'
import { percentile, tableOf } from './figures.mjs'
import { buildHome, loadLibrary, makePlace, openMemory } from './homes.mjs'
import { naturalNote, saidIn, TURNS } from './talk.mjs'

const SIZES = [0, 50, 500, 5_000]

export async function benchTokens({ dist, scratch, sizes = SIZES, onProgress }) {
  const library = await loadLibrary(dist)
  const rows = []
  for (const size of sizes) {
    onProgress(`tokens: building a home of ${size} notes`)
    const root = join(scratch, `tokens-${size}`)
    const place = size === 0 ? makePlace(root) : await buildHome(library, root, size, naturalNote)
    const memory = await openMemory(library, place)
    try {
      onProgress(`tokens: ${TURNS} turns on ${size} notes`)
      rows.push({ notes: size, ...(await talk(memory, size)), whole: wholeTokens(size) })
    } finally {
      await memory.close()
    }
  }
  return { node: process.version, turns: TURNS, rows }
}

async function talk(memory, size) {
  const { text, tokens: start } = await memory.context({ session: 'bench' })
  const shown = [{ kind: 'start', text, time: null }]
  const turns = []
  for (let turn = 0; turn < TURNS; turn++) {
    const block = await memory.context({ prompt: saidIn(turn, size), shown })
    if (block.text !== '') shown.push({ kind: 'turn', text: block.text, time: null })
    turns.push(block.tokens)
  }
  const given = turns.filter((tokens) => tokens > 0)
  return {
    start,
    turn: { p50: percentile(turns, 0.5), p95: percentile(turns, 0.95), max: Math.max(...turns) },
    given: { count: given.length, p50: given.length === 0 ? 0 : percentile(given, 0.5) },
    emptyShare: (TURNS - given.length) / TURNS,
    conversation: start + turns.reduce((sum, each) => sum + each, 0),
  }
}

/** Every note with its name, as a prompt that holds them all would. */
function wholeTokens(size) {
  const texts = Array.from({ length: size }, (_, index) => naturalNote(index)).map(
    ({ name, text }) => `# ${name}\n\n${text}`,
  )
  return estimateTokenCount(texts.join('\n\n'))
}

export function printTokens({ node, turns, rows }) {
  const head = [
    'notes',
    'start',
    'turn p50',
    'turn p95',
    'empty turns',
    'a block, p50',
    `${turns} turns`,
    'all in the prompt',
  ]
  const body = rows.map(({ notes, start, turn, given, emptyShare, conversation, whole }) => [
    notes,
    start,
    turn.p50,
    turn.p95,
    `${Math.round(emptyShare * 100)} %`,
    given.p50,
    conversation,
    whole,
  ])
  return `Tokens that memory adds (tokenx), Node ${node}; every fifth turn asks about a note\n${tableOf([head, ...body])}`
}
