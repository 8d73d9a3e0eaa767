/**
 * A model's answer as a value (spec W19): tolerant about what stands around it (code fences, prose, thoughts), strict about
 * the value: a field that the schema does not name refuses it, and JSON that was cut off is not mended by guessing. What
 * cannot be read is asked for once more, never twice.
 */
import type { ZodType } from 'zod'
import { fence, safeText } from '../guard/index.ts'
import { cutGraphemes, oneLine } from '../util/index.ts'
import type { JsonSchema } from './completer.ts'
import type { JobQuestion, ModelJob, NoAnswerReason } from './model-jobs.ts'
import { saysOutage } from './outage-prose.ts'
import answerAgain from './prompts/answer-again.md'
import { scanAnswer, withoutThoughts } from './scan-answer.ts'

export interface AnswerShape<Value> {
  readonly schema: ZodType<Value>
  /** Other names that models give to fields, and ours: mapped at any depth where ours is not there. */
  readonly aliases?: Readonly<Record<string, string>>
  /** What holds when the answer says in words that there is nothing, or is empty. Default: that is no answer. */
  readonly nothing?: Value
}

export type ReadAnswer<Value> =
  | { readonly ok: true; readonly value: Value }
  /** `problem`: what is wrong, for the model and for the log. */
  | { readonly ok: false; readonly problem: string }

export type AskedValue<Value> =
  | { readonly ok: true; readonly value: Value }
  | {
      readonly ok: false
      readonly reason: NoAnswerReason | 'malformed'
      readonly message: string
      /** The last answer, as the model gave it: mask it before it is kept. Null: there was none. */
      readonly raw: string | null
    }

/** UTF-16 units of an answer that are looked at: beyond any budget of output. */
const MAX_ANSWER_LENGTH = 200_000
const MAX_PROBLEMS = 5
const PROBLEM_GRAPHEMES = 300

/** Asks; where the answer cannot be read, asks once more with what was wrong. The wrong answer is not shown again (BL-82). */
export async function askForValue<Value>(
  job: ModelJob,
  question: JobQuestion,
  shape: AnswerShape<Value>,
): Promise<AskedValue<Value>> {
  const schema = question.schema ?? jsonSchemaOf(shape.schema)
  const first = await job.ask({ ...question, schema })
  if (!first.ok) return { ...first, raw: null }
  const read = judged(first.text, shape)
  if (read.ok || read.reason === 'unavailable') return read
  const reminder = answerAgain
    .replace('{{shape}}', () => JSON.stringify(schema))
    .replace('{{problem}}', () => fence('quoted', safeText(read.message, 'problem').text))
  const again = await job.ask({ ...question, schema, prompt: `${question.prompt}\n\n${reminder.trim()}` })
  if (again.ok) return judged(again.text, shape)
  // There is an answer and no room to mend it: to begin anew later would end in the same way.
  return again.reason === 'budget' ? read : { ...again, raw: first.text }
}

function judged<Value>(text: string, shape: AnswerShape<Value>): AskedValue<Value> {
  const read = readAnswer(text, shape)
  if (read.ok) return read
  if (saysOutage(text))
    return { ok: false, reason: 'unavailable', message: `the model said: ${shortened(text)}`, raw: text }
  return { ok: false, reason: 'malformed', message: read.problem, raw: text }
}

/** The first balanced value that fits the schema; in thoughts only when nothing stands outside them, and there the last. */
export function readAnswer<Value>(text: string, shape: AnswerShape<Value>): ReadAnswer<Value> {
  const { values, thoughts, isTorn } = scanAnswer(text.slice(0, MAX_ANSWER_LENGTH))
  const problems: string[] = []
  for (const value of values) {
    const read = readValue(value, shape)
    if (read.ok) return read
    problems.push(read.problem)
  }
  if (problems.length === 0 && !isTorn) {
    const thought = thoughts.flatMap((each) => scanAnswer(each).values).toReversed()
    for (const value of thought) {
      const read = readValue(value, shape)
      if (read.ok) return read
    }
    if (shape.nothing !== undefined && saysNothing(text) && !saysOutage(text)) return { ok: true, value: shape.nothing }
  }
  if (isTorn) problems.push('its JSON is cut off, or it ends inside its thoughts')
  return { ok: false, problem: problems[0] ?? 'it holds no JSON' }
}

