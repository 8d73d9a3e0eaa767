/** Whether a text names the code of one project (spec W21), judged from the working tree without reading file contents. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ProjectFacts } from '../write/index.ts'

/** Names shorter than this are too common to prove anything (`api`, `web`). */
const MIN_NAME_LENGTH = 4
/** Path-like words looked at in one text; more is a pasted log. */
const MAX_PATHS = 50
const HERE =
  /\b(?:this|the|our) (?:repo|repository|project|codebase|monorepo|package|workspace)\b|\b(?:in here|here)(?=[\s]*(?:[,.;:!)]|$))|(?:这|這|本|该|該|我们的?|我們的?)(?:个|個)?(?:仓库|倉庫|项目|項目|专案|專案|代码库|程式庫|工程|repo)/iu

export function createProjectFacts(name: string, workingTree: string): ProjectFacts {
  return {
    name,
    workingTree,
    mentions: (text) => HERE.test(text) || namesProject(text, name) || namesFile(text, workingTree),
  }
}

function namesProject(text: string, name: string): boolean {
  if (name.length < MIN_NAME_LENGTH) return false
  const words = text.normalize('NFKC').toLowerCase()
  const wanted = name.normalize('NFKC').toLowerCase()
  const at = words.indexOf(wanted)
  if (at < 0) return false
  const isWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}_]/u.test(character)
  // Scripts without spaces have no word ends to look for.
  if (/[^\u0000-\u024F]/u.test(wanted)) return true
  return !isWord(words[at - 1]) && !isWord(words[at + wanted.length])
}

/** A relative path that exists, or the name of a file or folder at the top, with something only a path has in it. */
function namesFile(text: string, workingTree: string): boolean {
  const paths = (text.match(/[\w.@-]+(?:\/[\w.@-]+)+|[\w-]+\.[A-Za-z]\w{0,7}\b/g) ?? []).slice(0, MAX_PATHS)
  if (paths.length === 0) return false
  const top = new Set(namesAtTop(workingTree))
  return paths.some((path) => {
    const clean = path.replace(/[.]+$/, '')
    if (clean.split('/').includes('..')) return false
    return clean.includes('/') ? existsSync(join(workingTree, clean)) : top.has(clean)
  })
}

function namesAtTop(workingTree: string): string[] {
  try {
    return readdirSync(workingTree)
  } catch {
    // A working tree that cannot be listed proves nothing about the text.
    return []
  }
}
