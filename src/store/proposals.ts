/**
 * Changes that wait for a person's yes (spec W11): one file each under `proposals/`. One per note and operation, the
 * newer replaces; after 90 days they are gone. Never injected, never recalled.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, homeFiles, type IdSource, isoSeconds, type Proposal } from '../domain/index.ts'
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
  /** `proposed` must be masked already. Durable when it resolves. */
  put(proposal: NewProposal): Promise<Proposal>
  list(options: { readonly limit: number }): Promise<ProposalList>
  count(): Promise<number>
}

export interface ProposalsOptions {
  readonly home: string
  readonly clock: Clock
  readonly ids: IdSource
}

const KEPT_DAYS = 90
const DAY_MS = 86_400_000
/** A proposal holds one note; anything larger is not ours. */
const MAX_FILE_BYTES = 4_194_304

export function createProposals(options: ProposalsOptions): Proposals {
  const folder = join(options.home, homeFiles.proposals)
  const read = () => readFolder(folder, options.clock.now() - KEPT_DAYS * DAY_MS)
  return {
    async put(proposal) {
      const whole: Proposal = { ...proposal, id: options.ids.next(), created: isoSeconds(options.clock.now()) }
      const bytes = new TextEncoder().encode(`${JSON.stringify(whole, null, 2)}\n`)
      await writeWholeFile(join(folder, `${whole.id}.json`), bytes, { exclusive: true })
      for (const file of read().surplus) removeQuietly(join(folder, file))
      return whole
    },
    async list({ limit }) {
      const { proposals, unreadable } = read()
      return { proposals: proposals.slice(0, limit), omitted: Math.max(0, proposals.length - limit), unreadable }
    },
    count: async () => read().proposals.length,
  }
}

/** The standing proposals, newest first; `surplus` names files that are too old or were replaced. */
function readFolder(folder: string, oldestMs: number) {
  const proposals: Proposal[] = []
  const surplus: string[] = []
  const unreadable: string[] = []
  const taken = new Set<string>()
  for (const name of proposalFiles(folder)) {
    const proposal = readProposal(join(folder, name))
    if (!proposal) {
      unreadable.push(name)
      continue
    }
    const subject = JSON.stringify([proposal.layer, proposal.operation, proposal.noteId ?? proposal.file])
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
    if (statSync(file).size > MAX_FILE_BYTES) return null
    return proposalFrom(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    // Damaged or gone meanwhile: the list names the file, the others still count.
    return null
  }
}

const operations: readonly string[] = ['create', 'patch', 'remove', 'move'] satisfies Proposal['operation'][]

function proposalFrom(value: unknown): Proposal | null {
  if (typeof value !== 'object' || value === null) return null
  // Every property is checked below before the object counts as a proposal.
  const found = value as { [key in keyof Proposal]?: unknown }
  const texts = [found.id, found.layer, found.file, found.author, found.reason, found.created]
  if (!texts.every((text) => typeof text === 'string')) return null
  if (![found.noteId, found.baseHash, found.proposed].every((text) => text === null || typeof text === 'string'))
    return null
  if (typeof found.operation !== 'string' || !operations.includes(found.operation)) return null
  return Array.isArray(found.evidence) ? (value as Proposal) : null
}
