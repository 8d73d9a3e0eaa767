/** "Forget that", "don't save this", "I was wrong": what a message takes back from itself and the one before it. */
import { phraseTable } from './compile-tables.ts'

/** `all`: this message and the one before yield nothing. `before`: only the one before does not. */
export type TakeBack = 'all' | 'before' | null

export function takesBack(message: string): TakeBack {
  const isForget = message
    .split(/[.。!！?？；;\n]/u)
    .some((sentence) => phraseTable.takeBack.test(sentence) && !phraseTable.takeBackUnless.test(sentence))
  if (isForget) return 'all'
  return phraseTable.withdraw.test(message) ? 'before' : null
}
