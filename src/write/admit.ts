/**
 * What may enter at all (spec W1, W4, W5, W6): own blocks out, well formed, bounded, masked, nothing sensitive, no
 * threat. Pure. Everything that goes on from here (note, evidence, proposal, index) comes from the admitted text, so
 * that no later step ever holds a secret.
 */
import type { Config, Rejection } from '../domain/index.ts'
import {
  escapeFenced,
  findSensitive,
  isOwnBlock,
  isSecretOnly,
  maskSensitive,
  redact,
  scanThreats,
  stripOwnBlocks,
} from '../guard/index.ts'
import { codePoints, wellFormed } from '../util/index.ts'
import {
  emptyText,
  MAX_TEXT_CHARACTERS,
  ownBlock,
  secretOnly,
  sensitiveStatement,
  threatFound,
  tooLarge,
} from './rejections.ts'

/** Text that may be kept, with the kinds of what was masked in it and what the person should hear about it. */
export interface Admitted {
  readonly text: string
  readonly masked: readonly string[]
  readonly notices: readonly string[]
}

export type Admission = { readonly admitted: Admitted } | { readonly rejection: Rejection }

export interface AdmitOptions {
  /** `kept`: only for a person who read the text and confirms it by hand (spec W4). */
  readonly threats?: 'refused' | 'kept'
}

export function admitText(
  raw: string,
  sensitive: Config['sensitive'],
  { threats: judgement = 'refused' }: AdmitOptions = {},
): Admission {
  const own = withoutOwnBlocks(raw)
  if (own.onlyBlocks) return { rejection: ownBlock() }
  const text = normaliseText(own.text)
  if (text === '') return { rejection: emptyText() }
  const characters = codePoints(text)
  if (characters > MAX_TEXT_CHARACTERS) return { rejection: tooLarge(characters) }
  const redacted = redact(text)
  if (isSecretOnly(redacted.text)) return { rejection: secretOnly(maskedKinds(redacted.text)) }
  const calm = settleSensitive(redacted.text, sensitive)
  if ('rejection' in calm) return calm
  const threats = scanThreats(calm.text)
  if (threats.length > 0 && judgement === 'refused')
    return { rejection: threatFound(distinct(threats.map((hit) => hit.id)), 'text') }
  const masked = distinct([...redacted.kinds, ...calm.masked])
  return { admitted: { text: calm.text.trim(), masked, notices: [...own.notices, ...maskNotices(masked)] } }
}

/** A short field beside the text (name, description, tag): the same rules, but empty is allowed. */
export function admitField(field: string, raw: string): Admission {
  const own = withoutOwnBlocks(raw)
  if (own.onlyBlocks) return { rejection: ownBlock() }
  const redacted = redact(normaliseText(own.text))
  const threats = scanThreats(redacted.text)
  if (threats.length > 0) return { rejection: threatFound(distinct(threats.map((hit) => hit.id)), field) }
  return { admitted: { text: redacted.text, masked: redacted.kinds, notices: [] } }
}

/** Trimmed, LF, NFC, no lone surrogates and no control characters but tab and line feed. */
export function normaliseText(raw: string): string {
  return wellFormed(raw)
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/g, '')
    .normalize('NFC')
    .trim()
}

function withoutOwnBlocks(raw: string): { text: string; onlyBlocks: boolean; notices: readonly string[] } {
  const text = stripOwnBlocks(raw)
  // A bare mention of a tag is no block; the fixed line of a fence that lost its tags still is.
  const isRest = isOwnBlock(escapeFenced(text))
  if (text === raw) return { text, onlyBlocks: isRest, notices: [] }
  return {
    text,
    onlyBlocks: isRest || text.trim() === '',
    notices: ['What Keepsake itself had put into the conversation was left out.'],
  }
}

function settleSensitive(
  text: string,
  mode: Config['sensitive'],
): { text: string; masked: readonly string[] } | { rejection: Rejection } {
  const found = mode === 'allow' ? null : findSensitive(text)
  if (!found) return { text, masked: [] }
  if (mode === 'refuse') return { rejection: sensitiveStatement(found.kind) }
  const masked = maskSensitive(text)
  if (isSecretOnly(masked.text)) return { rejection: sensitiveStatement(found.kind) }
  return { text: masked.text, masked: masked.kinds }
}

function maskedKinds(text: string): string[] {
  return distinct([...text.matchAll(/\[masked: ([a-z0-9-]+)\]/g)].map((match) => match[1] ?? ''))
}

function maskNotices(kinds: readonly string[]): string[] {
  return kinds.length === 0 ? [] : [`Masked before anything was stored: ${kinds.join(', ')}.`]
}

export function distinct(items: readonly string[]): string[] {
  return [...new Set(items)]
}
