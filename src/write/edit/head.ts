/**
 * Name and description of a note whose words changed: what was made from the old words is made anew from the new ones,
 * and words that were replaced are replaced there too. What somebody chose otherwise stays. Pure.
 */
import type { Note } from '../../domain/index.ts'
import { describe } from '../../store/notes/names.ts'
import { comparableName, oneLine } from '../../util/index.ts'
import { deriveName } from '../draft.ts'
import { freeName } from '../free-name.ts'
import type { Revision } from '../revise.ts'

/** Words that were replaced, where it was a replacement. */
export interface Swap {
  readonly find: string
  readonly text: string
}

/** `after` is the note as it reads with the new body alone. `taken`: comparable names of the other notes of its layer. */
export function headFor(before: Note, after: Note, taken: ReadonlySet<string>, swap: Swap | null): Revision {
  const description = describe(after.body)
  const nextDescription = before.description === describe(before.body) ? description : swapped(after.description, swap)
  const isNameMadeUp = comparableName(before.name) === comparableName(deriveName(before.body))
  const wanted = isNameMadeUp ? deriveName(after.body) : swapped(after.name, swap)
  const name = comparableName(wanted) === comparableName(after.name) ? after.name : freeName(wanted, taken)
  return {
    ...(nextDescription !== '' && nextDescription !== after.description ? { description: nextDescription } : {}),
    ...(name !== '' && name !== after.name ? { name } : {}),
  }
}

function swapped(text: string, swap: Swap | null): string {
  const find = oneLine(swap?.find ?? '')
  const at = find === '' ? -1 : text.indexOf(find)
  if (!swap || at === -1 || text.indexOf(find, at + 1) !== -1) return text
  return oneLine(text.slice(0, at) + swap.text + text.slice(at + find.length))
}
