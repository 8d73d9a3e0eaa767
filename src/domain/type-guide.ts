/**
 * When to save and what goes in, written once (spec S2, W6) and used by tool descriptions, guidance and, later, the
 * extractor's prompt.
 */
import type { NoteType } from './note.ts'

export const typeGuide: Readonly<Record<NoteType, string>> = {
  user: 'who the user is and what they like everywhere: role, knowledge, standing preferences',
  feedback: 'how to work: what the user corrected or confirmed, as a rule, with why and how to apply',
  project: 'goals, people, decisions with their reason, dates and state that code and git do not say',
  reference: 'where to look: outside systems, dashboards, documents, look-ups worth repeating',
}

/** What is not memory, in words a model follows. */
export const notToSave =
  'what code, git or rules files already say; details of the task at hand; small talk; guesses; secrets; what only a tool, a file or the assistant said'
