/**
 * Files and folders that a text names. A path is sure when its form can be nothing else: an extension that files of
 * projects have, a slash at its end, a dot at its beginning. Patterns, places outside and product names are left alone.
 */
import type { PathAnchor } from './anchor.ts'
import { tickedSpans } from './prose.ts'

const extensions =
  'tsx?|[cm]ts|jsx?|[cm]js|jsonc?|json5|jsonl|mdx?|ya?ml|toml|ini|cfg|conf|env|lock|py|pyi|ipynb|rs|go|mod|sum|java|kts?|scala|rb|php|cs|fs|swift|mm?|cc?|cpp|cxx|hh?|hpp|sh|bash|zsh|fish|ps1|bat|sql|prisma|graphql|gql|proto|html?|css|s[ac]ss|less|vue|svelte|astro|xml|svg|png|jpe?g|gif|webp|ico|csv|tsv|db|sqlite3?|txt|log|pdf|wasm|zig|ex|exs|erl|hs|clj|lua|r|jl|dart|tf|tfvars|nix|gradle|properties|service|plist|j2|tmpl|tpl|hbs|ejs|snap|patch|diff|pem|crt|ttf|woff2?'
const known = new RegExp(`\\.(?:${extensions})$`, 'i')
/** Files without an extension, or that are one. */
const bareNames =
  /^(?:Makefile|GNUmakefile|Dockerfile(?:\.[\w-]+)?|Procfile|Jenkinsfile|Vagrantfile|Gemfile|Rakefile|Justfile|justfile|Brewfile|Caddyfile|LICENSE|CODEOWNERS|\.env(?:\.[\w-]+)*|\.nvmrc|\.npmrc|\.node-version|\.python-version|\.tool-versions|\.editorconfig|\.dockerignore|\.gitignore|\.gitattributes|\.gitmodules|\.(?:prettier|eslint|stylelint|babel|swc|browserslist)\w*)$/
/** Products, and calls that end like a file. */
const productName = /^(?:[A-Z][A-Za-z0-9]*\.(?:js|ts|io|ai|net|py|rs)|(?:console|logger|Math)\.\w+)$/

/** Of ASCII characters. Behind it stands nothing that makes it part of a pattern or a template. */
const plainPath = /(?<![\w@/\\.~$%*{}<>=-])(?:\.{1,2}\/|\/)?(?:[\w@.+-]+[/\\])*[\w@.+-]*\w\/?(?![\w/\\]|[*{<$])/g
/** The whole of what stands between ticks may also hold letters of any language, and brackets of routes. */
const tickedPath = /^(?:\.{0,2}\/)?[\p{L}\p{N}_@.+()[\]/-]+$/u
const TRAILING = /[.,;:!?]+$/

export function findPaths(prose: string, root: string | null): PathAnchor[] {
  const ticked = tickedSpans(prose).flatMap(({ text, at }) =>
    tickedPath.test(text) ? anchorOf(text, at, { isTicked: true, root }) : [],
  )
  const isInTicked = (place: number) => ticked.some(({ at, end }) => place >= at && place < end)
  const plain = [...prose.matchAll(plainPath)].flatMap((match) => {
    if (isInTicked(match.index)) return []
    const text = match[0].replace(TRAILING, '')
    const isTicked = prose[match.index - 1] === '`' && prose[match.index + text.length] === '`'
    return anchorOf(text, match.index, { isTicked, root })
  })
  return [...ticked, ...plain]
}

interface Around {
  readonly isTicked: boolean
  readonly root: string | null
}

function anchorOf(text: string, at: number, around: Around): PathAnchor[] {
  const path = pathOf(text, around.root)
  if (path === null) return outsidePath(text) ? [{ ...place(text, at), path: text, isSure: true }] : []
  const isSure = sureness(text, path, around)
  return isSure === null ? [] : [{ ...place(text, at), path, isSure }]
}

function place(text: string, at: number) {
  return { kind: 'path', text, at, end: at + text.length } as const
}

/** A file somewhere else on the machine: named, and not to be looked up here. */
function outsidePath(text: string): boolean {
  return /^\/(?:[\w@.+-]+\/)+/.test(text) && hasKnownName(text)
}

/** Relative to the root; null for what is no path of this tree. */
export function pathOf(text: string, root: string | null): string | null {
  const straight = text.includes('/') ? text : text.replace(/(?<=\w)\\(?=\w)/g, '/')
  if (root !== null && straight.startsWith(`${root}/`)) return cleaned(straight.slice(root.length + 1))
  if (straight.startsWith('/') || straight.includes('\\') || straight.split('/').includes('..')) return null
  return cleaned(straight)
}

function cleaned(path: string): string | null {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  return parts.length === 0 ? null : parts.join('/')
}

function hasKnownName(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return bareNames.test(name) || (known.test(name) && name.lastIndexOf('.') > 0)
}

/** Null: no path at all. */
function sureness(text: string, path: string, { isTicked, root }: Around): boolean | null {
  if (/^v?\d+(?:\.\d+)+|^[\d./+-]+$/.test(path)) return null
  if (!/[/\\]/.test(text)) {
    if (!hasKnownName(path) || /^\d/.test(path)) return null
    if (path.startsWith('console.')) return null
    return !productName.test(path) && (isTicked || path.length > 3)
  }
  if (root !== null && text.startsWith(`${root}/`)) return true
  if (hasKnownName(path)) return !path.split('/').some((part) => productName.test(part))
  if (path.startsWith('@')) return null
  return text.startsWith('./') || (text.endsWith('/') && isTicked)
}

/** Source or settings: what a symbol can stand in, or a key. */
export function isSettingsFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return (
    /\.(?:jsonc?|json5|toml|ya?ml|ini|cfg|conf|env|properties|service)$/i.test(name) ||
    /^\.\w+(?:rc|config)$|^\.env/.test(name)
  )
}
