/**
 * A start block as it is kept for one conversation, read from JSON and changed by nothing but forgetting: the line goes,
 * a fixed marker stands in its place, every other byte stays.
 */
import type { Block, BlockEntry, BlockPiece, PieceNote } from '../domain/index.ts'

/** One conversation, in the dialect of one agent, at one place. */
export interface KeptBlockKey {
  /** `<agent>:<native id>` */
  readonly session: string
  readonly agent: string
  /** Path of the project's root; empty outside any project. Another project has other notes, so it has another block. */
  readonly place: string
}

export interface KeptBlock extends KeptBlockKey, Pick<Block, 'text' | 'entries' | 'omitted'> {
  readonly pieces: readonly BlockPiece[]
  /** UTC ISO 8601. */
  readonly made: string
  /** Lines that were taken out since. */
  readonly forgotten: number
}

export const FORGOTTEN_LINE = '- [forgotten]'

/** The same block when nothing of it is meant; null when a line that must go cannot be found in it. */
export function withoutLines(kept: KeptBlock, isGone: (piece: BlockPiece) => boolean): KeptBlock | null {
  const gone = kept.pieces.filter(isGone)
  if (gone.length === 0) return kept
  let { text } = kept
  for (const piece of gone) {
    const start = text.indexOf(`\n${piece.text}\n`) + 1
    if (start === 0) return null
    text = `${text.slice(0, start)}${FORGOTTEN_LINE}${text.slice(start + piece.text.length)}`
  }
  const pieces = kept.pieces.filter((piece) => !gone.includes(piece))
  const left = new Set(pieces.flatMap(({ note }) => note?.version?.id ?? []))
  const ids = new Set(gone.flatMap(({ note }) => note?.version?.id ?? []).filter((id) => !left.has(id)))
  const entries = kept.entries.filter(({ id }) => !ids.has(id))
  return { ...kept, text, entries, pieces, forgotten: kept.forgotten + gone.length }
}

/** Null for anything that is no kept block. */
export function keptBlockFrom(text: string): KeptBlock | null {
  const value = objectFrom(text)
  if (value === null) return null
  const { session, agent, place, made, omitted, forgotten, entries, pieces } = value
  const texts = [session, agent, place, made, value.text]
  const isWhole =
    texts.every((each) => typeof each === 'string') &&
    typeof omitted === 'number' &&
    typeof forgotten === 'number' &&
    !Number.isNaN(Date.parse(String(made))) &&
    Array.isArray(entries) &&
    entries.every(isEntry) &&
    Array.isArray(pieces) &&
    pieces.every(isPiece)
  // Each property was looked at above.
  return isWhole ? (value as unknown as KeptBlock) : null
}

function objectFrom(text: string): Readonly<Record<string, unknown>> | null {
  try {
    return recordOf(JSON.parse(text))
  } catch {
    // Torn or written by somebody else: it counts as damaged, and the block is made anew.
    return null
  }
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> | null {
  // Every property is unknown until it is looked at.
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
}

function isEntry(value: unknown): value is BlockEntry {
  const entry = recordOf(value)
  const texts = [entry?.id, entry?.name, entry?.layer, entry?.section, entry?.why]
  return texts.every((each) => typeof each === 'string') && typeof entry?.bytes === 'number'
}

function isPiece(value: unknown): value is BlockPiece {
  const piece = recordOf(value)
  if (piece === null || typeof piece.text !== 'string') return false
  return (
    (piece.note === null || isPieceNote(piece.note)) && (piece.session === null || typeof piece.session === 'string')
  )
}

function isPieceNote(value: unknown): value is PieceNote {
  const note = recordOf(value)
  if (note === null || typeof note.name !== 'string') return false
  if (note.version === null) return true
  const version = recordOf(note.version)
  return [version?.id, version?.layer, version?.file, version?.hash].every((each) => typeof each === 'string')
}
