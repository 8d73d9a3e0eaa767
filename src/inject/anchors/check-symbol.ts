/**
 * Names of code. One that the note puts in a file holds only while that file defines it; one without a file holds while
 * anything defines it. What was never defined here is the name of something else: a library, a program.
 */
import type { SymbolAnchor } from './anchor.ts'
import {
  type Answer,
  type Check,
  changed,
  gone,
  holds,
  NO_ANCHOR,
  notCheckable,
  notChecked,
  type Outcome,
} from './check.ts'
import { isUntouched } from './check-path.ts'
import { mentionsOf } from './definitions.ts'
import { isIgnored } from './ignored-paths.ts'
import { definedNumber, isOutdated, mayBeOutdated, shownLine, statedNumber, valuesOn } from './stated-value.ts'
import type { Found } from './working-tree.ts'

export async function checkSymbol(anchor: SymbolAnchor, check: Check): Promise<Outcome> {
  const { path } = anchor
  const text = path === null ? null : check.look.textNow(path)
  if (path === null) return checkAnywhere(anchor, check)
  if (text !== null && definesAll(anchor, text, path)) return checkValue(anchor, text, path, check)
  if (isIgnored(check.look.tree, path)) return anchor.isSure ? notCheckable() : NO_ANCHOR
  return checkMoved(anchor, path, text, check)
}

/** It is defined where the note says: with the value that the note says, if it says one. */
async function checkValue({ name }: SymbolAnchor, text: string, path: string, check: Check): Promise<Answer> {
  const { look, past, sentence } = check
  const mentions = mentionsOf(name)
  const now = mentions.definingIn(text, path)
  if (isOtherNumber(sentence, name, now)) return changed(`now: ${shownLine(now)}`)
  if (!look.tree.hasHistory || !mayBeOutdated(sentence, name, valuesOn(now, name)) || isUntouched(path, check))
    return holds()
  const then = await past.at(path)
  if (look.signal.aborted) return notChecked
  const before = then?.entry?.kind === 'file' ? mentions.definingIn(then.entry.text ?? '', path) : []
  return compareValues({ name, sentence, before, now })
}

/** No history is needed where note and code each give one number. */
function isOtherNumber(sentence: string, name: string, now: readonly string[]): boolean {
  const [said, is] = [statedNumber(sentence, name), definedNumber(now, name)]
  return said !== null && is !== null && Number(said) !== Number(is)
}

interface Values {
  readonly name: string
  readonly sentence: string
  readonly before: readonly string[]
  readonly now: readonly string[]
}

function compareValues({ name, sentence, before, now }: Values): Answer {
  const isSame = !isOutdated(sentence, valuesOn(before, name), valuesOn(now, name))
  return isSame ? holds() : changed(`now: ${shownLine(now)}`)
}

/** The file that the note names does not define it (any more). */
async function checkMoved(anchor: SymbolAnchor, path: string, text: string | null, check: Check): Promise<Outcome> {
  const { look, past } = check
  const { name, isSure } = anchor
  const isMentioned = text !== null && mentionsOf(name).in(text, path) !== null
  if (!isSure || isMentioned) check.tell(notChecked)
  else check.tell(gone(`not in ${path}`))
  if (!look.tree.hasHistory) return isSure && !isMentioned ? gone(`not in ${path}`) : unknown(anchor)
  const [found, then] = await Promise.all([look.linesWith(name, null), past.at(path)])
  if (look.signal.aborted) return notChecked
  const before =
    then?.entry?.kind === 'file' && then.entry.text !== null ? mentionsOf(name).in(then.entry.text, path) : null
  const others = definingFiles(name, found, path)
  // The note leaves out the beginning of the path.
  if (others.some((file) => file.endsWith(`/${path}`))) return holds()
  if (before === 'definition' || isSure) {
    if (others[0] !== undefined) return changed(`now in ${others[0]}`)
    if (before === 'definition' || !isMentioned) return isSearched(found) ? gone() : notChecked
  }
  // It was never defined there: a key, a call, a word. It holds as long as it stands there.
  if (before !== null) return isMentioned ? holds() : gone(`not in ${path}`)
  return unknown(anchor)
}

async function checkAnywhere(anchor: SymbolAnchor, check: Check): Promise<Outcome> {
  const { look, past, sentence } = check
  const { name, owner } = anchor
  check.tell(notChecked)
  if (!look.tree.hasHistory) return unknown(anchor)
  const [found, owners] = await Promise.all([look.linesWith(name, null), owner && look.linesWith(owner, null)])
  if (look.signal.aborted || found === null) return notChecked
  const files = definingFiles(name, found, null)
  const holders = owner === null ? null : new Set(filesWith(owners || null))
  const now = definingLines(name, found, holders)
  if (isOtherNumber(sentence, name, now)) return changed(`now: ${shownLine(now)}`)
  if (now.length > 0 && !mayBeOutdated(sentence, name, valuesOn(now, name))) return holds()
  if (!found.isComplete) return notChecked
  const commit = await past.commit()
  const before = commit === null ? null : await look.linesWith(name, commit)
  if (look.signal.aborted) return notChecked
  if (now.length > 0) return compareValues({ name, sentence, before: definingLines(name, before, null), now })
  if (definingFiles(name, before, null).length > 0)
    return owner === null || files.length === 0 ? gone() : notCheckable()
  if (owner === null) return unknown(anchor)
  // `Foo.bar()` where Foo is ours and never had a bar.
  const ownerBefore = commit === null ? null : await look.linesWith(owner, commit)
  const isOwnerOurs = [owners || null, ownerBefore].some((each) => definesType(owner, each))
  if (!isOwnerOurs) return NO_ANCHOR
  // Where the owner is, the name is too: in a form of definition that is not known here.
  return filesWith(found).some((file) => holders?.has(file)) ? notCheckable() : gone()
}

function unknown({ isSure, owner }: SymbolAnchor): Outcome {
  return isSure && owner === null ? notCheckable() : NO_ANCHOR
}

function definesAll({ name, owner }: SymbolAnchor, text: string, path: string): boolean {
  return mentionsOf(name).in(text, path) === 'definition' && (owner === null || mentionsOf(owner).isIn(text))
}

/** Fewest files first, so that what is told is stable. */
function definingFiles(name: string, found: Found | null, except: string | null): string[] {
  const mentions = mentionsOf(name)
  const files = (found?.lines ?? []).flatMap(({ path, text }) =>
    path !== except && mentions.isIn(text) && mentions.of(text, path) === 'definition' ? [path] : [],
  )
  return [...new Set(files)].sort((one, other) => one.length - other.length || (one < other ? -1 : 1))
}

/** `within`: only lines of these files. */
function definingLines(name: string, found: Found | null, within: ReadonlySet<string> | null): string[] {
  const mentions = mentionsOf(name)
  return (found?.lines ?? []).flatMap(({ path, text }) =>
    within === null || within.has(path) ? mentions.definingIn(text, path) : [],
  )
}

function filesWith(found: Found | null): string[] {
  return (found?.lines ?? []).map(({ path }) => path)
}

/** A name of a type, not of a variable that anything may have. */
function definesType(name: string, found: Found | null): boolean {
  return /^[A-Z]/.test(name) && definingFiles(name, found, null).length > 0
}

function isSearched(found: Found | null): boolean {
  return found?.isComplete === true
}
