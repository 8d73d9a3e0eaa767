import { comparableName } from '../util/index.ts'

/** `name`, or `name (2)`, `name (3)` … when it is taken; `taken` holds comparable names. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(comparableName(name))) return name
  for (let count = 2; ; count++) {
    const candidate = `${name} (${count})`
    if (!taken.has(comparableName(candidate))) return candidate
  }
}
