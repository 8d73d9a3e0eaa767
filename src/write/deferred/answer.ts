/** What a model answers when it has read one idle conversation (spec W14): three texts, or that there is nothing. */
import { z } from 'zod'
import { unescapeFenced } from '../../guard/index.ts'

/** UTF-16 units, about twice what the prompt asks for. */
const MAX_RAW_MEMORY = 12_000
const MAX_SUMMARY = 2_000
const MAX_SLUG = 100

/** Other names of the fields, all of which mean one of ours. */
const aliases = {
  raw_memory: 'rawMemory',
  memory: 'rawMemory',
  rollout_summary: 'summary',
  rollout_slug: 'slug',
} as const satisfies Readonly<Record<string, string>>

/** What is copied out of a fence still has its signs. */
const words = (maxLength: number) => z.string().trim().max(maxLength).overwrite(unescapeFenced)

const schema = z.strictObject({
  rawMemory: words(MAX_RAW_MEMORY),
  summary: words(MAX_SUMMARY),
  slug: words(MAX_SLUG).regex(/^[^\n\r]*$/, 'must be one line'),
})

export type StageOneAnswer = z.infer<typeof schema>

const nothing: StageOneAnswer = { rawMemory: '', summary: '', slug: '' }

/** How the answer is read. */
export const stageOneShape = { schema, aliases, nothing }

/** Half an answer is none: a summary without a memory has nothing to teach, a memory without one cannot be found again. */
export function isNothing({ rawMemory, summary }: StageOneAnswer): boolean {
  return rawMemory === '' || summary === ''
}
