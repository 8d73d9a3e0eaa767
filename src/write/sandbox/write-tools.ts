/**
 * remember, edit and propose_forget for a background agent: they touch no file. What is asked for is judged at once, told, and noted
 * in a plan; `withdraw` takes it back. Only words of the user, in a conversation or in a note that rests on them, prove a change.
 */
import { z } from 'zod'
import { type Evidence, type NoteType, noteTypes } from '../../domain/index.ts'
import { MemoryError } from '../../errors.ts'
import { escapeFenced, safeText, unescapeFenced } from '../../guard/index.ts'
import { agentTool } from '../../models/agent-tool.ts'
import type { AgentTool } from '../../models/index.ts'
import { contradictionsIn, distinctChanges, MAX_CHANGES, type PlannedChange } from './plan.ts'

/** Words of the user, and where they stand: a conversation with the number of the message, or a note. */
export interface Quote {
  readonly in: string
  readonly message?: number | undefined
  readonly words: string
}

export interface OfferedNote {
  readonly type: NoteType
  readonly name: string
  readonly description: string
  readonly text: string
}

export interface KnownNote {
  readonly id: string
  readonly type: NoteType
  readonly name: string
  readonly description: string
  readonly body: string
  readonly updated: string | null
  /** The person wrote it: then a change of it waits for a yes. */
  readonly isPersons: boolean
}

export type Proven =
  | { readonly evidence: readonly Evidence[]; readonly time: string | null }
  | { readonly problem: string }

/** What the tools need of the world. Each gives a sentence part where it refuses. */
export interface Desk {
  /** By path, id, file name or name. */
  find(reference: string): Promise<KnownNote | { readonly problem: string }>
  /** Whether the quoted words are the user's and make this a memory worth keeping. `instead`: the note it changes. */
  prove(note: OfferedNote, quotes: readonly Quote[], instead: KnownNote | null): Promise<Proven>
  /** Judged by the write path; changes nothing. Null: it would be done. */
  refusal(change: PlannedChange): Promise<string | null>
}

export interface PlanBook {
  changes(): readonly PlannedChange[]
  /** What was asked for and not noted, for the report. */
  skipped(): readonly string[]
}

/** Sentences kept for the report. */
const MAX_SKIPPED = 100

const words = (max: number) => z.string().trim().min(1).max(max).overwrite(unescapeFenced)
const line = (max: number) => words(max).regex(/^[^\n\r]*$/, 'must be one line')
/** Models give ids as numbers too. */
const reference = z.union([z.string(), z.int()]).transform(String).pipe(z.string().trim().min(1).max(1_024))
const quotes = z
  .array(z.strictObject({ in: words(1_024), message: z.int().min(0).optional(), words: words(600) }))
  .min(1)
  .max(5)

export function writeTools(desk: Desk): { readonly tools: readonly AgentTool[]; readonly book: PlanBook } {
  let changes: PlannedChange[] = []
  const skipped: string[] = []
  const skip = (why: string) => {
    if (skipped.length < MAX_SKIPPED) skipped.push(why)
    return `Not done: ${told(why)}`
  }
  const note = async (change: PlannedChange) => {
    if (changes.length >= MAX_CHANGES) return skip(`a pass makes at most ${MAX_CHANGES} changes`)
    const refusal = await desk.refusal(change)
    if (refusal !== null) return skip(refusal)
    changes = distinctChanges([...changes, change])
    const [contradiction] = contradictionsIn(changes)
    if (contradiction === undefined) return 'Noted. It is done when you have answered.'
    return `Noted, but ${told(contradiction)}: so none of your changes will be done. withdraw takes back what you planned for a note.`
  }
  const named = async (given: string, work: (known: KnownNote) => Promise<string>) => {
    const known = await found(desk, given)
    return 'problem' in known ? skip(known.problem) : work(known)
  }
  const tools = [
    agentTool({
      name: 'remember',
      description:
        'Plans a new note. `quotes` are words of the user that prove it, letter for letter, with the conversation (or note) in which they stand and the number of their message.',
      input: z.strictObject({
        type: z.enum(noteTypes),
        name: line(120),
        description: line(400),
        text: words(4_000),
        quotes,
      }),
      run: async ({ quotes: given, ...offered }) => {
        const proven = await desk.prove(offered, given, null)
        if ('problem' in proven) return skip(`${offered.name}: ${proven.problem}`)
        return note({ kind: 'write', ...offered, evidence: [...proven.evidence], time: proven.time })
      },
    }),
    agentTool({
      name: 'edit',
      description:
        'Plans a change of a note: the words `find`, letter for letter and only once in it, become `text`. Quotes as for remember.',
      input: z.strictObject({ note: reference, find: words(4_000), text: words(4_000), quotes }),
      run: ({ note: given, find, text, quotes: proof }) =>
        named(given, async (known) => {
          const { type, name, description, id, isPersons } = known
          const proven = await desk.prove({ type, name, description, text }, proof, known)
          if ('problem' in proven) return skip(`${known.name}: ${proven.problem}`)
          return note({
            kind: 'edit',
            note: id,
            find,
            text,
            isPersons,
            evidence: [...proven.evidence],
            time: proven.time,
          })
        }),
    }),
    agentTool({
      name: 'propose_forget',
      description: 'Proposes to the person that a note goes, and says why. Nothing is deleted before they say yes.',
      input: z.strictObject({ note: reference, why: line(300) }),
      run: ({ note: given, why }) => named(given, (known) => note({ kind: 'remove', note: known.id, why })),
    }),
    agentTool({
      name: 'withdraw',
      description: 'Takes back everything that you planned for a note: of a new one give its name.',
      input: z.strictObject({ note: reference }),
      run: async ({ note: given }) => {
        const known = await found(desk, given)
        const isMeant = (change: PlannedChange) =>
          change.kind === 'write' ? change.name === given : 'id' in known && change.note === known.id
        const before = changes.length
        changes = changes.filter((change) => !isMeant(change))
        return `${before - changes.length} planned changes are taken back.`
      },
    }),
  ]
  return { tools, book: { changes: () => changes, skipped: () => skipped } }
}

/** A path that leads elsewhere is refused like a name that nobody has, and is in the report. */
async function found(desk: Desk, given: string): ReturnType<Desk['find']> {
  try {
    return await desk.find(given)
  } catch (error) {
    if (MemoryError.isInstance(error) && error.code === 'PATH_OUTSIDE_STORE') return { problem: error.message }
    throw error
  }
}

function told(sentence: string): string {
  return escapeFenced(safeText(sentence, 'answer').text)
}
