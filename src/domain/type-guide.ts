/**
 * When to save and what goes in, written once (spec S2, W6) and used by tool descriptions, guidance and, later, the
 * extractor's prompt.
 */
import type { NoteType } from './note.ts'

export const typeGuide: Readonly<Record<NoteType, string>> = {
  user: 'who the user is: role, knowledge, standing preferences',
  feedback: 'how to work, as the user corrected or confirmed it: the rule, why, how to apply',
  project: 'goals, people, dates, decisions with their reason',
  reference: 'where to look: outside systems, documents, look-ups worth repeating',
}

/** What is not memory, in words a model follows. */
export const notToSave =
  'what code, git or rules files say; details of this task; small talk; guesses; secrets; what only a tool, file or assistant said'
