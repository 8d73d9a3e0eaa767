/**
 * `review`: a person's yes or no to what waits (spec W11), and to what is kept (R10). It is a person's act: no tool of an agent, no import and no
 * background work calls it, and a program that embeds Keepsake may call it only for what its user decided.
 */
import type { Evidence } from './evidence.ts'
import type { LayerName, WritableLayer } from './layer.ts'
import type { NoteSummary, NoteType } from './note.ts'
import type { ProposalOperation, ProposalQuestion } from './proposal.ts'
import type { TrustSignal } from './trust.ts'

export interface ReviewFilter {
  /** `project` is the project of here. Default: every layer of the home. */
  readonly layer?: WritableLayer
  /** `person`, the name of an agent, `file`. */
  readonly author?: string
  readonly operation?: ProposalOperation
}

export interface ReviewList extends ReviewFilter {
  readonly action: 'list'
  /** 1..500, default 50. */
  readonly limit?: number
  readonly cursor?: string
}

export interface ReviewShow {
  readonly action: 'show'
  /** Id, unique start of it, or unique end of it; 6 characters or more. */
  readonly id: string
}

/** Which proposals a decision is about: these, or every one that matches. */
export type ReviewChoice = { readonly ids: readonly string[] } | ({ readonly all: true } & ReviewFilter)

export type ReviewApprove = ReviewChoice & {
  readonly action: 'approve'
  /**
   * The person read the text that the threat scan names and wants it kept: it is then shown fenced and marked, never as
   * a rule. One proposal at a time.
   */
  readonly confirmThreat?: boolean
  /** Judge everything, change nothing. */
  readonly dryRun?: boolean
  readonly signal?: AbortSignal
}

export type ReviewReject = ReviewChoice & {
  readonly action: 'reject'
  readonly dryRun?: boolean
  readonly signal?: AbortSignal
}

export interface ReviewEdit {
  readonly action: 'edit'
  readonly id: string
  /** The new text of the note, without front matter. */
  readonly text: string
  /** Approve it in the same step. */
  readonly approve?: boolean
  readonly confirmThreat?: boolean
  readonly signal?: AbortSignal
}

/** A person's word on a note that is kept: it was of use, or it was wrong. It moves the note's trust (spec R10), once a day. */
export interface ReviewNote {
  readonly action: TrustSignal
  /** Id, unique id prefix, file name or name. */
  readonly note: string
}

export type ReviewInput = ReviewList | ReviewShow | ReviewApprove | ReviewReject | ReviewEdit | ReviewNote

/**
 * What a yes would do now. `ready`: as proposed. `rebased`: the note changed, the change still applies. `stale`: it does
 * not. `done`: it is so already. `refused`: it cannot be approved as it is.
 */
export type ProposalState = 'ready' | 'rebased' | 'stale' | 'done' | 'refused'

export interface ProposalSummary {
  readonly id: string
  /** The end of the id, as short as it is unique among what waits. */
  readonly shortId: string
  readonly layer: LayerName
  readonly layerKey: string
  readonly asks: ProposalQuestion
  readonly operation: ProposalOperation
  /** Of the note. */
  readonly name: string
  readonly type: NoteType | null
  readonly noteId: string | null
  readonly author: string
  readonly reason: string
  /** UTC ISO 8601. */
  readonly created: string
  readonly state: ProposalState
  /** Why it is not `ready`, one sentence; else null. */
  readonly why: string | null
}

/** One proposal with what it would change and what it rests on. */
export interface ProposalView extends ProposalSummary {
  /** Absolute path of the note. */
  readonly file: string
  /** From the note as it was to what is proposed: unified lines, masked, a marker where they attack. */
  readonly diff: string
  /** From the note as it was to what it is now; empty when nothing changed meanwhile. */
  readonly changedSince: string
  /** Lines of both that are not shown. */
  readonly omittedLines: number
  /** The proposed text of the note, masked: what `edit` begins with. Null for a removal, and where it attacks. */
  readonly text: string | null
  readonly evidence: readonly Evidence[]
}

export type ReviewRefusal =
  | 'threat'
  | 'secret'
  | 'path'
  | 'format'
  | 'too-large'
  | 'empty'
  | 'own-block'
  | 'sensitive'
  | 'forgotten'
  | 'layer-off'
  | 'layer-read-only'
  | 'layer-gone'
  | 'home-newer'
  | 'name-taken'
  | 'profile-full'
  | 'busy'
  | 'store'

/** What became of one proposal. */
export interface ReviewOutcome {
  /** As stored; as given when none was found. */
  readonly id: string
  /**
   * `applied`: as proposed, also when an earlier approval did it already. `rebased`: onto the newer text. `stale`: not
   * possible any more, it waits on, and `view` shows both versions. `edited`: it waits with the new text. `not-found`:
   * there is none, or somebody decided it meanwhile. `ambiguous`: several begin or end so.
   */
  readonly outcome: 'applied' | 'rebased' | 'edited' | 'rejected' | 'stale' | 'refused' | 'not-found' | 'ambiguous'
  /** Null when none was found. */
  readonly proposal: ProposalSummary | null
  readonly refusal: ReviewRefusal | null
  /** One sentence; what to do next when it was not done. */
  readonly message: string
  /** Of a stale one: what changed meanwhile and what was proposed. */
  readonly view: ProposalView | null
  /** What `undo` takes, when something was written and recorded. */
  readonly undo: string | null
}

export interface ReviewResult {
  /** `list`: grouped by layer, question and operation, newest first. */
  readonly proposals: readonly ProposalSummary[]
  /** `show`: the one. */
  readonly proposal: ProposalView | null
  /** `helped`, `misled`: the note, with its trust now. */
  readonly note?: NoteSummary
  /** Of a decision, in the order in which it was carried out. */
  readonly outcomes: readonly ReviewOutcome[]
  /** `list`: all that match. A decision: what waits now. */
  readonly total: number
  readonly nextCursor: string | null
  readonly notices: readonly string[]
}
