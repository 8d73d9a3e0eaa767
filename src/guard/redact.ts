/**
 * Masks secrets (spec W5): the value goes, the fact that there was one stays, its kind is reported. What must stay
 * true: `redact(redact(x).text)` changes nothing, and text without a secret comes back as the same string.
 */
import { createListLook, toPieceLists } from './pieces.ts'
import { commandRules } from './secrets/command-rules.ts'
import { identifierRules } from './secrets/identifier-rules.ts'
import { passwordRules } from './secrets/password-rules.ts'
import type { SecretRule, Span } from './secrets/rule.ts'
import { serviceRules } from './secrets/service-rules.ts'
import { structureRules } from './secrets/structure-rules.ts'

export interface Redaction {
  readonly text: string
  /** Kinds that were masked by this call, each once, in order of their first place. */
  readonly kinds: string[]
}

/** In order of precedence: where two rules meet, the earlier one names the kind. */
export const secretRules: readonly SecretRule[] = [
  ...serviceRules,
  ...structureRules,
  ...commandRules,
  ...passwordRules,
  ...identifierRules,
]

const marker = /\[masked: [a-z0-9-]+\]/g

/** The rules with their first looks made ready. */
const { lists, numbers } = toPieceLists(secretRules.map(({ needs }) => (needs ? [needs] : [])))
const ruled = secretRules.map((rule, precedence) => ({ rule, precedence, needs: numbers[precedence] ?? [] }))
export const secretLooks = { lists, ruled }

/**
 * The rules that have to search this text, by precedence. The first run of a large pattern costs milliseconds and a hook
 * pays for each, so a text that cannot hold the secret must not reach it.
 */
export function rulesFor(text: string): { readonly rule: SecretRule; readonly precedence: number }[] {
  const look = createListLook(text.toLowerCase(), lists)
  return ruled.filter(({ rule, needs }) => needs.every(look) && (!rule.quick || rule.quick(text)))
}

/** Masking can bring two pieces together that match again, so it runs until nothing changes; two rounds are usual. */
const MAX_ROUNDS = 8

/** Masks every known kind of secret as `[masked: <kind>]`. Idempotent; never throws. */
export function redact(text: string): Redaction {
  const kinds = new Set<string>()
  let current = text
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const spans = secretSpans(current)
    if (spans.length === 0) break
    for (const span of spans) kinds.add(span.kind)
    current = maskSpans(current, spans)
  }
  return { text: current, kinds: [...kinds] }
}

/**
 * True when the text holds a secret and, without it, says nothing worth keeping: no words but those that announce
 * a secret ("my password is …", 密码是 …).
 */
export function isSecretOnly(text: string): boolean {
  const { text: masked } = redact(text)
  if (!masked.includes('[masked: ')) return false
  const rest = masked.replace(marker, ' ').replace(announcingWords, ' ')
  return !/[\p{L}\p{N}]/u.test(rest)
}

const announcingWords =
  /\b(?:my|our|the|a|an|is|are|was|this|that|here|here's|its|it's|it|of|for|to|and|please|pls|remember|note|save|store|keep|use|new|current|export|set|env|const|let|var|user|username|api|access|auth|bearer|authorization|basic|secret|private|public|key|keys|token|tokens|password|passwords|passwd|passphrase|pwd|pin|credential|credentials|login|card|number|ssn|iban|account|x)\b|[A-Z][A-Z0-9_]*(?:TOKEN|SECRET|PASSWORD|KEY)\b|请|帮我|记住|记下|记一下|保存|我的|我们的|这是|新的|的|是|为|登录|登入|密码|密碼|口令|令牌|密钥|密鑰|金鑰|私钥|凭证|憑證|身份证号?|卡号|银行卡号?|账号|号码/giu

/** Spans to mask, in order, without overlaps; what is masked already is left alone. */
function secretSpans(text: string): Span[] {
  const markers = [...text.matchAll(marker)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }))
  const found = windowsOf(text).flatMap(({ from, part }) =>
    rulesFor(part).flatMap(({ rule, precedence }) =>
      rule.find(part).map((span) => ({ ...span, start: span.start + from, end: span.end + from, precedence })),
    ),
  )
  const fresh = found
    .filter(
      (span) => span.end > span.start && !markers.some((each) => each.start <= span.start && span.end <= each.end),
    )
    .map((span) => ({ ...span, ...growOver({ ...span, end: characterEnd(text, span.end) }, markers) }))
  return mergeSpans(fresh)
}

/** A pattern that runs over more signs than this in one go can use up the stack. */
const MAX_WINDOW = 1_048_576
/** Far longer than a secret with the words before it. */
const OVERLAP = 65_536

/** A very long text in parts that overlap, so that each secret stands whole in one. */
function windowsOf(text: string): { readonly from: number; readonly part: string }[] {
  const windows = [{ from: 0, part: text.slice(0, MAX_WINDOW) }]
  for (let end = MAX_WINDOW; end < text.length; end += MAX_WINDOW - OVERLAP)
    windows.push({ from: end - OVERLAP, part: text.slice(end - OVERLAP, end - OVERLAP + MAX_WINDOW) })
  return windows
}

/** Never between the halves of a surrogate pair. */
function characterEnd(text: string, end: number): number {
  const isLow = /^[\uDC00-\uDFFF]/.test(text.charAt(end))
  return isLow && /^[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end + 1 : end
}

/** A span that meets a marker takes it in whole, so that no half marker is left. */
function growOver(span: Span, markers: readonly { start: number; end: number }[]): { start: number; end: number } {
  let { start, end } = span
  for (const each of markers) {
    if (each.end <= start || each.start >= end) continue
    start = Math.min(start, each.start)
    end = Math.max(end, each.end)
  }
  return { start, end }
}

function mergeSpans(spans: (Span & { precedence: number })[]): Span[] {
  const ordered = [...spans].sort((a, b) => a.start - b.start || b.end - a.end)
  const merged: (Span & { precedence: number })[] = []
  for (const span of ordered) {
    const last = merged.at(-1)
    if (!last || span.start >= last.end) {
      merged.push({ ...span })
      continue
    }
    last.end = Math.max(last.end, span.end)
    if (span.precedence < last.precedence) {
      last.kind = span.kind
      last.precedence = span.precedence
    }
  }
  return merged
}

function maskSpans(text: string, spans: readonly Span[]): string {
  const pieces: string[] = []
  let position = 0
  for (const span of spans) {
    pieces.push(text.slice(position, span.start), `[masked: ${span.kind}]`)
    position = span.end
  }
  pieces.push(text.slice(position))
  return pieces.join('')
}
