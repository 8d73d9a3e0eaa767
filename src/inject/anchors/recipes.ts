/** Named commands of a project as name and text: scripts of package.json, targets of make and just, aliases of cargo. Pure. */
import { parseJson, settingsEntries } from './settings-entries.ts'

const MAX_RECIPES = 2_000

export type Recipes = ReadonlyMap<string, string>

export function scriptsOf(text: string): Recipes {
  const value = parseJson(text)
  const scripts = typeof value === 'object' && value !== null && 'scripts' in value ? value.scripts : null
  if (typeof scripts !== 'object' || scripts === null) return new Map()
  return new Map(Object.entries(scripts).map(([name, script]) => [name, String(script)]))
}

/** Targets with the lines below them; a rule with a pattern has no name. */
export function targetsOf(text: string): Recipes {
  return blocksOf(text, /^([\w./ $(){}-]+?)\s*::?(?!=)([^=]*)$/, (head) => head.split(/\s+/))
}

export function recipesOf(text: string): Recipes {
  const recipes = blocksOf(text, /^@?([A-Za-z_][\w-]*)(?:\s+[^:=]*(?:=[^:]*)?)?\s*:(?!=)(.*)$/, (head) => [head])
  for (const match of text.matchAll(/^alias\s+([\w-]+)\s*:=\s*([\w-]+)/gm))
    recipes.set(match[1] ?? '', recipes.get(match[2] ?? '') ?? '')
  return recipes
}

export function cargoAliases(text: string): Recipes {
  const entries = settingsEntries(text, 'config.toml').filter(({ key }) => key.startsWith('alias.'))
  return new Map(entries.map(({ key, value }) => [key.slice('alias.'.length), value]))
}

/** Whether other files take part, which are not read. */
export function includesOthers(text: string): boolean {
  return /^(?:-?include|sinclude|import|mod)\s/m.test(text)
}

function blocksOf(text: string, head: RegExp, namesOf: (head: string) => readonly string[]): Map<string, string> {
  const found = new Map<string, string>()
  let open: readonly string[] = []
  for (const line of text.split('\n')) {
    const match = /^[\s#.]/.test(line) ? null : head.exec(line)
    if (match) open = namesOf((match[1] ?? '').trim())
    else if (!/^\s/.test(line)) open = []
    const words = match ? (match[2] ?? '') : line
    for (const name of open) if (found.size < MAX_RECIPES) found.set(name, `${found.get(name) ?? ''}${words.trim()}\n`)
  }
  return found
}
