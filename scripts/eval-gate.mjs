#!/usr/bin/env node
// Measures the extractor on a labelled set:   node scripts/eval-gate.mjs FILE [--list]
// Needs a build (dist/tools.js). Prints precision, recall and no-op rate; --list says what was wrong or missed.
// Exit code: 0 measured, 2 wrong usage or a file that cannot be read.
import { readFileSync } from 'node:fs'
import { extractFrom, parseRows, scoreConversation, summarise } from './gate-score.mjs'

const fail = (message) => {
  console.error(`eval-gate: ${message}`)
  process.exit(2)
}

const options = process.argv.slice(2)
const [file, ...rest] = options.filter((option) => !option.startsWith('--'))
const unknown = options.find((option) => option.startsWith('--') && option !== '--list')
if (!file || rest.length > 0 || unknown) fail('usage: node scripts/eval-gate.mjs FILE [--list]')

const rows = (() => {
  try {
    return parseRows(readFileSync(file, 'utf8'))
  } catch (error) {
    return fail(`cannot read ${file}: ${error.message}`)
  }
})()
const { extractNotes } = await import('../dist/tools.js').catch((error) =>
  fail(`no build to measure (npm run build): ${error.message}`),
)
if (typeof extractNotes !== 'function') fail('dist/tools.js does not export extractNotes')

const results = rows.map((row) => scoreConversation(row, extractFrom(row, extractNotes)))
const total = summarise(results)
const line = (name, { hits, of, value }) =>
  `${name.padEnd(16)}${value === null ? '-' : value.toFixed(3)}  (${hits}/${of})`
console.log(`conversations   ${total.conversations}`)
console.log(line('precision', total.precision))
console.log(line('recall', total.recall))
console.log(line('no-op rate', total.noOp))
console.log(`forbidden hits  ${total.forbidden}`)
console.log(`wrong replaces  ${total.wrongReplaces}`)
if (options.includes('--list'))
  for (const result of results.filter((each) => each.remarks.length > 0))
    console.log([`\n${result.id}`, ...result.remarks.map((remark) => `  ${remark}`)].join('\n'))
