#!/usr/bin/env node
// How many benign texts would the guard refuse? Usage: node scripts/check-benign.mjs FILE [--guard MODULE]
// FILE: JSON Lines of labelled conversations, {messages: [{role, content}], keep: [{evidence: index}]}. Benign are the
// user messages that a keep names as evidence, and every assistant message. Needs `npm run build`; exits 1 above 1 %.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

const MAX_SHARE = 0.01
const MAX_SHOWN_GRAPHEMES = 160

function fail(message, hint) {
  console.error(`${message}\n${hint}`)
  process.exit(2)
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { guard: { type: 'string' } } })
    if (positionals.length !== 1) throw new Error('give exactly one FILE')
    const built = resolve(import.meta.dirname, '..', 'dist', 'tools.js')
    return { file: positionals[0], guard: values.guard ? resolve(values.guard) : built }
  } catch (error) {
    return fail(error.message, 'Usage: node scripts/check-benign.mjs FILE [--guard MODULE]')
  }
}

async function loadGuard(file) {
  try {
    const { scanThreats, isSecretOnly } = await import(pathToFileURL(file).href)
    if (!scanThreats || !isSecretOnly) throw new Error(`${file} does not export scanThreats and isSecretOnly`)
    return { scanThreats, isSecretOnly }
  } catch (error) {
    return fail(`The built guard cannot be loaded: ${error.message}`, 'Run `npm run build` first.')
  }
}

function readConversations(file) {
  let text
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    return fail(`Cannot read ${file}: ${error.message}`, 'Give the path of a JSON Lines file.')
  }
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return []
    try {
      const { messages, keep } = JSON.parse(line)
      if (!Array.isArray(messages) || !Array.isArray(keep)) throw new Error('`messages` and `keep` must be lists')
      return [{ messages, keep }]
    } catch (error) {
      return fail(`${file}:${index + 1}: ${error.message}`, 'Each line is one conversation with messages and keep.')
    }
  })
}

function benignTexts({ messages, keep }) {
  const evidence = new Set(keep.flatMap((each) => each.evidence ?? []))
  return messages
    .filter(({ role }, index) => role === 'assistant' || (role === 'user' && evidence.has(index)))
    .map(({ content }) => String(content))
}

function shorten(text) {
  const graphemes = [...new Intl.Segmenter().segment(text.replace(/\s+/g, ' '))].map(({ segment }) => segment)
  return graphemes.length > MAX_SHOWN_GRAPHEMES
    ? `${graphemes.slice(0, MAX_SHOWN_GRAPHEMES).join('')}…`
    : graphemes.join('')
}

const { file, guard } = readArguments()
const { scanThreats, isSecretOnly } = await loadGuard(guard)
const texts = readConversations(file).flatMap(benignTexts)
const refused = texts.flatMap((text) => {
  const threats = scanThreats(text).map(({ id }) => id)
  if (threats.length > 0) return [{ why: 'threat', detail: threats.join(', '), text }]
  return isSecretOnly(text) ? [{ why: 'secret', detail: 'nothing but a secret', text }] : []
})
const count = (why) => refused.filter((each) => each.why === why).length
const share = texts.length === 0 ? 0 : refused.length / texts.length

console.log(`benign texts             ${texts.length}`)
console.log(`refused by threat scan   ${count('threat')}`)
console.log(`refused as secret alone  ${count('secret')}`)
console.log(`share refused            ${(share * 100).toFixed(2)} % (at most ${MAX_SHARE * 100} %)`)
for (const { detail, text } of refused) console.log(`- ${detail}: ${shorten(text)}`)
if (texts.length === 0) fail('No benign text was found.', 'Is this a file of labelled conversations?')
process.exit(share > MAX_SHARE ? 1 : 0)
