/** What waits for a person's yes, since when, and what is about to be gone unread. */
import type { Check, Clock } from '../domain/index.ts'
import { safeText } from '../guard/index.ts'
import { KEPT_DAYS, type Proposals } from '../store/proposals.ts'
import { warning } from './check.ts'

const DAY_MS = 86_400_000
/** Days before a proposal goes in which `status` says so. */
const NOTICE_DAYS = 14
const MAX_TOLD_FILES = 5

export async function checkProposals(proposals: Pick<Proposals, 'list'>, clock: Clock) {
  const { proposals: waiting, unreadable } = await proposals.list({ limit: Number.POSITIVE_INFINITY })
  const since = clock.now() - (KEPT_DAYS - NOTICE_DAYS) * DAY_MS
  const leaving = waiting.filter(({ created }) => Date.parse(created) < since).length
  const files = unreadable.slice(0, MAX_TOLD_FILES).map((file) => safeText(file, 'file name').text)
  const more = unreadable.length > files.length ? ` and ${unreadable.length - files.length} more` : ''
  const checks: Check[] = [
    ...(leaving > 0
      ? [warning('proposals', `${leaving} will be gone within ${NOTICE_DAYS} days, unread`, 'See keepsake review.')]
      : []),
    ...(files.length > 0
      ? [warning('proposals', `no proposal can be read from ${files.join(', ')}${more}`, 'Look at it, then remove it.')]
      : []),
  ]
  return { count: waiting.length, oldest: waiting.map(({ created }) => created).sort()[0] ?? null, checks }
}
