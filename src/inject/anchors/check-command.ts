/**
 * Commands, by what they need: the script, target or file must be there. Where it is there, and the note says of it what
 * was true of its text then and is not now ("`npm test` runs jest"), it has changed. Nothing is run.
 */
import type { CommandAnchor } from './anchor.ts'
import { type Check, changed, gone, holds, NO_ANCHOR, notCheckable, notChecked, type Outcome } from './check.ts'
import { checkPath, isUntouched } from './check-path.ts'
import { isCargoOwn } from './find-commands.ts'
import { dependencyNames } from './manifests.ts'
import { cargoAliases, includesOthers, type Recipes, recipesOf, scriptsOf, targetsOf } from './recipes.ts'

const MAX_SHOWN = 60
const MAX_INNER_PACKAGES = 40

export async function checkCommand(anchor: CommandAnchor, check: Check): Promise<Outcome> {
  const { need, isSure } = anchor
  switch (need.kind) {
    case 'script':
      return checkScript(need.name, isSure, check)
    case 'target':
      return need.of === 'make'
        ? checkRecipe(
            { name: need.name, isSure, files: ['Makefile', 'makefile', 'GNUmakefile'], read: targetsOf },
            check,
          )
        : checkRecipe({ name: need.name, isSure, files: ['justfile', 'Justfile', '.justfile'], read: recipesOf }, check)
    case 'cargo':
      return checkCargo(need.name, isSure, check)
    case 'tool':
      return checkTool(need.name, check)
    case 'file':
      return checkPath({ ...anchor, kind: 'path', path: need.path }, check)
    case 'module':
      return checkModule(need.name, check)
  }
}

interface Recipe {
  readonly name: string
  readonly isSure: boolean
  /** The first that is there counts. */
  readonly files: readonly string[]
  readonly read: (text: string) => Recipes
}

async function checkRecipe({ name, isSure, files, read }: Recipe, check: Check): Promise<Outcome> {
  const { look, past } = check
  const file = files.find((each) => look.textNow(each) !== null)
  const text = file === undefined ? null : look.textNow(file)
  const now = text === null ? undefined : read(text).get(name)
  if (now !== undefined && file !== undefined) return compareText(name, { file, now, read }, check)
  if (text !== null && includesOthers(text)) return isSure ? notCheckable() : NO_ANCHOR
  if (!look.tree.hasHistory) return isSure && text !== null ? gone() : isSure ? notCheckable() : NO_ANCHOR
  check.tell(isSure && text !== null ? gone() : notChecked)
  const then = await Promise.all(files.map((each) => past.at(each)))
  if (look.signal.aborted) return notChecked
  const had = then.some((each) => each?.entry?.kind === 'file' && read(each.entry.text ?? '').has(name))
  if (had) return gone()
  return !isSure ? NO_ANCHOR : text !== null ? gone() : notCheckable()
}

interface Present {
  readonly file: string
  readonly now: string
  readonly read: (text: string) => Recipes
}

async function compareText(name: string, { file, now, read }: Present, check: Check): Promise<Outcome> {
  const { look, past, sentence } = check
  if (!look.tree.hasHistory || isUntouched(file, check)) return holds()
  const then = await past.at(file)
  if (look.signal.aborted) return notChecked
  const before = then?.entry?.kind === 'file' ? read(then.entry.text ?? '').get(name) : undefined
  if (before === undefined || before === now) return holds()
  const [said, left] = [wordsOf(sentence), wordsOf(now)]
  const isLost = [...wordsOf(before)].some((word) => said.has(word) && !left.has(word))
  return isLost ? changed(`now: ${shown(now)}`) : holds()
}

/** Words of a command that a note may repeat: names of programs, files, options. */
function wordsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[a-z][a-z0-9_]{2,}/g) ?? []
  return new Set(
    words.filter((word) => !['run', 'npm', 'node', 'the', 'and', 'for', 'all', 'src', 'test'].includes(word)),
  )
}

function shown(text: string): string {
  const line = text.trim().split('\n')[0] ?? ''
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line
}

