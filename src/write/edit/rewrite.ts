/** A part of a note's body becomes other words: everything else of the file stays as it is, to the byte. */
import type { Evidence } from '../../domain/index.ts'
import { redact, scanThreats } from '../../guard/index.ts'
import { codePoints, comparableName } from '../../util/index.ts'
import { boundEvidence } from '../bound-evidence.ts'
import { newEvidence } from '../evidence.ts'
import { losesTooMuch } from '../loss.ts'
import { readerOf } from '../read-layer.ts'
import {
  MAX_TEXT_CHARACTERS,
  notEditable,
  placeholderFound,
  secretOnly,
  threatFound,
  tooLarge,
  tooMuchLost,
} from '../rejections.ts'
import type { EntryRange } from './entries.ts'
import { asWritten } from './find-text.ts'
import { headFor, type Swap } from './head.ts'
import type { Located } from './locate.ts'
import { findPlaceholder } from './placeholders.ts'
import { draftRevision, later, noteAt, type Refused, refuse, type Stage } from './stage.ts'

export interface Rewrite {
  /** What goes, by units of the body. */
  readonly range: EntryRange
  /** What comes instead, admitted; empty when nothing does. */
  readonly text: string
  readonly evidence: readonly Evidence[]
  readonly swap: Swap | null
}

/** Null when it is drafted. */
export async function rewrite(stage: Stage, found: Located, change: Rewrite): Promise<Refused | null> {
  const { note, layer } = found
  const { range, text } = change
  const body = note.body.slice(0, range.start) + text + note.body.slice(range.end)
  const reason = faultOf(stage, found, { body, change })
  if (reason) return refuse(reason)
  const updated = later(note.updated, stage.time)
  const added = newEvidence(note.source, change.evidence)
  const source = added.length === 0 ? {} : { source: boundEvidence([...note.source, ...added]) }
  const splice = { start: range.start, end: range.end, text }
  const refused = await draftRevision(stage, found, { splice, updated, ...source })
  if (refused) return refused
  const now = await noteAt(stage, found)
  // A body that front matter swallows, or the other way round, must never be written.
  if (asWritten(now.note.body) !== asWritten(body)) return refuse(notEditable(`${note.file} cannot be edited there.`))
  const others = (await readerOf(stage.context.files, layer, stage.context).scan()).filter(({ id }) => id !== note.id)
  const head = headFor(note, now.note, new Set(others.map(({ name }) => comparableName(name))), change.swap)
  return Object.keys(head).length === 0 ? null : draftRevision(stage, { ...found, ...now }, head)
}

/** The whole new body is judged: two harmless edits may make one text that is not. */
function faultOf({ input }: Stage, { note }: Located, { body, change }: { body: string; change: Rewrite }) {
  const characters = codePoints(body.trim())
  if (characters > MAX_TEXT_CHARACTERS && body.length > note.body.length) return tooLarge(characters)
  const known = new Set(scanThreats(note.body).map(({ id }) => id))
  const threats = scanThreats(body).filter(({ id }) => !known.has(id))
  if (threats.length > 0) return threatFound([...new Set(threats.map(({ id }) => id))], 'text')
  const secrets = newSecrets(note.body, body)
  if (secrets.length > 0) return secretOnly(secrets)
  if ((input.author ?? 'person') === 'person' || change.swap === null) return null
  const placeholder = findPlaceholder(change.text, note.body)
  if (placeholder !== null) return placeholderFound(placeholder)
  return losesTooMuch(note.body, body) ? tooMuchLost(note.name, codePoints(note.body.trim())) : null
}

/** Kinds of secrets that the new text holds more of than the old one; the words that came were masked already. */
function newSecrets(before: string, after: string): readonly string[] {
  const count = (text: string) => redact(text).text.split('[masked: ').length - text.split('[masked: ').length
  return count(after) > count(before) ? redact(after).kinds : []
}
