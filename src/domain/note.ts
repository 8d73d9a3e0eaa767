/** One memory, one Markdown file (spec S1). Nouns only; reading and writing live in store/notes. */
import type { Evidence } from './evidence.ts'
import type { UseCount } from './note-use.ts'
import type { Standing } from './standing.ts'

/** Closed set (spec S2). */
export const noteTypes = ['user', 'feedback', 'project', 'reference'] as const
export type NoteType = (typeof noteTypes)[number]

export const noteStatuses = ['active', 'archived', 'superseded'] as const
export type NoteStatus = (typeof noteStatuses)[number]

export const DEFAULT_CONFIDENCE = 0.5

/** What is wrong with a file. Its bytes stay untouched; its body is still searchable where it can be decoded. */
export interface NoteProblem {
  readonly kind:
    | 'front-matter-malformed'
    | 'front-matter-unclosed'
    | 'key-repeated'
    | 'not-utf8'
    | 'value-invalid'
    | 'id-repeated'
    | 'too-large'
  /** 1-based line in the file, null when it concerns the whole file. */
  readonly line: number | null
  readonly message: string
}

/** Everything read from one file. Every field is filled: from front matter, else derived (spec S1). */
export interface Note {
  /** ULID from front matter, else derived from layer and path (`idDerived`). */
  readonly id: string
  readonly idDerived: boolean
  /** Key of the layer the file lies in: `global` or `projects/<folder>`. */
  readonly layer: string
  /** Path below the layer's folder, `/` separated. */
  readonly file: string
  readonly name: string
  /** One line; what the index shows. */
  readonly description: string
  readonly type: NoteType
  /** UTC ISO 8601, or null for a bare file. */
  readonly created: string | null
  readonly updated: string | null
  readonly source: readonly Evidence[]
  /** 0..1 */
  readonly confidence: number
  readonly status: NoteStatus
  readonly pinned: boolean
  readonly tags: readonly string[]
  /** Other names of what the note is called after; together with its name they mean the same in a search (spec R3, R10). */
  readonly aliases: readonly string[]
  /** Ids or names of notes that this one replaced. */
  readonly supersedes: readonly string[]
  /** A date or a condition, as written. */
  readonly expires: string | null
  readonly appliesTo: readonly string[]
  /** Ids of notes of farther layers that do not count where this one does (spec S5). */
  readonly mutes: readonly string[]
  /** Text after the front matter, as stored (LF or CRLF as in the file). */
  readonly body: string
  /** SHA-256 (hex) of the bytes. */
  readonly hash: string
  readonly problems: readonly NoteProblem[]
}

/** What lists, indexes and outcomes show of a note: no body, no evidence. */
export interface NoteSummary {
  readonly id: string
  readonly name: string
  readonly type: NoteType
  /** `global` or `project` (what people say), not the key. */
  readonly layer: string
  /** Absolute path. */
  readonly file: string
  readonly description: string
  readonly updated: string | null
  readonly pinned: boolean
  readonly status: NoteStatus
  /** Whether it counts in this place; given by `list` and `read` (spec S5). */
  readonly standing?: Standing
  /** What it earned, 0..1, 0.5 untried; given by `list` and `read` (spec R10). */
  readonly trust?: number
  /** In how many sessions it was cited or opened, and when last; given by `list` and `read` (spec I7). */
  readonly uses?: UseCount
}

/** A note that lies near a new one. `update`: the new one says something else of the same thing; nothing was replaced. */
export interface NearNote extends NoteSummary {
  readonly relation?: 'update'
}

/** How much of the words of a new text another note must hold to be called near. */
export const NEAR_COVERAGE = 0.3
