/**
 * From what was given to what would be stored: admitted, typed, named, dated, with evidence. Pure; looks at no file.
 * A draft holds masked text only.
 */
import {
  type Clock,
  type Config,
  type Evidence,
  isoSeconds,
  type NoteType,
  noteTypes,
  type Rejection,
  type RememberInput,
  type WriteAuthor,
  type WriteOptions,
} from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import { redact } from '../guard/index.ts'
import { describe, nameFrom } from '../store/notes/names.ts'
import { cutGraphemes, oneLine, wellFormed } from '../util/index.ts'
import { type Admission, admitField, admitText, distinct } from './admit.ts'
import { classifyType } from './classify.ts'
import { absoluteDates } from './dates/index.ts'
import { evidenceOf, utcSeconds } from './evidence.ts'
import type { JudgedNear } from './find-near.ts'

/** Code points of a given name; a name is a label, not the memory. */
const MAX_NAME_CHARACTERS = 500
/** Graphemes of a stored description; the index cuts it shorter. */
const MAX_DESCRIPTION_GRAPHEMES = 300
const MAX_DERIVED_NAME_GRAPHEMES = 80
/** Entries of `tags`, `applies_to` and `supersedes`. */
const MAX_LIST_ENTRIES = 50

export interface Draft {
  readonly author: WriteAuthor
  /** Who writes, for proposals: `person`, or the agent's name. */
  readonly authorName: string
  /** Body: masked, dates absolute. */
  readonly text: string
  readonly type: NoteType
  readonly typeGiven: boolean
  readonly name: string
  /** True when the caller chose the name: then it decides which note this is. */
  readonly nameGiven: boolean
  readonly description: string
  readonly descriptionGiven: boolean
  /** Undefined = leave as it is. */
  readonly pinned: boolean | undefined
  readonly tags: readonly string[] | undefined
  readonly supersedes: readonly string[]
  readonly expires: string | undefined
  readonly appliesTo: readonly string[] | undefined
  readonly evidence: readonly Evidence[]
  /** UTC ISO 8601: when it was said, never later than now. */
  readonly time: string
  readonly masked: readonly string[]
  readonly notices: readonly string[]
  /** What it is to the notes near it, best first; empty until `withNear` looked. */
  readonly near: readonly JudgedNear[]
}

export type DraftResult = { readonly draft: Draft } | { readonly rejection: Rejection }

/** Throws INPUT_INVALID for what no caller may pass; everything else is a value. */
export function draftOf(
  input: RememberInput,
  options: { readonly config: Config; readonly clock: Clock },
): DraftResult {
  checkInput(input)
  const author = input.author ?? 'person'
  const admission = admitText(input.text, options.config.sensitive)
  if ('rejection' in admission) return admission
  const fields = admitFields(input)
  if ('rejection' in fields) return fields

  const now = isoSeconds(options.clock.now())
  // An extractor that gives no time has no anchor; everybody else speaks now.
  const anchor = input.time ?? (author === 'extractor' ? null : now)
  const dated = absoluteDates(admission.admitted.text, anchor)
  const time = timeSaid(input.time, options.clock)
  const name = fields.name || deriveName(dated.text)
  return {
    draft: {
      author,
      authorName: authorNameOf(input),
      text: dated.text,
      type: input.type ?? classifyType(dated.text),
      typeGiven: input.type !== undefined,
      name,
      nameGiven: fields.name !== '' && (author === 'person' || author === 'agent'),
      description: shortLine(absoluteDates(fields.description, anchor).text) || describe(dated.text),
      descriptionGiven: fields.description !== '',
      pinned: input.pin,
      tags: fields.tags,
      supersedes: fields.supersedes ?? [],
      expires: fields.expires === '' ? undefined : fields.expires,
      appliesTo: fields.appliesTo,
      evidence: evidenceOf({
        author,
        given: input.evidence ?? [],
        text: admission.admitted.text,
        time: utcSeconds(anchor),
        sensitive: options.config.sensitive,
      }),
      time,
      masked: distinct([...admission.admitted.masked, ...fields.masked]),
      notices: [...admission.admitted.notices, ...undatedNotices(dated.undated)],
      near: [],
    },
  }
}

