/** Rules that both drivers of the session store share. Pure. */
import type { Session } from '../../domain/index.ts'
import { MemoryError } from '../../errors.ts'

/** What is stored after `given` met `known`: the contract of `putSession`. */
export function mergeSession(known: Session, given: Session): Session {
  return {
    id: known.id,
    agent: known.agent,
    project: known.project ?? given.project,
    title: given.title ?? known.title,
    tags: known.tags.length > 0 ? known.tags : given.tags,
    branch: given.branch ?? known.branch,
    cwd: known.cwd ?? given.cwd,
    started: known.started ?? given.started,
    ended: laterTime(known.ended, given.ended),
    summary: known.summary ?? given.summary,
    parent: known.parent ?? given.parent,
  }
}

/** Milliseconds of an ISO time for ordering, null when there is none or it cannot be read. */
export function timeOf(iso: string | null): number | null {
  const ms = iso === null ? Number.NaN : Date.parse(iso)
  return Number.isNaN(ms) ? null : ms
}

export function sessionNotFound(reference: string): MemoryError {
  return new MemoryError('SESSION_NOT_FOUND', `No captured session ${reference}`, {
    hint: 'List them with `keepsake sessions`.',
    data: { reference },
  })
}

/** A replay of the first part of a conversation must not move its end back. */
function laterTime(known: string | null, given: string | null): string | null {
  if (known === null || given === null) return known ?? given
  return (timeOf(given) ?? 0) > (timeOf(known) ?? 0) ? given : known
}
