/** Invented notes, for the tests of this room. */
import type { StartNote } from './start-note.ts'

/** A fact of a project, with its number in everything that must differ. */
export function startNote(id: number, more: Partial<StartNote> = {}): StartNote {
  return {
    id: `01J${String(id).padStart(23, '0')}`,
    name: `note ${id}`,
    description: `description of note ${id}`,
    type: 'project',
    voice: 'fact',
    pinned: false,
    layer: 'projects/tidewater-0a1b2c3d',
    hash: 'c'.repeat(64),
    file: `project_note-${id}.md`,
    status: 'active',
    updated: '2026-11-20T09:00:00Z',
    appliesTo: [],
    mutes: [],
    expires: null,
    body: null,
    ...more,
  }
}
