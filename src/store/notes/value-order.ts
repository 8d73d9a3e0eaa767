/**
 * Which notes come first where not all fit (spec S4, I1): one total order for MEMORY.md and the start block, so that the
 * same store gives the same bytes. Use and trust join it when they are counted.
 */
import { layerNameOf, type Voice } from '../../domain/index.ts'
import { compareUnits } from '../../util/index.ts'

export interface ValuedNote {
  readonly id: string
  /** Layer key. */
  readonly layer: string
  readonly file: string
  readonly pinned: boolean
  readonly voice: Voice
  readonly mutes: readonly string[]
  readonly updated: string | null
}

const VOICE_ORDER: Readonly<Record<Voice, number>> = { rule: 0, fact: 1, quoted: 2 }

/**
 * The user's pins, rules before facts before quotes, the pins of others, notes that mute another one (whoever reads the
 * first ones only must know of them), newest, id, place.
 */
export function mostValuableFirst(one: ValuedNote, other: ValuedNote): number {
  return (
    Number(isOwnPin(other)) - Number(isOwnPin(one)) ||
    VOICE_ORDER[one.voice] - VOICE_ORDER[other.voice] ||
    Number(other.pinned) - Number(one.pinned) ||
    Number(other.mutes.length > 0) - Number(one.mutes.length > 0) ||
    compareUnits(other.updated ?? '', one.updated ?? '') ||
    compareUnits(one.id, other.id) ||
    compareUnits(one.layer, other.layer) ||
    compareUnits(one.file, other.file)
  )
}

/** True when only its age and its kind of facts place a note: behind it come none that are pinned, rules or mute others. */
export function isOrdinary({ pinned, voice, mutes }: Pick<ValuedNote, 'pinned' | 'voice' | 'mutes'>): boolean {
  return !pinned && voice === 'fact' && mutes.length === 0
}

function isOwnPin({ pinned, layer }: ValuedNote): boolean {
  return pinned && layerNameOf(layer) !== 'team'
}
