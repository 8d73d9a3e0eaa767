/** Everything in a folder as it is: bytes, permissions, links. Two equal answers mean that nothing was changed. */
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

export interface TreeOptions {
  /** Paths that are left out, with all below them. */
  readonly without?: readonly RegExp[]
}

export function treeOf(folder: string, { without = [] }: TreeOptions = {}): Record<string, string> {
  const found: Record<string, string> = {}
  const visit = (directory: string, prefix: string): void => {
    for (const name of readdirSync(directory).sort()) {
      const path = join(directory, name)
      const shown = `${prefix}${name}`
      if (without.some((each) => each.test(shown))) continue
      const stat = lstatSync(path)
      const mode = (stat.mode & 0o777).toString(8)
      if (stat.isDirectory()) {
        found[`${shown}/`] = mode
        visit(path, `${shown}/`)
      } else if (stat.isSymbolicLink()) found[shown] = `-> ${readlinkSync(path)}`
      else found[shown] = `${mode} ${readFileSync(path, 'base64')}`
    }
  }
  visit(folder, '')
  return found
}
