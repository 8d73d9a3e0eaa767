/** A person's own template and prompt of session notes: one that is not used is named. */
import type { Check } from '../domain/index.ts'
import { attempt, warning } from './check.ts'
import type { SessionNotesAccess } from './session-notes.ts'

export function checkSessionNotes(notes: Pick<SessionNotesAccess, 'wording'>): Check[] {
  const found = attempt(() => notes.wording().problems)
  const problems = 'error' in found ? [found.error] : found.value
  return problems.map((problem) =>
    warning('session notes', problem, 'Mend or remove the file; ours is used meanwhile.'),
  )
}
