/** What one check of `status` and `doctor` says, and how a look that may fail is made. */
import type { Check } from '../domain/index.ts'
import { MemoryError, messageOf } from '../errors.ts'

export const ok = (name: string, detail: string): Check => ({ name, state: 'ok', detail, hint: null })
export const warning = (name: string, detail: string, hint: string | null): Check => ({
  name,
  state: 'warning',
  detail,
  hint,
})
export const broken = (name: string, detail: string, hint: string | null): Check => ({
  name,
  state: 'broken',
  detail,
  hint,
})

export function attempt<Value>(work: () => Value): { readonly value: Value } | { readonly error: string } {
  try {
    return { value: work() }
  } catch (error) {
    return { error: messageWithReason(error) }
  }
}

export function messageWithReason(error: unknown): string {
  const reason = MemoryError.isInstance(error) && typeof error.data.reason === 'string' ? ` (${error.data.reason})` : ''
  return `${messageOf(error)}${reason}`
}
