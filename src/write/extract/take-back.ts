/**
 * "Forget that", "don't save this", "I was wrong", "keep this instead: …": what a message
 * takes back from itself and the one before it.
 */
import { phraseTable } from './compile-tables.ts'

/** `all`: this message and the one before yield nothing. `before`: only the one before does not. */
export type TakeBack = 'all' | 'before' | null

/** A message with what it takes back. `text` is what it says itself: after "keep this instead:" only the words behind. */
export interface ReadMessage {
  readonly text: string
  readonly back: TakeBack
}

export function readTakeBack(message: string): ReadMessage {
  for (const pattern of phraseTable.instead) {
    const opening = pattern.exec(message)?.[0]
    // The words behind are asked to be kept, which is said in so many words here.
    if (opening !== undefined) return { text: `${KEEP}${message.slice(opening.length)}`, back: 'before' }
  }
  return { text: afterRetraction(message), back: takesBack(message) }
}

/** "From now on X. Nah, just kidding": what stands before it in the same message is not meant. */
function afterRetraction(message: string): string {
  const last = [...message.matchAll(phraseTable.retracts)].at(-1)
  // "Sorry, scratch that" takes back an earlier message and opens what this one says.
  if (!last || !says.test(message.slice(0, last.index))) return message
  return message.slice(last.index + last[0].length)
}

const says = /(?:\p{Script=Latin}{2,}\P{L}+){3}|\p{Script=Han}{4}/u

const KEEP = 'Remember: '

function takesBack(message: string): TakeBack {
  const isForget = message
    .split(/[.。!！?？；;\n]/u)
    .some((sentence) => phraseTable.takeBack.test(sentence) && !phraseTable.takeBackUnless.test(sentence))
  if (isForget) return 'all'
  return phraseTable.withdraw.test(message) ? 'before' : null
}
