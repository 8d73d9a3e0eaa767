/** Authority by kind (spec I11): the voice follows from the evidence and the type, never from the note's text. */
import { type EvidenceRole, layerNameOf, type NoteProblem, type NoteType, type Voice } from '../../domain/index.ts'

export interface VoicedNote {
  readonly type: NoteType
  readonly source: readonly { readonly role: EvidenceRole }[]
  readonly problems?: readonly Pick<NoteProblem, 'kind'>[]
}

const SPOKEN_BY_THE_USER: ReadonlySet<EvidenceRole> = new Set(['user', 'person'])
const WORDS_OF_OTHERS: ReadonlySet<EvidenceRole> = new Set(['tool', 'file'])

export interface Origin {
  /** A tool of an agent wrote the file. */
  readonly toolWritten: boolean
  /** Key of the layer that the file lies in. */
  readonly layer: string
}

/**
 * `rule`: feedback or user notes in the user's own words, or by the person's hand (no evidence, and no tool wrote the
 * file). Words that an agent put in after the user's last are the agent's again, until the user says yes. `quoted`: nothing but words of tools and files. `fact`: the rest, every file whose evidence is unreadable, and
 * whatever a team shares: whose words those are is written in a file that others may write.
 */
export function voiceOf(note: VoicedNote, { toolWritten, layer }: Origin): Voice {
  const { source } = note
  if (source.length > 0 && source.every(({ role }) => WORDS_OF_OTHERS.has(role))) return 'quoted'
  if (layerNameOf(layer) === 'team') return 'fact'
  if (note.type !== 'feedback' && note.type !== 'user') return 'fact'
  if (userSpokeLast(source)) return 'rule'
  return source.length === 0 && !toolWritten && evidenceIsReadable(note) ? 'rule' : 'fact'
}

/** Evidence stands in the order of the writes: what an agent wrote over the user's words is not the user's. */
export function userSpokeLast(source: VoicedNote['source']): boolean {
  const roles = source.map(({ role }) => role)
  const users = roles.findLastIndex((role) => SPOKEN_BY_THE_USER.has(role))
  return users >= 0 && users > roles.lastIndexOf('agent')
}

/** Front matter that cannot be read may hold evidence that cannot be seen. */
function evidenceIsReadable(note: VoicedNote): boolean {
  return !(note.problems ?? []).some(({ kind }) => UNREADABLE.has(kind))
}

const UNREADABLE: ReadonlySet<NoteProblem['kind']> = new Set([
  'front-matter-malformed',
  'front-matter-unclosed',
  'key-repeated',
  'too-large',
])