async function checkScript(name: string, isSure: boolean, check: Check): Promise<Outcome> {
  const { look, past } = check
  const text = look.textNow('package.json')
  const now = text === null ? undefined : scriptsOf(text).get(name)
  if (now !== undefined) return compareText(name, { file: 'package.json', now, read: scriptsOf }, check)
  if (!look.tree.hasHistory) return isSure && text !== null ? gone() : isSure ? notCheckable() : NO_ANCHOR
  check.tell(notChecked)
  const commit = await past.commit()
  const [inner, before] = await Promise.all([packages(null, check), commit ? packages(commit, check) : []])
  if (look.signal.aborted || inner === null) return notChecked
  const holder = inner.find((path) => scriptsOf(look.textNow(path) ?? '').has(name))
  const had = await wereThere(name, before ?? [], check)
  if (look.signal.aborted) return notChecked
  if (holder !== undefined) return had.includes('package.json') ? changed(`now in ${holder}`) : holds()
  if (had.length > 0) return gone()
  return !isSure ? NO_ANCHOR : text !== null || inner.length > 0 ? gone() : notCheckable()
}

async function packages(commit: string | null, { look }: Check): Promise<readonly string[] | null> {
  const files = await look.files(commit)
  if (files === null) return null
  const inner = files.filter((path) => /(?:^|\/)package\.json$/.test(path) && !/(?:^|\/)node_modules\//.test(path))
  return inner.sort((one, other) => one.length - other.length).slice(0, MAX_INNER_PACKAGES)
}

/** The files that held the script when the note was written. */
async function wereThere(name: string, files: readonly string[], { past }: Check): Promise<readonly string[]> {
  const then = await Promise.all(files.map((path) => past.at(path)))
  return files.filter((_, at) => {
    const entry = then[at]?.entry
    return entry?.kind === 'file' && scriptsOf(entry.text ?? '').has(name)
  })
}

async function checkCargo(name: string, isSure: boolean, check: Check): Promise<Outcome> {
  const { look } = check
  const files = ['.cargo/config.toml', '.cargo/config']
  const isAlias = files.some((file) => cargoAliases(look.textNow(file) ?? '').has(name))
  if (isAlias) return checkRecipe({ name, isSure, files, read: cargoAliases }, check)
  if (isCargoOwn(name))
    return look.tree.entryAt('Cargo.toml') === 'file' ? holds() : isSure ? notCheckable() : NO_ANCHOR
  const outcome = await checkRecipe({ name, isSure: false, files, read: cargoAliases }, check)
  // Cargo takes commands from anywhere: one that was never an alias is a program of its own.
  return outcome === NO_ANCHOR && isSure ? notCheckable() : outcome
}

async function checkTool(name: string, check: Check): Promise<Outcome> {
  const { look, past } = check
  const isDependency = (text: string | null) =>
    text !== null &&
    dependencyNames(text).some((each) => each === name || each.split('/').some((part) => bringsProgram(part, name)))
  const now = look.textNow('package.json')
  if (isDependency(now) || look.tree.entryAt(`node_modules/.bin/${name}`) !== 'absent') return holds()
  if (!look.tree.hasHistory) return notCheckable()
  check.tell(notChecked)
  const then = await past.at('package.json')
  if (look.signal.aborted) return notChecked
  const had = then?.entry?.kind === 'file' && isDependency(then.entry.text)
  return had ? changed('no longer a dependency') : notCheckable()
}

function bringsProgram(part: string, name: string): boolean {
  return part === name || part === `@${name}` || part === `@${name}js` || part === `${name}js` || part === `@${name}s`
}

async function checkModule(name: string, check: Check): Promise<Outcome> {
  const { look, past } = check
  const path = name.replaceAll('.', '/')
  const places = ['', 'src/'].flatMap((base) => [`${base}${path}.py`, `${base}${path}/__main__.py`])
  if (places.some((each) => look.tree.entryAt(each) === 'file')) return holds()
  if (!look.tree.hasHistory) return notCheckable()
  check.tell(notChecked)
  const then = await Promise.all(places.map((each) => past.at(each)))
  if (look.signal.aborted) return notChecked
  const at = then.findIndex((each) => each?.entry?.kind === 'file')
  const [place, commit] = [places[at], then[at]?.commit]
  // A module that was never here is one of the language or of a library.
  if (place === undefined || commit === undefined) return notCheckable()
  const moved = await look.newPlaceOf(commit, place)
  return moved === null ? gone() : changed(`moved to ${moved}`)
}
