/** Versions: what the lock file has, else what the manifest asks for, against what the note says. */
import type { VersionAnchor } from './anchor.ts'
import { type Check, changed, gone, holds, NO_ANCHOR, notCheckable, notChecked, type Outcome } from './check.ts'
import { isManifest, type VersionFound, versionsIn } from './manifests.ts'

/** In the folder itself; those of packages inside it are asked of git. */
const rootFiles = [
  'package-lock.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'Cargo.lock',
  'uv.lock',
  'poetry.lock',
  'Gemfile.lock',
  '.nvmrc',
  '.node-version',
  '.python-version',
  '.tool-versions',
  'rust-toolchain.toml',
  'rust-toolchain',
  'package.json',
  'pyproject.toml',
  'requirements.txt',
  'Cargo.toml',
  'go.mod',
]
const MAX_INNER_MANIFESTS = 40

export async function checkVersion(anchor: VersionAnchor, check: Check): Promise<Outcome> {
  const { look, past } = check
  const { name, isSure } = anchor
  const atRoot = versionsNow(rootFiles, anchor, check)
  if (atRoot.length > 0) return compare(anchor, atRoot)
  if (!look.tree.hasHistory) return isSure ? notCheckable() : NO_ANCHOR
  check.tell(notChecked)
  const commit = await past.commit()
  const [now, before] = await Promise.all([innerManifests(null, check), commit && innerManifests(commit, check)])
  if (look.signal.aborted || now === null) return notChecked
  const inside = versionsNow(now, anchor, check)
  if (inside.length > 0) return compare(anchor, inside)
  const files = [...rootFiles, ...(before || [])]
  const then = await Promise.all(files.map((path) => past.at(path)))
  if (look.signal.aborted) return notChecked
  const had = then.some((each, at) => {
    const [entry, path] = [each?.entry, files[at]]
    return entry?.kind === 'file' && path !== undefined && versionsIn(entry.text ?? '', path, name).length > 0
  })
  return had ? gone('no longer a dependency') : isSure ? notCheckable() : NO_ANCHOR
}

function versionsNow(paths: readonly string[], { name }: VersionAnchor, { look }: Check): VersionFound[] {
  return paths.flatMap((path) => {
    const text = look.textNow(path)
    return text === null ? [] : versionsIn(text, path, name)
  })
}

/** Nearest to the top first. */
async function innerManifests(commit: string | null, { look }: Check): Promise<readonly string[] | null> {
  const files = await look.files(commit)
  if (files === null) return null
  const depth = (path: string) => path.split('/').length
  return files
    .filter(
      (path) =>
        path.includes('/') && isManifest(path) && !/(?:^|\/)(?:node_modules|fixtures?|testdata|vendor)\//.test(path),
    )
    .sort((one, other) => depth(one) - depth(other) || (one < other ? -1 : 1))
    .slice(0, MAX_INNER_MANIFESTS)
}

function compare({ version, isAtLeast }: VersionAnchor, found: readonly VersionFound[]): Outcome {
  const exact = found.filter(({ isExact }) => isExact)
  const counting = exact.length > 0 ? exact : found
  const numbers = counting.map((each) => lowest(each.version)).filter((each) => each !== '')
  if (numbers.length === 0) return notCheckable()
  const fits = (each: string) => (isAtLeast ? order(each, version) >= 0 : startsWith(each, version))
  if (!numbers.some(fits) && exact.length === 0 && counting.some((each) => allows(each.version, version)))
    return notCheckable()
  return numbers.some(fits) ? holds() : changed(`${numbers[0]}${exact.length > 0 ? '' : ' or later'} now`)
}

/** A range that begins below and may reach the version: what is there is not known. */
function allows(range: string, version: string): boolean {
  const from = lowest(range)
  const isOpen = /^\s*>/.test(range)
  return from !== '' && order(version, from) > 0 && (isOpen || from.split('.')[0] === version.split('.')[0])
}

/** The first number of a range: what it begins at. */
function lowest(version: string): string {
  return /\d+(?:\.\d+)*(?:-[\w.]+)?/.exec(version)?.[0] ?? ''
}

/** 4.1.12 is 4.1; where less is wanted than is said (">=4.1" and 4.1.12), what is there decides. */
function startsWith(whole: string, beginning: string): boolean {
  const [has, wants] = [whole.split('.'), beginning.split('.')]
  return wants.slice(0, has.length).every((part, at) => part === has[at])
}

function order(one: string, other: string): number {
  const [left, right] = [one, other].map((each) => each.split(/[.-]/).map((part) => Number.parseInt(part, 10) || 0))
  for (let at = 0; at < Math.max(left?.length ?? 0, right?.length ?? 0); at++) {
    const difference = (left?.[at] ?? 0) - (right?.[at] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