function readValue<Value>(given: unknown, { schema, aliases = {}, nothing }: AnswerShape<Value>): ReadAnswer<Value> {
  const value = renamed(given, aliases)
  const parsed = schema.safeParse(value)
  if (!parsed.success) {
    if (nothing !== undefined && isEmptyValue(value)) return { ok: true, value: nothing }
    const problems = parsed.error.issues.slice(0, MAX_PROBLEMS).map(({ path, message }) => `${placeOf(path)}${message}`)
    return { ok: false, problem: shortened(problems.join('; ')) }
  }
  const unknown = unknownField(value, parsed.data, [])
  return unknown === null
    ? { ok: true, value: parsed.data }
    : { ok: false, problem: shortened(`${placeOf(unknown.slice(0, -1))}Unrecognized key: "${String(unknown.at(-1))}"`) }
}

function renamed(value: unknown, aliases: Readonly<Record<string, string>>): unknown {
  if (Array.isArray(value)) return value.map((each) => renamed(each, aliases))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const ours = Object.hasOwn(aliases, key) ? aliases[key] : undefined
      return [ours !== undefined && !Object.hasOwn(value, ours) ? ours : key, renamed(inner, aliases)]
    }),
  )
}

/** Where the answer says more than the schema took; null when it took all. Schemas may be lenient, answers may not. */
function unknownField(given: unknown, taken: unknown, path: readonly PropertyKey[]): readonly PropertyKey[] | null {
  if (Array.isArray(given) && Array.isArray(taken)) {
    for (const [at, each] of given.entries()) {
      const unknown = unknownField(each, taken[at], [...path, at])
      if (unknown) return unknown
    }
  } else if (isRecord(given) && isRecord(taken)) {
    for (const [key, inner] of Object.entries(given)) {
      if (!Object.hasOwn(taken, key)) return [...path, key]
      const unknown = unknownField(inner, taken[key], [...path, key])
      if (unknown) return unknown
    }
  }
  return null
}

const NOTHING_LENGTH = 160
const NOTHING: readonly RegExp[] = [
  /^(?:no[_ ]?(?:reply|output|op)|n\/a|null|none|nil|empty|ok(?:ay)?|done)$/i,
  /^(?:there (?:is|are|was|were) )?(?:nothing|none|no(?:$| (?:new |durable |relevant |lasting )*(?:notes?|memor(?:y|ies)|facts?|information|updates?|changes?|content|items?)))\b/i,
  /^[\p{Script=Han}]{0,6}?(?:没有|并无|无)(?:$|(?!法|权|效)\p{Script=Han}{0,12}?(?:内容|信息|记忆|笔记|更新|输出|事实|记录|保存|记住))/u,
]

/** That there is nothing, in any wording (spec W13). */
function saysNothing(text: string): boolean {
  const plain = withoutThoughts(text)
    .replace(/```\w*/g, '')
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
  return plain.length <= NOTHING_LENGTH && (plain === '' || NOTHING.some((form) => form.test(plain)))
}

function isEmptyValue(value: unknown): boolean {
  return (Array.isArray(value) && value.length === 0) || (isRecord(value) && Object.keys(value).length === 0)
}

/** For the model that is asked. */
function jsonSchemaOf(schema: ZodType): JsonSchema {
  // By way of text: the library hangs helpers of its own onto the object.
  return JSON.parse(JSON.stringify(schema.toJSONSchema({ unrepresentable: 'any' })))
}

function placeOf(path: readonly PropertyKey[]): string {
  return path.length === 0 ? '' : `${path.map(String).join('.')}: `
}

function shortened(text: string): string {
  return cutGraphemes(oneLine(text), PROBLEM_GRAPHEMES)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
