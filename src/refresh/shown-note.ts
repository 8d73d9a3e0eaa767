/** A note for somebody who reads it: each line judged apart, so that one that attacks takes no other along. Pure. */
import { type ShownSessionNote, sessionNoteSections } from '../domain/index.ts'
import { safeText } from '../guard/index.ts'
import { formatSection, type SessionNote } from './note-document.ts'

export function shownNote({ head, sections }: SessionNote): ShownSessionNote {
  const text = sessionNoteSections.map((name) => formatSection(name, sections[name])).join('\n')
  const lines = text.split('\n').map((line) => safeText(line, 'line of the note').text)
  return { session: head.session, updated: head.updated, text: lines.join('\n') }
}
