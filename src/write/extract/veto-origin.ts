/**
 * A true quote proves nothing about a text that has nothing to do with it (spec W6, W7): a model that obeys words of a tool
 * or of a file may hang any words of the user onto them. So the note must be made of the words that prove it, rather
 * than of what others said. Pure.
 */
import { createOriginJudge } from '../near/index.ts'
import { cleanMessage } from './clean-message.ts'
import { readTakeBack } from './take-back.ts'
import type { ExtractMessage } from './types.ts'

/** UTF-16 units of each end of a message of others: a model was shown no more of it. */
const MAX_END = 3_000
/** Words of others in a sentence that has none of its proof: one may be what a correction puts right. */
const MAX_FOREIGN = 1

const judgeOrigin = createOriginJudge()

/** Why the text does not rest on the messages that are to prove it (`proof`: their indexes), or null. */
export function vetoOrigin(
  text: string,
  { messages, proof }: { readonly messages: readonly ExtractMessage[]; readonly proof: ReadonlySet<number> },
): string | null {
  const users = messages.filter(({ role }) => role === 'user')
  const own = ({ content }: ExtractMessage) => readTakeBack(cleanMessage(content)).text
  const proven = users.filter(({ index }) => proof.has(index)).map(own)
  const others = messages.flatMap(({ role, content }) => (role === 'user' ? [] : endsOf(content)))
  const sentences = judgeOrigin(text, { proof: proven, user: users.map(own), others })
  const fromProof = sentences.reduce((sum, each) => sum + each.fromProof, 0)
  const fromOthers = sentences.reduce((sum, each) => sum + each.fromOthers, 0)
  if (fromProof === 0) return 'it has nothing to do with the words that are to prove it'
  const isPlanted = sentences.some((each) => each.fromProof === 0 && each.fromOthers > MAX_FOREIGN)
  return isPlanted || fromOthers > fromProof ? 'others said it, not the user' : null
}

function endsOf(content: string): string[] {
  return content.length <= 2 * MAX_END ? [content] : [content.slice(0, MAX_END), content.slice(-MAX_END)]
}
