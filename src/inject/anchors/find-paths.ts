/**
 * Files and folders that a text names. A path is sure when its form can be nothing else: an extension that files of
 * projects have, a slash at its end, a dot at its beginning. Patterns, places outside and product names are left alone.
 */
import type { PathAnchor } from './anchor.ts'

const extensions =
  'tsx?|[cm]ts|jsx?|[cm]js|jsonc?|json5|jsonl|mdx?|ya?ml|toml|ini|cfg|conf|env|lock|py|pyi|ipynb|rs|go|mod|sum|java|kts?|scala|rb|php|cs|fs|swift|mm?|cc?|cpp|cxx|hh?|hpp|sh|bash|zsh|fish|ps1|bat|sql|prisma|graphql|gql|proto|html?|css|s[ac]ss|less|vue|svelte|astro|xml|svg|png|jpe?g|gif|webp|ico|csv|tsv|txt|log|pdf|wasm|zig|ex|exs|erl|hs|clj|lua|r|jl|dart|tf|tfvars|nix|gradle|properties|service|plist|j2|tmpl|tpl|hbs|ejs|snap|patch|diff|pem|crt|ttf|woff2?'
const known = new RegExp(`\\.(?:${extensions})$`, 'i')
/** Files without an extension, or that are one. */
const bareNames =
  /^(?:Makefile|GNUmakefile|Dockerfile(?:\.[\w-]+)?|Procfile|Jenkinsfile|Vagrantfile|Gemfile|Rakefile|Justfile|justfile|Brewfile|Caddyfile|LICENSE|CODEOWNERS|\.env(?:\.[\w-]+)*|\.nvmrc|\.npmrc|\.node-version|\.python-version|\.tool-versions|\.editorconfig|\.dockerignore|\.gitignore|\.gitattributes|\.gitmodules|\.(?:prettier|eslint|stylelint|babel|swc|browserslist)\w*)$/
const isProductName = /^[A-Z][A-Za-z0-9]*\.(?:js|ts|io|ai|net|py|rs)$/

/** Segments may hold dots, dashes, at signs, brackets of routes; Chinese ones only between ticks. */
const plainPath = /(?<![\w@/\\.~$%*{}<>=-])(?:\.{1,2}\/|\/)?(?:[\w@.+-]+[/\\])*[\w@.+-]*\w\/?(?![\w/\\]|[*{<$])/g
const TRAILING = /[.,;:!?]+$/

export function findPaths(prose: string, root: string | null): PathAnchor[] {
  return [...prose.matchAll(plainPath)].flatMap((match) => {
    const text = match[0].replace(TRAILING, '')
    return anchorOf(text, match.index, { isTicked: isTicked(prose, match.index, text.length), root })
  })
}

interface Around {
  readonly isTicked: boolean
  readonly root: string | null
}

function anchorOf(text: string, at: number, around: Around): PathAnchor[] {
  const path = pathOf(text, around.root)
  if (path === null) return []
  const isSure = sureness(text, path, around)
  return isSure === null ? [] : [{ kind: 'path', text, at, end: at + text.length, path, isSure }]
}

function isTicked(prose: string, at: number, length: number): boolean {
  return prose[at - 1] === '`' && prose[at + length] === '`'
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

export function hasKnownName(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return bareNames.test(name) || (known.test(name) && name.lastIndexOf('.') > 0)
}

/** Null: no path at all. */
function sureness(text: string, path: string, { isTicked, root }: Around): boolean | null {
  if (/^[\d.]+$/.test(path) || /^v?\d+(?:\.\d+)+/.test(path)) return null
  if (!text.includes('/') && !text.includes('\\')) {
    if (!hasKnownName(path)) return null
    return !isProductName.test(path) && (isTicked || path.length > 3) && !/^\d/.test(path)
  }
  if (path.startsWith('@')) return hasKnownName(path)
  if (root !== null && text.startsWith(`${root}/`)) return true
  if (hasKnownName(path)) return !path.split('/').some((part) => isProductName.test(part))
  // A word with a slash behind it is a folder; with one before a point too. Other words with slashes are told by the tree.
  return /^\.\//.test(text) || (text.endsWith('/') && isTicked)
    ? true
    : /^[\w@.+-]+(?:\/[\w@.+-]+)*\/?$/.test(text)
      ? false
      : null
}
