/**
 * From text to terms, for rows and queries alike: what one side splits, folds or stems, the other must too, so both
 * call this file. Words are Porter stems of NFKC lower case; scripts written without spaces become bigrams, with the
 * last character of each run alone, so that a single character is found as the beginning of some term. Terms hold
 * letters, digits and marks only. Nothing here throws for any text.
 */
import { wellFormed } from '../../util/index.ts'
import { foldHanVariants } from './han-variants.ts'
import { porterStem } from './porter-stem.ts'

/** UTF-16 units of one text that are looked at; a longer one is found by its beginning. */
export const MAX_ANALYSED_LENGTH = 200_000
const MAX_TERM_LENGTH = 64
/** Stands between parts of a row that must not form a phrase; no term can equal it. */
export const TERM_BREAK = '¶'

/**
 * Scripts that put no spaces between words: Thai, Lao, Myanmar, Khmer, Han, kana, Hangul. Ranges and not \p{Script=…}:
 * compiling those classes would cost a hook several milliseconds.
 */
const unspaced =
  /[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\u{20000}-\u{3ffff}]+/gu
const lettersAndDigits = /[\p{L}\p{N}\p{M}]+/gu
const notAscii = /[^\x00-\x7f]/
const joiner = /^[._:'-]{1,4}$/
const camelEdge = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u

/** One piece of a text, in order. */
export type Piece =
  | {
      readonly kind: 'word'
      /** Lower-case parts of the word: `pre-edit`, `preEdit` and `pre_edit` have two. */
      readonly parts: readonly string[]
      /** Stems of the parts. */
      readonly stems: readonly string[]
      /** Stem of the parts written as one word; null for a plain word. */
      readonly joined: string | null
      /** Whether it is written with a capital first letter. */
      readonly capital: boolean
      readonly start: number
      readonly end: number
    }
  | { readonly kind: 'run'; readonly characters: readonly string[]; readonly start: number; readonly end: number }

/** NFKC without format characters and without accents; offsets of pieces count in this text. */
export function foldText(text: string): string {
  const part = wellFormed(text.slice(0, MAX_ANALYSED_LENGTH))
  if (!notAscii.test(part)) return part
  const accentless = part
    .normalize('NFKC')
    .replace(/\p{Cf}+/gu, '')
    .normalize('NFD')
    .replace(/[\u0300-\u036f]+/g, '')
    .normalize('NFC')
  return foldHanVariants(accentless).replace(/[’ʼ＇]/g, "'")
}

/** The pieces of a text that `foldText` made, in order. */
export function* piecesOf(folded: string): Generator<Piece> {
  let word: { parts: string[]; start: number; end: number } | null = null
  for (const segment of segmentsOf(folded)) {
    if (word && !segment.unspaced && joiner.test(folded.slice(word.end, segment.start))) {
      word.parts.push(segment.text)
      word.end = segment.start + segment.text.length
      continue
    }
    if (word) yield wordPiece(folded, word)
    const end = segment.start + segment.text.length
    word = segment.unspaced ? null : { parts: [segment.text], start: segment.start, end }
    if (segment.unspaced) yield { kind: 'run', characters: [...segment.text], start: segment.start, end }
  }
  if (word) yield wordPiece(folded, word)
}

interface Segment {
  readonly text: string
  readonly start: number
  readonly unspaced: boolean
}

/** Runs of letters and digits, cut where scripts with and without spaces meet: 用vitest写 has three. */
function* segmentsOf(folded: string): Generator<Segment> {
  for (const { 0: run, index } of folded.matchAll(lettersAndDigits)) {
    if (!notAscii.test(run)) {
      yield { text: run, start: index, unspaced: false }
      continue
    }
    let at = 0
    for (const match of run.matchAll(unspaced)) {
      if (match.index > at) yield { text: run.slice(at, match.index), start: index + at, unspaced: false }
      yield { text: match[0], start: index + match.index, unspaced: true }
      at = match.index + match[0].length
    }
    if (at < run.length) yield { text: run.slice(at), start: index + at, unspaced: false }
  }
}

function wordPiece(folded: string, word: { parts: string[]; start: number; end: number }): Piece {
  const { start, end } = word
  const written = joinApostrophes(folded.slice(start, end), word.parts)
  const sign = word.parts.length === 1 ? signAfter(folded, end) : ''
  const parts = sign ? [cutTerm(written.join('').toLowerCase() + sign)] : written.flatMap(splitCamel)
  return {
    kind: 'word',
    parts,
    stems: parts.map(porterStem),
    joined: parts.length > 1 ? porterStem(cutTerm(joinParts(parts))) : null,
    capital: isCapital(folded.charAt(start)),
    start,
    end,
  }
}

function isCapital(letter: string): boolean {
  return letter !== letter.toLowerCase()
}

/** `C++`, `C#`: the sign is part of the name. */
function signAfter(folded: string, end: number): string {
  const next = folded.charAt(end)
  if (next === '+' && folded.charAt(end + 1) === '+') return 'plusplus'
  return next === '#' && !/^[\p{L}\p{N}]/u.test(folded.slice(end + 1, end + 3)) ? 'sharp' : ''
}

/** Lower case, cut where a camel has its humps. */
function splitCamel(part: string): string[] {
  const lower = part.toLowerCase()
  if (part.length > MAX_TERM_LENGTH || part.slice(1) === lower.slice(1)) return [cutTerm(lower)]
  return part.split(camelEdge).map((hump) => hump.toLowerCase())
}

/** A possessive is no part of the name (`Bob's`), and `don't` is one word. */
function joinApostrophes(written: string, parts: readonly string[]): string[] {
  if (!written.includes("'")) return [...parts]
  const bare = written.replace(/'s(?![\p{L}\p{N}])/giu, '').replaceAll("'", '')
  return bare.match(lettersAndDigits) ?? []
}

/** `20.04` must not become the year 2004, so digits that meet keep a mark between them. */
function joinParts(parts: readonly string[]): string {
  return parts.reduce((all, part) => (/\d$/.test(all) && /^\d/.test(part) ? `${all}·${part}` : all + part))
}

function cutTerm(term: string): string {
  return term.length <= MAX_TERM_LENGTH ? term : wellFormed(term.slice(0, MAX_TERM_LENGTH)).replaceAll('\ufffd', '')
}

export interface TextTerms {
  /** Stems, as the words stand. */
  readonly words: readonly string[]
  /** Joined forms, and words as written where the stem differs: once each, for exact and prefix matches. */
  readonly extras: readonly string[]
  /** Bigrams of each run, then its last character. */
  readonly grams: readonly string[]
}

/** The terms of a text. */
export function analyseText(text: string): TextTerms {
  const words: string[] = []
  const extras = new Set<string>()
  const grams: string[] = []
  for (const piece of piecesOf(foldText(text))) {
    if (piece.kind === 'run') {
      for (const gram of gramsOf(piece.characters)) grams.push(gram)
      continue
    }
    piece.stems.forEach((stem, at) => {
      words.push(stem)
      const part = piece.parts[at]
      if (part !== undefined && part !== stem) extras.add(part)
    })
    if (piece.joined !== null) extras.add(piece.joined)
  }
  return { words, extras: [...extras], grams }
}

/** Bigrams of a run, then its last character: 守护进程 gives 守护, 护进, 进程, 程. */
export function gramsOf(characters: readonly string[]): string[] {
  return characters.map((character, at) => character + (characters[at + 1] ?? ''))
}

/** Whether a gram of a query is a single character, which is matched as the beginning of a term. */
export function isSingle(gram: string): boolean {
  return gram.length === ([...gram][0]?.length ?? 0)
}
