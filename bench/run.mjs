#!/usr/bin/env node
// npm run bench -- [blocks] [hooks] [remember] [recall] [writes] [index-size] [transcript] [tokens] [prefix] [search] [--runs N] [--sizes 64,1000] [--json] [--dist DIR]
// search: [--notes 1000,10000] [--messages 100000,1000000]; without a part's name it is left out, for it takes long.
// prefix: [--cached-price 0.1]
// Everything happens in a temporary folder; nothing of the user's is read or written.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { benchBlocks, printBlocks } from './blocks.mjs'
import { benchHooks, printHooks } from './hooks.mjs'
import { benchIndexSize, printIndexSize } from './index-size.mjs'
import { benchPrefix, printPrefix } from './prefix.mjs'
import { benchRecall, printRecall } from './recall.mjs'
import { benchRemember, printRemember } from './remember.mjs'
import { benchSearch, printSearch } from './search.mjs'
import { benchTokens, printTokens } from './tokens.mjs'
import { benchTranscript, printTranscript } from './transcript.mjs'
import { benchWrites, printWrites } from './writes.mjs'

const parts = {
  blocks: { run: benchBlocks, print: printBlocks },
  hooks: { run: benchHooks, print: printHooks },
  remember: { run: benchRemember, print: printRemember },
  recall: { run: benchRecall, print: printRecall },
  writes: { run: benchWrites, print: printWrites },
  'index-size': { run: benchIndexSize, print: printIndexSize },
  transcript: { run: benchTranscript, print: printTranscript },
  tokens: { run: benchTokens, print: printTokens },
  prefix: { run: benchPrefix, print: printPrefix },
  search: { run: benchSearch, print: printSearch },
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '200' },
    sizes: { type: 'string' },
    notes: { type: 'string' },
    messages: { type: 'string' },
    'cached-price': { type: 'string', default: '0.1' },
    json: { type: 'boolean', default: false },
    dist: { type: 'string', default: join(import.meta.dirname, '..', 'dist') },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
if (values.help) {
  console.log(
    `npm run bench -- [${Object.keys(parts).join(' | ')}] [--runs N] [--json]; what each measures: bench/README.md`,
  )
  process.exit(0)
}
const numbersOf = (list) => list?.split(',').filter(Boolean).map(Number)
// A search bench of the default sizes takes a quarter of an hour, so it is asked for by name.
const wanted = positionals.length > 0 ? positionals : Object.keys(parts).filter((name) => name !== 'search')
const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'keepsake-bench-')))
const report = {}
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    rmSync(scratch, { recursive: true, force: true })
    process.exit(130)
  })
try {
  for (const name of wanted) {
    const part = parts[name]
    if (!part) throw new Error(`There is no bench ${name}; there are ${Object.keys(parts).join(', ')}`)
    report[name] = await part.run({
      dist: resolve(values.dist),
      scratch,
      runs: Number(values.runs),
      sizes: numbersOf(values.sizes),
      notes: numbersOf(values.notes),
      messages: numbersOf(values.messages),
      cachedPrice: Number(values['cached-price']),
      onProgress: (text) => process.stderr.write(`${text}\n`),
    })
    if (!values.json) console.log(`${part.print(report[name])}\n`)
  }
  if (values.json) console.log(JSON.stringify(report, null, 2))
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
