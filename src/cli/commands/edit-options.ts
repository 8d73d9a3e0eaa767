/** What the options of `remember` ask for: a new memory, or a change of one. An option that would do nothing is refused. */
import type { Edit, MoveTarget, NoteType, WritableLayer } from '../../domain/index.ts'
import { MemoryError } from '../../errors.ts'

export interface EditOptions {
  readonly type?: NoteType
  readonly name?: string
  readonly description?: string
  readonly layer?: WritableLayer
  readonly pin?: boolean
  readonly tag?: string[]
  readonly replace?: string
  readonly remove?: string
  readonly in?: string
  readonly move?: string
  readonly to?: MoveTarget
}

const CHANGES = ['replace', 'remove', 'move'] as const
/** Properties of a new memory. */
const OF_NEW = ['type', 'name', 'description', 'layer', 'pin', 'tag'] as const

/** Null when a new memory is meant. Throws INPUT_INVALID for options that do not belong together. */
export async function editOf(
  options: EditOptions,
  words: readonly string[],
  text: () => Promise<string>,
): Promise<Edit | null> {
  const [change, another] = CHANGES.filter((each) => options[each] !== undefined)
  if (another !== undefined)
    throw wrong('action', 'Give one of --replace, --remove and --move', 'Several changes take several calls.')
  refuseIdle(options, change)
  const { replace, remove, move, in: note } = options
  if (replace !== undefined) return { action: 'replace', find: replace, text: await text(), in: note }
  if (remove === undefined && move === undefined) return null
  if (words.length > 0) throw wrong('text', '--remove and --move take no text', 'keepsake remember --remove "words"')
  if (remove !== undefined) return { action: 'remove', find: remove, in: note }
  const to = options.to ?? options.layer
  if (!to) throw wrong('to', '--move needs --to', 'keepsake remember --move NOTE --to global')
  return { action: 'move', in: move, to }
}

/** `--layer` beside `--move` is where it goes, an older way to say `--to`. */
function refuseIdle(options: EditOptions, change: (typeof CHANGES)[number] | undefined): void {
  const allowed = new Set<string>(
    change === undefined ? OF_NEW : change === 'move' ? ['to', ...(options.to === undefined ? ['layer'] : [])] : ['in'],
  )
  const idle = [...OF_NEW, 'in' as const, 'to' as const].find(
    (each) => options[each] !== undefined && !allowed.has(each),
  )
  if (idle === undefined) return
  const beside = change === undefined ? 'for a new memory' : `beside --${change}`
  throw wrong(idle, `--${idle} means nothing ${beside}`, 'keepsake help remember says what goes with what.')
}

export function wrong(field: string, message: string, hint: string): MemoryError {
  return new MemoryError('INPUT_INVALID', message, { hint, data: { field } })
}
