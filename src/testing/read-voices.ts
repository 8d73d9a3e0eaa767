/**
 * Reads a block or a prompt of ours back as somebody would who knows only what is promised: which words stand in which
 * voice. It shares nothing with the code that writes them: tags are found however they are spelled, and any tag at a place
 * where none may stand is a fault.
 */

/** `outside`: our own words, and in a start or turn block the rules of the user. */
export type ReadVoice = 'outside' | 'facts' | 'quoted' | 'material'

export interface VoiceStretch {
  readonly voice: ReadVoice
  readonly text: string
}

export interface ReadVoices {
  readonly stretches: readonly VoiceStretch[]
  /** Sentences about tags that stand where they may not; empty for everything that we write. */
  readonly faults: readonly string[]
}

const unseen = /\p{Default_Ignorable_Code_Point}/gu
/** Any bracket that looks like `<`, a slash perhaps, and one of our names. */
const ourTag =
  /[<＜﹤‹〈⟨❮❬˂ᐸ]\s*([/／]?)\s*keepsake\s*-\s*(memory|facts|quoted|material)\b[^<>＞\n]{0,400}[>＞﹥›〉⟩❯❭˃ᐳ]?/giu
/** Tags by which clients and models mark who speaks; stored text may show none. */
const foreignTag =
  /<\s*\/?\s*(?:system-reminder|system|assistant|user|human|function_calls|invoke|tool_result|\|im_start\|)/iu

export function readVoices(text: string): ReadVoices {
  const faults: string[] = []
  const stretches: VoiceStretch[] = []
  const seen = text.replace(unseen, '')
  const open: { block: boolean; voice: ReadVoice } = { block: false, voice: 'outside' }
  let position = 0
  for (const match of seen.matchAll(ourTag)) {
    const [whole, slash = '', rawName = ''] = match
    const name = rawName.toLowerCase()
    stretches.push({ voice: open.voice, text: seen.slice(position, match.index) })
    position = match.index + whole.length
    const isWholeLine = /(?:^|\n)$/.test(seen.slice(0, match.index)) && /^(?:\n|$)/.test(seen.slice(position))
    if (!isWholeLine) faults.push(`${whole} stands within a line`)
    if (name === 'memory') {
      const isInPlace = slash === '' ? !open.block && open.voice === 'outside' : open.block && open.voice === 'outside'
      if (!isInPlace) faults.push(`${whole} stands inside of something`)
      open.block = slash === ''
    } else if (slash === '') {
      if (open.voice !== 'outside') faults.push(`${whole} opens inside of ${open.voice}`)
      // One of the three names that the pattern allows beside `memory`.
      open.voice = name as ReadVoice
    } else {
      if (open.voice !== name) faults.push(`${whole} closes ${open.voice}`)
      open.voice = 'outside'
    }
  }
  stretches.push({ voice: open.voice, text: seen.slice(position) })
  if (open.block || open.voice !== 'outside') faults.push('something stays open')
  const foreign = foreignTag.exec(seen)
  if (foreign) faults.push(`${foreign[0]} stands there as a tag`)
  if (!text.isWellFormed()) faults.push('it is not well formed')
  return { stretches, faults }
}

/** Voices in which a mark stands, each once. */
export function voicesOf(mark: string, { stretches }: ReadVoices): readonly ReadVoice[] {
  return [...new Set(stretches.filter(({ text }) => text.includes(mark)).map(({ voice }) => voice))]
}

/** Graphemes of more than one code point, and what is left of one when it was cut. */
export const joinedGraphemes = ['👩‍👩‍👧‍👦', '🏳️‍🌈', '🇩🇪', '👍🏽', 'e\u0301\u0323', '❤️‍🔥'] as const
const leftOver = /[\u200d\ufe0f\u{1f3fd}\u{1f1e9}\u{1f1ea}\u0301\u0323]|👩|👧|👦|🏳|🌈|👍|❤|🔥/u

/** What is left of one of these graphemes where a cut went through it, or null. */
export function brokenGrapheme(text: string): string | null {
  const without = joinedGraphemes.reduce((left, each) => left.replaceAll(each, ''), text)
  return leftOver.exec(without)?.[0] ?? null
}
