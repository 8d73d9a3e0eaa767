/**
 * Which versions a project has of what it depends on: manifests say what is wanted, lock files what is there. Text only;
 * lock files are scanned for one name, because they may have megabytes. Pure.
 */
import { parseJson, settingsEntries } from './settings-entries.ts'

export interface VersionFound {
  /** As it is written, a range or a version. */
  readonly version: string
  /** From a lock file, or pinned. */
  readonly isExact: boolean
  readonly path: string
}

type Reader = (text: string, name: string) => readonly { version: string; isExact: boolean }[]

const exact = (version: string | undefined) => (version === undefined ? [] : [{ version, isExact: true }])
const wanted = (version: string | undefined) =>
  version === undefined ? [] : [{ version, isExact: /^[=v]?\d+\.\d+\.\d+[\w.+-]*$/.test(version.trim()) }]
const escaped = (name: string) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
/** Where several stand for one name, the last part of theirs counts: `github.com/go-chi/chi/v5` is chi. */
const goName = (name: string) => `(?:[\\w.-]+\\/)*${escaped(name)}(?:\\/v\\d+)?`

/** By the name of the file; lock files first, because they are exact. */
export const manifests: readonly (readonly [RegExp, Reader])[] = [
  [/^(?:package-lock|npm-shrinkwrap)\.json$/, fromPackageLock],
  [
    /^pnpm-lock\.yaml$/,
    (text, name) =>
      exact(
        new RegExp(
          `^ {6}['"]?${escaped(name)}['"]?:\\n(?: {8}specifier: .*\\n)? {8}version: ['"]?([\\d.]+[\\w.+-]*)`,
          'm',
        ).exec(text)?.[1] ?? new RegExp(`^ {2}['"]?/?${escaped(name)}@([\\d.]+[\\w.+-]*)`, 'm').exec(text)?.[1],
      ),
  ],
  [
    /^yarn\.lock$/,
    (text, name) =>
      exact(new RegExp(`^"?${escaped(name)}@[^\\n]*:\\n\\s+version:? "?([^"\\s]+)"?`, 'm').exec(text)?.[1]),
  ],
  [
    /^(?:Cargo|uv|poetry)\.lock$/,
    (text, name) => allOf(text, new RegExp(`^name = "${escaped(name)}"\\nversion = "([^"]+)"`, 'gim')),
  ],
  [/^Gemfile\.lock$/, (text, name) => exact(new RegExp(`^ {4}${escaped(name)} \\(([^)]+)\\)`, 'm').exec(text)?.[1])],
  [/^package\.json$/, fromPackageJson],
  [/^pyproject\.toml$|^requirements[\w-]*\.txt$/, fromPython],
  [/^Cargo\.toml$/, fromCargo],
  [/^go\.mod$/, fromGo],
  [/^\.nvmrc$|^\.node-version$/, (text, name) => (name === 'node' ? exact(versionIn(text)) : [])],
  [/^\.python-version$/, (text, name) => (name === 'python' ? exact(versionIn(text)) : [])],
  [/^rust-toolchain(?:\.toml)?$/, (text, name) => (name === 'rust' ? exact(versionIn(text)) : [])],
  [
    /^\.tool-versions$/,
    (text, name) =>
      exact(new RegExp(`^${name === 'node' ? 'nodejs' : escaped(name)}\\s+v?([\\d.]+)`, 'm').exec(text)?.[1]),
  ],
]

export function isManifest(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return manifests.some(([pattern]) => pattern.test(name))
}

/** Exact ones first. */
export function versionsIn(text: string, path: string, name: string): VersionFound[] {
  const file = path.slice(path.lastIndexOf('/') + 1)
  return manifests.flatMap(([pattern, read]) =>
    pattern.test(file) ? read(text, name).map((each) => ({ ...each, path })) : [],
  )
}

function versionIn(text: string): string | undefined {
  return /v?(\d+(?:\.\d+)*)/.exec(text)?.[1]
}

function allOf(text: string, pattern: RegExp) {
  return [...text.matchAll(pattern)].flatMap((match) => exact(match[1]))
}

function fromPackageLock(text: string, name: string) {
  const at = text.indexOf(`"node_modules/${name}": {`)
  const found = at < 0 ? undefined : /^\s*"version": "([^"]+)"/m.exec(text.slice(at, at + 1_000))?.[1]
  return exact(found)
}

const sections = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']

function fromPackageJson(text: string, name: string) {
  const entries = settingsEntries(text, 'package.json')
  const at = (key: string) => entries.find((entry) => entry.key === key)?.value
  if (name === 'node') return [...wanted(at('volta.node')), ...wanted(at('engines.node'))]
  const manager = at('packageManager')
  if (manager?.startsWith(`${name}@`)) return exact(manager.slice(name.length + 1).replace(/\+.*$/, ''))
  return sections.flatMap((section) => wanted(at(`${section}.${name}`))).filter(({ version }) => /\d/.test(version))
}

/** Whether a package is depended upon under this name, or brings a program of this name. */
export function dependencyNames(text: string): string[] {
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null) return []
  return sections.flatMap((section) => {
    const inner: unknown = Object.entries(value).find(([key]) => key === section)?.[1]
    return typeof inner === 'object' && inner !== null ? Object.keys(inner) : []
  })
}

function fromPython(text: string, name: string) {
  if (name === 'python') return wanted(/^\s*(?:requires-python|python)\s*=\s*"([^"]+)"/m.exec(text)?.[1])
  const spelled = escaped(name).replace(/[-_]/g, '[-_.]')
  const listed = new RegExp(
    `(?:^|["'\\s])${spelled}(?:\\[[^\\]]*\\])?\\s*((?:[=~<>!]=?|===)\\s*[\\d][^"'#;\\n]*)`,
    'im',
  ).exec(text)?.[1]
  const asKey = new RegExp(`^${spelled}\\s*=\\s*(?:"([^"]+)"|\\{[^}\\n]*version\\s*=\\s*"([^"]+)")`, 'im').exec(text)
  const found = listed ?? asKey?.[1] ?? asKey?.[2]
  return found === undefined ? [] : [{ version: found, isExact: /^==/.test(found.trim()) }]
}

function fromCargo(text: string, name: string) {
  if (name === 'rust') return wanted(/^\s*rust-version\s*=\s*"([^"]+)"/m.exec(text)?.[1])
  const found = new RegExp(`^${escaped(name)}\\s*=\\s*(?:"([^"]+)"|\\{[^}\\n]*version\\s*=\\s*"([^"]+)")`, 'im').exec(
    text,
  )
  const version = found?.[1] ?? found?.[2]
  return version === undefined ? [] : [{ version, isExact: false }]
}

function fromGo(text: string, name: string) {
  if (name === 'go') return exact(/^go (\d[\w.]*)/m.exec(text)?.[1])
  return exact(new RegExp(`^\\s*(?:require\\s+)?${goName(name)} v(\\d[\\w.+-]*)`, 'im').exec(text)?.[1])
}
