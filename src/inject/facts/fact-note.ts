/** A note as a fact (spec I8): the category, the confidence and the wrong form that a line of the facts view shows. */
import { DEFAULT_CONFIDENCE, type NoteType } from '../../domain/index.ts'
import type { ScannedNote } from '../../store/notes/layer-scan.ts'
import type { StartNote } from '../start-note.ts'

export const factCategories = ['correction', 'preference', 'behavior', 'goal', 'context', 'knowledge'] as const
export type FactCategory = (typeof factCategories)[number]

export interface FactNote extends StartNote, Pick<ScannedNote, 'confidence' | 'tags'> {
  /** What a correction says not to do; null when the note names nothing of the kind. */
  readonly wrong: string | null
}

const BY_TYPE: Readonly<Record<NoteType, FactCategory>> = {
  user: 'preference',
  feedback: 'behavior',
  project: 'context',
  reference: 'knowledge',
}

/** A tag of the same name says it; else the type, and a wrong form beside the right one makes feedback a correction. */
export function categoryOf({ type, tags, wrong }: Pick<FactNote, 'type' | 'tags' | 'wrong'>): FactCategory {
  const tagged = factCategories.find((category) => tags.includes(category))
  return tagged ?? (type === 'feedback' && wrong !== null ? 'correction' : BY_TYPE[type])
}

/** What the file says. Where it says nothing, the user's own words are certain: nobody has to guess whether they were said. */
export function confidenceOf({ confidence, voice }: Pick<FactNote, 'confidence' | 'voice'>): number {
  return voice === 'rule' && confidence === DEFAULT_CONFIDENCE ? 1 : confidence
}
