/**
 * What may enter at all (spec W1, W4, W5, W6): own blocks out, well formed, bounded, masked, nothing sensitive, no
 * threat. Pure. Everything that goes on from here (note, evidence, proposal, index) comes from the admitted text, so
 * that no later step ever holds a secret.
 */
import type { Config, Rejection } from '../domain/index.ts'
import { findSensitive, isOwnBlock, redact, scanThreats, stripOwnBlocks } from '../guard/index.ts'
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

/** A statement can hide behind another; more than this many in one text is refused, not masked. */
const MAX_SENSITIVE_SPANS = 20

export function admitText(raw: string, sensitive: Config['sensitive']): Admission {
  const own = withoutOwnBlocks(raw)
  if (own.onlyBlocks) return { rejection: ownBlock() }
  const text = normaliseText(own.text)
  if (text === '') return { rejection: emptyText() }
  const characters = codePoints(text)
  if (characters > MAX_TEXT_CHARACTERS) return { rejection: tooLarge(characters) }
  const redacted = redact(text)
  if (redacted.kinds.length > 0 && isOnlySecret(redacted.text)) return { rejection: secretOnly(redacted.kinds) }
  const calm = settleSensitive(redacted.text, sensitive)
  if ('rejection' in calm) return calm
  const threats = scanThreats(calm.text)
  if (threats.length > 0) return { rejection: threatFound(distinct(threats.map((hit) => hit.id)), 'text') }
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
  return (
    wellFormed(raw)
      .replace(/^\uFEFF/, '')
      .replace(/\r\n?/g, '\n')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to take out
      .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/g, '')
      .normalize('NFC')
      .trim()
  )
}

function withoutOwnBlocks(raw: string): { text: string; onlyBlocks: boolean; notices: readonly string[] } {
  const text = stripOwnBlocks(raw)
  if (text === raw) return { text, onlyBlocks: isOwnBlock(text), notices: [] }
  return {
    text,
    onlyBlocks: text.trim() === '' || isOwnBlock(text),
    notices: ['What Keepsake itself had put into the conversation was left out.'],
  }
}

function settleSensitive(
  text: string,
  mode: Config['sensitive'],
): { text: string; masked: readonly string[] } | { rejection: Rejection } {
  if (mode === 'allow') return { text, masked: [] }
  const masked: string[] = []
  let rest = text
  for (let found = findSensitive(rest); found; found = findSensitive(rest)) {
    const removable = mode === 'mask' && masked.length < MAX_SENSITIVE_SPANS && rest.includes(found.excerpt)
    if (!removable) return { rejection: sensitiveStatement(found.kind) }
    rest = rest.replaceAll(found.excerpt, () => `[masked: ${found?.kind ?? 'sensitive'}]`)
    masked.push(found.kind)
    if (isOnlySecret(rest)) return { rejection: sensitiveStatement(found.kind) }
  }
  return { text: rest, masked }
}

/** Words that name a secret without saying anything about it. */
const secretWords =
  /\b(?:pass(?:word|wd|phrase|code)?|pwd|pin|api|access|auth(?:orization)?|secret|token|bearer|basic|key|credentials?|my|the|our|is|are|=)\b|密码|密碼|口令|密钥|密鑰|令牌|凭证|憑證|我的|是|为|為/gi

function isOnlySecret(text: string): boolean {
  const rest = text.replace(/\[masked:[^\]]*\]/g, ' ').replace(secretWords, ' ')
  return !/[\p{L}\p{N}]/u.test(rest)
}

function maskNotices(kinds: readonly string[]): string[] {
  return kinds.length === 0 ? [] : [`Masked before anything was stored: ${kinds.join(', ')}.`]
}

export function distinct(items: readonly string[]): string[] {
  return [...new Set(items)]
}