interface AdmittedFields {
  readonly name: string
  readonly description: string
  readonly expires: string
  readonly tags: readonly string[] | undefined
  readonly appliesTo: readonly string[] | undefined
  readonly supersedes: readonly string[] | undefined
  readonly masked: readonly string[]
}

function admitFields(input: RememberInput): AdmittedFields | { readonly rejection: Rejection } {
  const masked: string[] = []
  let rejection: Rejection | undefined
  const admit = (field: string, raw: string): string => {
    const admission: Admission = admitField(field, raw)
    if ('rejection' in admission) {
      rejection ??= admission.rejection
      return ''
    }
    masked.push(...admission.admitted.masked)
    return admission.admitted.text
  }
  const admitAll = (field: string, raw: readonly string[] | undefined) =>
    raw && distinct(raw.map((each) => oneLine(admit(field, each))).filter((each) => each !== ''))
  const fields = {
    name: admit('name', input.name ?? ''),
    description: oneLine(admit('description', input.description ?? '')),
    expires: oneLine(admit('expiry', input.expires ?? '')),
    tags: admitAll('tag', input.tags),
    appliesTo: admitAll('path', input.appliesTo),
    supersedes: admitAll('reference', input.supersedes),
  }
  return rejection ? { rejection } : { ...fields, masked }
}

function checkInput(input: RememberInput): void {
  if (typeof input.text !== 'string') throw invalid('text', 'The text of a memory must be a string.')
  if (input.type !== undefined && !noteTypes.includes(input.type))
    throw invalid('type', `There is no type "${input.type}"; a note is one of ${noteTypes.join(', ')}.`)
  if (input.layer !== undefined && input.layer !== 'global' && input.layer !== 'project')
    throw invalid('layer', `A write names the layer global or project, not "${input.layer}".`)
  if (input.time !== undefined && utcSeconds(input.time) === null)
    throw invalid('time', 'The time must be an ISO 8601 time, for example 2026-11-29T20:24:00Z.')
  if (input.name !== undefined && [...input.name].length > MAX_NAME_CHARACTERS)
    throw invalid('name', `A name has at most ${MAX_NAME_CHARACTERS} characters; put the rest into the text.`)
  for (const field of ['tags', 'appliesTo', 'supersedes'] as const)
    if ((input[field]?.length ?? 0) > MAX_LIST_ENTRIES)
      throw invalid(field, `At most ${MAX_LIST_ENTRIES} entries are kept.`)
  if (input.author === 'extractor' && !input.evidence?.length)
    throw invalid('evidence', 'An extracted note must bring the message that proves it.')
}

function invalid(field: string, message: string): MemoryError {
  return new MemoryError('INPUT_INVALID', message, { hint: 'Nothing was changed.', data: { field } })
}

/** First heading, else the first sentence as a label. Never empty. */
export function deriveName(text: string): string {
  const label = nameFrom(text, '') || cutGraphemes(describe(text) || oneLine(text), MAX_DERIVED_NAME_GRAPHEMES)
  return label.replace(/[\s.,;:!?。，；：！？、]+$/u, '') || label
}

/** When it was said, never later than now. */
export function timeSaid(time: string | undefined, clock: Clock): string {
  const now = isoSeconds(clock.now())
  const said = utcSeconds(time) ?? now
  // Both are UTC to the second, so the earlier one sorts first.
  return [said, now].sort()[0] ?? now
}

/** Who writes, for history and proposals: `person`, or the agent's name. */
export function authorNameOf({ author = 'person', agent }: Pick<WriteOptions, 'author' | 'agent'>): string {
  return author === 'person' ? 'person' : agentName(agent) || author
}

function agentName(agent: string | undefined): string {
  return cutGraphemes(oneLine(redact(wellFormed(agent ?? '')).text), 100)
}

function shortLine(text: string): string {
  return cutGraphemes(oneLine(text), MAX_DESCRIPTION_GRAPHEMES)
}

function undatedNotices(undated: readonly string[]): string[] {
  return undated.length === 0 ? [] : [`No date could be given to: ${distinct(undated).join(', ')}. Marked undated.`]
}
