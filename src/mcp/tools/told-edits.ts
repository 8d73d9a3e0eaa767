/** What became of edits, in plain sentences for an agent. Stored text stands in a fence. */
import { type EditedEntry, type EditResult, type Entry, type ProfileUsage, profileHeader } from '../../domain/index.ts'
import { escapeFenced, fence } from '../../guard/index.ts'
import { cutCodePoints, oneLine } from '../../util/index.ts'
import { answer, refusal, type ToolAnswer } from '../answer.ts'

/** Code points of an entry that is told back: enough to see what became of it. */
const MAX_TOLD_CHARACTERS = 1_000

export function toldEdits(result: EditResult): ToolAnswer {
  const masked = result.masked.length > 0 ? `Masked before storing: ${result.masked.join(', ')}.` : ''
  const similar = nearNotes(result)
  const profile = profileSentence(result.profile)
  if (result.outcome === 'rejected') {
    const which = result.edit > 1 || result.reason.code === 'profile-full' ? ` at edit ${result.edit}` : ''
    return refusal(
      `Not saved (${result.reason.code}${which}): ${escapeFenced(result.reason.message)}`,
      result.reason.hint,
      present(result),
      profile,
      similar,
    )
  }
  if (result.outcome === 'proposed')
    return answer(
      `Waits for the user's yes: ${escapeFenced(result.reason)} Tell the user in one line; only they can approve.`,
      ...result.notices.map(escapeFenced),
      masked,
      profile,
      similar,
    )
  const isChanged = result.outcome !== 'unchanged'
  return answer(
    ...result.entries.map(entrySentence),
    stored(result.entries),
    isChanged ? 'Tell the user in one line.' : '',
    ...result.notices.map(escapeFenced),
    masked,
    profile,
    similar,
  )
}

const words: Readonly<Record<EditedEntry['action'], string>> = {
  add: 'Saved as a new version',
  replace: 'Replaced',
  remove: 'Removed',
  move: 'Moved',
}

function entrySentence({ action, outcome, note }: EditedEntry): string {
  const place = `${note.type}, ${note.layer}${note.pinned ? ', profile' : ''}, ${note.id}`
  const what =
    outcome === 'unchanged'
      ? 'Already so, nothing changed'
      : outcome === 'written' && action === 'add'
        ? 'Saved'
        : words[action]
  return `${what}: ${escapeFenced(oneLine(note.name))} (${place}).`
}

/** The entries as they are stored now; of a removed one what it said. */
function stored(entries: readonly EditedEntry[]): string {
  const texts = entries.map(({ action, text }) => `${action === 'remove' ? 'Removed: ' : ''}${cut(text)}`)
  return texts.length === 0 ? '' : `As stored:\n${fence('facts', texts.join('\n§\n'))}`
}

function present({ entries, omittedEntries }: { readonly entries: readonly Entry[]; readonly omittedEntries: number }) {
  if (entries.length === 0) return ''
  const lines = entries.map(({ note, line, text }) => `- ${note.id} line ${line}: ${text}`)
  const more = omittedEntries > 0 ? `\n${omittedEntries} more are not shown; memory_search finds them.` : ''
  return `Entries there now:\n${fence('facts', lines.join('\n'))}${more}`
}

function profileSentence(profile: readonly ProfileUsage[]): string {
  return profile.length === 0 ? '' : `Profile: ${profile.map(profileHeader).join(', ')}.`
}

function nearNotes({ similar }: EditResult): string {
  const near = similar
    .slice(0, 5)
    .map(({ name, id, description }) => `- ${oneLine(name)} (${id}): ${oneLine(description)}`)
  return near.length > 0 ? `Near notes, in case one should be updated instead:\n${fence('facts', near.join('\n'))}` : ''
}

function cut(text: string): string {
  const head = cutCodePoints(text, MAX_TOLD_CHARACTERS)
  return head === text ? text : `${head}…`
}
