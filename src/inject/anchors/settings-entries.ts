/**
 * Settings files as a flat list of dotted keys and values, read tolerantly: JSON with comments, TOML, INI, YAML, `.env`,
 * unit files, nginx. Nothing is run or included; what is not understood is left out. Pure.
 */

export interface Entry {
  readonly key: string
  readonly value: string
}

/** More than any file that a person edits. */
const MAX_ENTRIES = 20_000
const MAX_DEPTH = 20

export function settingsEntries(text: string, path: string): readonly Entry[] {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (/\.ya?ml$/i.test(name)) return yamlEntries(text)
  if (/\.(?:jsonc?|json5)$/i.test(name) || /^\s*\{/.test(text)) return jsonEntries(text)
  return lineEntries(text)
}

/** All values of a key, which may leave out the beginning of its path. */
export function valuesOf(entries: readonly Entry[], key: string): string[] {
  const exact = entries.filter((entry) => entry.key === key)
  const found = exact.length > 0 ? exact : entries.filter((entry) => entry.key.endsWith(`.${key}`))
  return found.map(({ value }) => value)
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    try {
      return JSON.parse(withoutComments(text))
    } catch {
      // Damaged, or another format: nothing can be read from it.
      return null
    }
  }
}

/** Comments and commas before a closing bracket, outside strings. */
function withoutComments(text: string): string {
  return text
    .replace(/"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (found) => (found.startsWith('"') ? found : ''))
    .replace(/"(?:[^"\\\n]|\\.)*"|,(?=\s*[}\]])/g, (found) => (found.startsWith('"') ? found : ''))
}

function jsonEntries(text: string): Entry[] {
  const found: Entry[] = []
  const walk = (value: unknown, key: string, depth: number): void => {
    if (found.length >= MAX_ENTRIES || depth > MAX_DEPTH) return
    if (typeof value !== 'object' || value === null) return void found.push({ key, value: String(value) })
    if (key !== '') found.push({ key, value: JSON.stringify(value).slice(0, 200) })
    if (Array.isArray(value)) return
    for (const [name, inner] of Object.entries(value)) walk(inner, key === '' ? name : `${key}.${name}`, depth + 1)
  }
  walk(parseJson(text), '', 0)
  return found.filter(({ key }) => key !== '')
}

/** `[section]`, `key = value`, `KEY=value`, `key: value`, `key value;`. */
function lineEntries(text: string): Entry[] {
  const found: Entry[] = []
  let section = ''
  for (const line of text.split('\n')) {
    if (found.length >= MAX_ENTRIES) break
    const head = /^\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(?:[#;].*)?$/.exec(line)
    if (head) section = `${(head[1] ?? '').replace(/["'\s]/g, '')}.`
    const match =
      /^\s*(?:export\s+)?["']?([A-Za-z_][\w.-]*)["']?\s*(?:=|:)\s*(.*)$/.exec(line) ??
      /^\s*([A-Za-z_][\w-]*)\s+(.*);\s*(?:#.*)?$/.exec(line)
    if (match) found.push({ key: section + match[1], value: plainValue(match[2] ?? '') })
  }
  return found
}

/** By indentation; items of lists are left out. */
function yamlEntries(text: string): Entry[] {
  const found: Entry[] = []
  const open: { readonly indent: number; readonly key: string }[] = []
  for (const line of text.split('\n')) {
    if (found.length >= MAX_ENTRIES) break
    const match = /^(\s*)(?:- )?["']?([\w./@-]+)["']?\s*:(?:\s+(.*))?$/.exec(line)
    if (!match) continue
    const indent = (match[1] ?? '').length
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop()
    const key = [...open.map((each) => each.key), match[2] ?? ''].join('.')
    const value = plainValue(match[3] ?? '')
    if (value === '') open.push({ indent, key: match[2] ?? '' })
    found.push({ key, value })
  }
  return found
}

/** Without quotation marks and the comment behind it. */
function plainValue(text: string): string {
  const quoted = /^\s*(["'])(.*?)\1\s*,?\s*(?:[#;].*)?$/.exec(text)
  if (quoted) return quoted[2] ?? ''
  return text
    .replace(/\s+#.*$/, '')
    .trim()
    .replace(/,$/, '')
}
