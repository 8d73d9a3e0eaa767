/**
 * One spelling for the address of a git remote: `host/path`, without credentials, default port, `.git` or trailing
 * slash; a folder on this machine is its path. Pure. Two spellings of one repository compare equal; what cannot be read
 * is null and joins nothing.
 */
import { isAbsolute, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const defaultPorts: Readonly<Record<string, string>> = { 'ssh:': '22', 'git:': '9418', 'http:': '80', 'https:': '443' }
/** Other doors of the same hosts. */
const hostAliases: Readonly<Record<string, string>> = {
  'ssh.github.com': 'github.com',
  'www.github.com': 'github.com',
  'altssh.gitlab.com': 'gitlab.com',
  'altssh.bitbucket.org': 'bitbucket.org',
}
/** Hosts that do not tell upper from lower case in paths. */
const caseInsensitiveHosts = new Set(['github.com', 'gitlab.com', 'bitbucket.org'])

/** `base` is the folder that relative paths start from. */
export function normaliseRemote(address: string, base: string): string | null {
  const text = address.trim()
  if (text === '' || text.includes('\0')) return null
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return fromUrl(text)
  const short = /^(?:[^@/\\]+@)?(\[[^\]]+\]|[^:/\\]{2,}):(?!\/\/)(.+)$/.exec(text)
  if (short?.[1] && short[2]) return joined(short[1], short[2])
  return folder(isAbsolute(text) ? text : resolve(base, text))
}

function fromUrl(text: string): string | null {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    // No address that this or any other program could use.
    return null
  }
  if (url.protocol === 'file:') return folder(pathOfFileUrl(url))
  const protocol = url.protocol.replace(/^git\+/, '')
  const isDefault = url.port === '' || url.port === defaultPorts[protocol] || url.hostname in hostAliases
  return joined(isDefault ? url.hostname : `${url.hostname}:${url.port}`, decoded(url.pathname))
}

function pathOfFileUrl(url: URL): string | null {
  try {
    return fileURLToPath(url)
  } catch {
    // A file address with a host: no folder of this machine.
    return null
  }
}

function joined(host: string, path: string): string | null {
  const lower = host.toLowerCase()
  const known = hostAliases[lower] ?? lower
  const plain = trimmed(path).replace(/^\/+/, '')
  if (plain === '') return null
  return `${known}/${caseInsensitiveHosts.has(known) ? plain.toLowerCase() : plain}`
}

function folder(path: string | null): string | null {
  return path === null ? null : trimmed(path) || null
}

function trimmed(path: string): string {
  return path
    .replace(/\/+$/, '')
    .replace(/\/?\.git$/, '')
    .replace(/\/{2,}/g, '/')
    .normalize('NFC')
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    // A stray percent sign: taken as it is written.
    return path
  }
}
