/**
 * The summary in a model's answer (spec W19): tolerant about what stands around the object (thoughts, prose, a code
 * fence), strict about the object: exactly the fields that were asked for. Commands that nobody said are dropped.
 */
import { type SessionDigest, sessionDigestLists } from '../domain/index.ts'
import { safeText } from '../guard/index.ts'
import { scanAnswer } from '../models/scan-answer.ts'
import { cutGraphemes, oneLine } from '../util/index.ts'

/** UTF-16 units of an answer that are looked at: well beyond what its budget of tokens allows. */
const MAX_ANSWER_LENGTH = 20_000
const MAX_ENTRIES = 12
const MAX_ENTRY_GRAPHEMES = 400

type JsonObject = Readonly<Record<string, unknown>>

export interface ReadSummary {
  readonly digest: SessionDigest
  /** Commands of the answer that stand nowhere in the material. */
  readonly droppedCommands: number
}

/** `material`: what the model was shown. Null: the answer holds no such object. */
export function readSummary(answer: string, material: string): ReadSummary | null {
  for (const candidate of scanAnswer(answer.slice(0, MAX_ANSWER_LENGTH)).values) {
    const digest = digestFrom(candidate)
    if (digest === null) continue
    const said = oneLine(material)
    const commands = digest.commands.filter((command) => said.includes(command))
    return { digest: shownDigest({ ...digest, commands }), droppedCommands: digest.commands.length - commands.length }
  }
  return null
}

function digestFrom(value: unknown): SessionDigest | null {
  if (!isObject(value)) return null
  const { wanted, done, decided, commands, open, ...unknown } = value
  if (typeof wanted !== 'string' || Object.keys(unknown).length > 0) return null
  const lists = [done, decided, commands, open].map(textsOf)
  const [doneTexts, decidedTexts, commandTexts, openTexts] = lists
  if (!doneTexts || !decidedTexts || !commandTexts || !openTexts) return null
  return { wanted: oneLine(wanted), done: doneTexts, decided: decidedTexts, commands: commandTexts, open: openTexts }
}

function textsOf(value: unknown): string[] | null {
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'string')) return null
  return value
    .map(oneLine)
    .filter((each) => each !== '')
    .slice(0, MAX_ENTRIES)
}

/** What a model says is masked and scanned again before anybody reads it. */
function shownDigest(digest: SessionDigest): SessionDigest {
  const shown = (text: string) => safeText(cutGraphemes(text, MAX_ENTRY_GRAPHEMES), 'summary').text
  const lists = sessionDigestLists.map((name) => [name, digest[name].map(shown)] as const)
  return { ...digest, ...Object.fromEntries(lists), wanted: shown(digest.wanted) }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
