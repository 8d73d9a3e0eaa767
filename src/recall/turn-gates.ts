/** Whether a message may call up notes at all (spec I3). Asked before anything is searched, by hooks and library alike. */
import type { TurnGate } from '../domain/index.ts'
import { stripOwnBlocks } from '../guard/index.ts'
import { foldText, piecesOf } from '../store/search-index/analyse.ts'

/** UTF-16 units of a message that are looked at for words. */
const MAX_UNITS = 2_000

export interface TurnAsked {
  readonly isOn: boolean
  readonly prompt: string
  /** UTF-8 bytes of turn blocks that the conversation shows already, and that it may show. */
  readonly spentBytes: number
  readonly maxBytes: number
}

/** The first gate that is closed, or null when the message may be answered. */
export function closedGate({ isOn, prompt, spentBytes, maxBytes }: TurnAsked): TurnGate | null {
  if (!isOn) return 'off'
  const words = ownWords(prompt).trim()
  if (words === '') return 'no message'
  if (spentBytes >= maxBytes) return 'no budget'
  return isEnoughToSearch(words.slice(0, MAX_UNITS)) ? null : 'few words'
}

/** What a message holds besides blocks of ours that came back with it. */
export function ownWords(prompt: string): string {
  return stripOwnBlocks(prompt)
}

/** At least two words, or four characters of a script without spaces, or one of each. */
export function isEnoughToSearch(text: string): boolean {
  let words = 0
  let characters = 0
  for (const piece of piecesOf(foldText(text))) {
    if (piece.kind === 'word') words++
    else characters += piece.characters.length
    if (words >= 2 || characters >= 4 || (words > 0 && characters > 0)) return true
  }
  return false
}
