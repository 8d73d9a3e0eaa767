/** Branches and tags by plain looks at the files of a repository: no program, cheap enough for a hook. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const MAX_PACKED_BYTES = 8_388_608
const MAX_REMOTES = 50

/** Null when it cannot be told: names kept in another form than files, or not readable. */
export function hasLooseRef(commonDirectory: string, kind: 'branch' | 'tag', name: string): boolean | null {
  if (!isRefName(name)) return null
  if (statSync(join(commonDirectory, 'reftable'), { throwIfNoEntry: false }) !== undefined) return null
  try {
    const full =
      kind === 'tag'
        ? [`refs/tags/${name}`]
        : [`refs/heads/${name}`, ...remotesOf(commonDirectory).map((remote) => `refs/remotes/${remote}/${name}`)]
    // A remote's branch is also named with the remote before it.
    if (kind === 'branch') full.push(`refs/remotes/${name}`)
    if (full.some((each) => statSync(join(commonDirectory, each), { throwIfNoEntry: false })?.isFile())) return true
    const packed = packedRefs(commonDirectory)
    return packed === null ? null : full.some((each) => packed.includes(` ${each}\n`))
  } catch {
    // Not readable.
    return null
  }
}

/** As git allows them, and none that leads anywhere else as a path. */
export function isRefName(name: string): boolean {
  if (!/^[\p{L}\p{N}_][\p{L}\p{N}_./+#@-]{0,199}$/u.test(name)) return false
  return !/\.\.|\/\/|\/\.|@\{|\.lock(?:\/|$)|[./]$/.test(name)
}

function remotesOf(commonDirectory: string): readonly string[] {
  const folder = join(commonDirectory, 'refs', 'remotes')
  const loose = statSync(folder, { throwIfNoEntry: false }) === undefined ? [] : readdirSync(folder)
  return [...new Set(['origin', 'upstream', ...loose])].slice(0, MAX_REMOTES)
}

/** An empty text when there is none. */
function packedRefs(commonDirectory: string): string | null {
  const file = join(commonDirectory, 'packed-refs')
  const stat = statSync(file, { throwIfNoEntry: false })
  if (stat === undefined) return ''
  return stat.isFile() && stat.size <= MAX_PACKED_BYTES ? readFileSync(file, 'utf8') : null
}
