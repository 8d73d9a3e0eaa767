/** Door of the room. */
export type { FactsRules } from './conversation-facts.ts'
export {
  createNoteDesk,
  createSessionNotes,
  type NoteDesk,
  SESSION_NOTE,
  type SessionNotes,
  type SessionNotesDependencies,
} from './session-notes.ts'
export { tellNote } from './tell-note.ts'
