/**
 * Changes that wait for a person's yes (spec W11): one file each under `proposals/`. One per note and operation, the
 * newer replaces; after 90 days they are gone. Never injected, never recalled.
 */
import { lstatSync, readdirSync, readFileSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Clock,
  evidenceRoles,
  homeFiles,
  type IdSource,
  isoSeconds,
  type Proposal,
  proposalOperations,
  proposalQuestions,
} from '../domain/index.ts'
import { fromFileSystemError, systemCode } from '../errors.ts'
import { removeQuietly, writeWholeFile } from './notes/atomic-write.ts'

export type NewProposal = Omit<Proposal, 'id' | 'created'>

export interface ProposalList {
  /** Newest first. */
  readonly proposals: readonly Proposal[]
  readonly omitted: number
  /** Files that hold no proposal. */
  readonly unreadable: readonly string[]
}

export interface Proposals {
  /** `proposed` and `base` must be masked already. Durable when it resolves. */
  put(proposal: NewProposal): Promise<Proposal>
  /**
   * The same for a question, which must not push a change aside or be asked twice: null when something about this note
   * waits already, unless it is the same question about older bytes.
   */
  ask(proposal: NewProposal): Promise<Proposal | null>
  list(options: { readonly limit: number }): Promise<ProposalList>
  /** The one with this whole id, or null. */
  get(id: string): Promise<Proposal | null>
  /** Other words under the same id. Durable when it resolves. */
  replace(proposal: Proposal): Promise<void>
  /** False when it was gone already: somebody else decided it. */
  remove(id: string): Promise<boolean>
  count(): Promise<number>
}

export interface ProposalsOptions {
  readonly home: string
  readonly clock: Clock
  readonly ids: IdSource
}

/** Days that a proposal waits. */
export const KEPT_DAYS = 90
const DAY_MS = 86_400_000
/** A proposal holds one note, before and after; anything larger is not ours. */
const MAX_FILE_BYTES = 4_194_304
/** Ids come from callers and become file names. */
const ID = /^[0-9A-Z]{6,40}$/

export function createProposals(options: ProposalsOptions): Proposals {
  const folder = join(options.home, homeFiles.proposals)
  const oldestMs = () => options.clock.now() - KEPT_DAYS * DAY_MS
  const read = () => readFolder(folder, oldestMs())
  const fileOf = (id: string) => join(folder, `${id}.json`)
  const put = async (proposal: NewProposal) => {
    const whole: Proposal = { ...proposal, id: options.ids.next(), created: isoSeconds(options.clock.now()) }
    await writeWholeFile(fileOf(whole.id), bytesOf(whole), { exclusive: true })
    for (const file of read().surplus) removeQuietly(join(folder, file))
    return whole
  }
  return {
    put,
    async ask(proposal) {
      const waiting = read().proposals.find((each) => subjectOf(each) === subjectOf(proposal))
      const isOlder = waiting?.asks === proposal.asks && waiting.baseHash !== proposal.baseHash
      return waiting && !isOlder ? null : put(proposal)
    },
    async list({ limit }) {
      const { proposals, unreadable } = read()
      return { proposals: proposals.slice(0, limit), omitted: Math.max(0, proposals.length - limit), unreadable }
    },
    async get(id) {
      const found = ID.test(id) ? readProposal(fileOf(id)) : null
      return found?.id === id && Date.parse(found.created) >= oldestMs() ? found : null
    },
    async replace(proposal) {
      await writeWholeFile(fileOf(proposal.id), bytesOf(proposal))
    },
    remove: async (id) => ID.test(id) && removeFile(fileOf(id)),
    count: async () => read().proposals.length,
  }
}

function bytesOf(proposal: Proposal): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(proposal, null, 2)}\n`)
}

function removeFile(file: string): boolean {
  try {
    unlinkSync(file)
    return true
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return false
    throw fromFileSystemError(error, file)
  }
}

/** One proposal for each of these. */
function subjectOf({ layer, operation, noteId, file }: NewProposal): string {
  return JSON.stringify([layer, operation, noteId ?? file])
}

/** The standing proposals, newest first; `surplus` names files that are too old or were replaced. */
function readFolder(folder: string, oldestMs: number) {
  const proposals: Proposal[] = []
  const surplus: string[] = []
  const unreadable: string[] = []
  const taken = new Set<string>()
  for (const name of proposalFiles(folder)) {
    const proposal = readProposal(join(folder, name))
    if (!proposal || name !== `${proposal.id}.json`) {
      unreadable.push(name)
      continue
    }
    const subject = subjectOf(proposal)
    if (Date.parse(proposal.created) < oldestMs || taken.has(subject)) surplus.push(name)
    else proposals.push(proposal)
    taken.add(subject)
  }
  return { proposals, surplus, unreadable }
}

/** Newest first: ULIDs sort by time. */
function proposalFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
      .sort()
      .reverse()
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return []
    throw fromFileSystemError(error, folder)
  }
}

function readProposal(file: string): Proposal | null {
  try {
    const stat = lstatSync(file)
    // Reading a pipe would wait for ever, and a link leads out of the home.
    if (!stat.isFile() || stat.size > MAX_FILE_BYTES) return null
    return proposalFrom(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    // Damaged or gone meanwhile: the list names the file, the others still count.
    return null
  }
}

function proposalFrom(value: unknown): Proposal | null {
  if (typeof value !== 'object' || value === null) return null
  // What 0.1.0 wrote has none of these three. Every property is checked below before the object counts as a proposal.
  const found = { asks: 'change', base: null, from: null, ...value } as { [key in keyof Proposal]?: unknown }
  const texts = [found.id, found.layer, found.file, found.author, found.reason, found.created]
  if (!texts.every((text) => typeof text === 'string')) return null
  const textsOrNull = [found.noteId, found.baseHash, found.base, found.proposed, found.from]
  if (!textsOrNull.every((text) => text === null || typeof text === 'string')) return null
  const isKnown = isOneOf(proposalOperations, found.operation) && isOneOf(proposalQuestions, found.asks)
  // One that is of no known time would wait for ever, and nothing could decide it.
  const isDated = typeof found.created === 'string' && !Number.isNaN(Date.parse(found.created))
  const isGrounded = Array.isArray(found.evidence) && found.evidence.every(isEvidence)
  return isKnown && isDated && isGrounded ? (found as Proposal) : null
}

function isEvidence(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { role, ...texts } = { session: null, message: null, time: null, quote: null, hash: null, role: null, ...value }
  const named = [texts.session, texts.message, texts.time, texts.quote, texts.hash]
  return isOneOf(evidenceRoles, role) && named.every((text) => text === null || typeof text === 'string')
}

function isOneOf(known: readonly string[], value: unknown): boolean {
  return typeof value === 'string' && known.includes(value)
}
