/** Keys of settings files: whether they are there, and set to what the note says, or to what they were set to then. */
import type { ConfigAnchor } from './anchor.ts'
import { type Check, changed, gone, holds, NO_ANCHOR, notCheckable, notChecked, type Outcome } from './check.ts'
import { checkPath, isUntouched } from './check-path.ts'
import { settingsEntries, valuesOf } from './settings-entries.ts'

const MAX_SHOWN_VALUE = 60

export async function checkConfig(anchor: ConfigAnchor, check: Check): Promise<Outcome> {
  const { path, key, value, isSure } = anchor
  const { look, past } = check
  const text = look.textNow(path)
  if (text === null) return withoutFile(anchor, check)
  const now = valuesOf(settingsEntries(text, path), key)
  if (now.length > 0 && value !== null)
    return now.some((each) => isSame(each, value)) ? holds() : changed(`${shown(now)} now`)
  if (!look.tree.hasHistory) return now.length > 0 ? holds() : isSure ? gone() : NO_ANCHOR
  if (now.length > 0 && isUntouched(path, check)) return holds()
  check.tell(now.length === 0 && isSure ? gone() : notChecked)
  const then = await past.at(path)
  if (look.signal.aborted) return notChecked
  const before =
    then?.entry?.kind === 'file' && then.entry.text !== null
      ? valuesOf(settingsEntries(then.entry.text, path), key)
      : []
  if (now.length === 0) return before.length > 0 || isSure ? gone() : NO_ANCHOR
  return before.length === 0 || before.some((each) => now.includes(each)) ? holds() : changed(`${shown(now)} now`)
}

async function withoutFile(anchor: ConfigAnchor, check: Check): Promise<Outcome> {
  if (!anchor.isSure) return NO_ANCHOR
  if (check.look.tree.entryAt(anchor.path) === 'file') return notCheckable()
  const outcome = await checkPath({ ...anchor, kind: 'path' }, check)
  // Whether the key is the same in a file that was found elsewhere is not looked at.
  return outcome !== NO_ANCHOR && outcome.verdict === 'holds' ? notCheckable() : outcome
}

const switches: Readonly<Record<string, string>> = {
  on: 'true',
  enabled: 'true',
  yes: 'true',
  off: 'false',
  disabled: 'false',
  no: 'false',
}

function isSame(one: string, other: string): boolean {
  return normal(one) === normal(other)
}

function normal(value: string): string {
  const plain = value
    .trim()
    .replace(/^(["'`])(.*)\1$/, '$2')
    .toLowerCase()
  if (/^-?\d[\d_]*(?:\.\d+)?$/.test(plain)) return String(Number(plain.replace(/_/g, '')))
  return switches[plain] ?? plain
}

function shown(values: readonly string[]): string {
  const value = values[0] ?? ''
  return value === '' ? 'empty' : value.length > MAX_SHOWN_VALUE ? `${value.slice(0, MAX_SHOWN_VALUE)}…` : value
}
