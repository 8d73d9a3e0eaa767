/**
 * What a background agent decided, before any of it is done (spec W14, W15): a plan is judged whole and then carried out
 * through the ordinary write path, so that a run that ends in the middle has changed nothing. Pure.
 */
import { z } from 'zod'
import { evidenceRoles, noteTypes } from '../../domain/index.ts'

const text = z.string()

/** Checked by us already; as it stands in state.db. */
const evidence = z.strictObject({
  session: text.nullable(),
  message: text.nullable(),
  role: z.enum(evidenceRoles),
  time: text.nullable(),
  quote: text.nullable(),
  hash: text.nullable(),
})

const proven = { evidence: z.array(evidence).min(1), time: text.nullable() }

export const plannedChange = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('write'), type: z.enum(noteTypes), name: text, description: text, text, ...proven }),
  /** `find` of the note becomes `text`. `isPersons`: a person wrote it, so it is only proposed. */
  z.strictObject({ kind: z.literal('edit'), note: text, find: text, text, isPersons: z.boolean(), ...proven }),
  /** Always only proposed. */
  z.strictObject({ kind: z.literal('remove'), note: text, why: text }),
])

export type PlannedChange = z.infer<typeof plannedChange>

/** Changes of one plan; what is more belongs into the next pass. */
export const MAX_CHANGES = 50

/** Why the changes cannot all be meant, one sentence for each note, or none. The same change twice is one. */
export function contradictionsIn(changes: readonly PlannedChange[]): string[] {
  const notes = [...new Set(changes.flatMap((each) => (each.kind === 'write' ? [] : each.note)))]
  return notes.flatMap((note) => {
    const edits = changes.flatMap((each) => (each.kind === 'edit' && each.note === note ? each : []))
    const isRemoved = changes.some((each) => each.kind === 'remove' && each.note === note)
    if (isRemoved && edits.length > 0) return [`${note} is both changed and removed`]
    const isTwice = edits.some((one, at) => edits.slice(at + 1).some((other) => overlap(one.find, other.find)))
    return isTwice ? [`the same words of ${note} are changed twice`] : []
  })
}

function overlap(one: string, other: string): boolean {
  return one.includes(other) || other.includes(one)
}

/** Each change once. */
export function distinctChanges(changes: readonly PlannedChange[]): PlannedChange[] {
  return [...new Map(changes.map((each) => [JSON.stringify(each), each])).values()]
}
