/** The note of a conversation beside something else. */
import type { ShownSessionNote } from '../../domain/index.ts'
import { cutMarkdown } from '../../util/index.ts'

const MAX_LINES = 24
const MAX_BYTES = 4_000

/** How a note begins: title, state, task; the rest is one command away. */
export function noteStart({ session, updated, text }: ShownSessionNote): string[] {
  const shown = cutMarkdown(text, { maxLines: MAX_LINES, maxBytes: MAX_BYTES })
  const more = shown === text ? [] : [`The whole note: keepsake sessions show ${session} --note`]
  return ['', `Where it stopped (${session}, ${updated.slice(0, 10)}):`, '', shown, ...more]
}
