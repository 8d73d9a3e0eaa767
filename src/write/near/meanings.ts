/**
 * Words that say the same in a note, English and Chinese; one line each, words apart by `|`. Stricter than the aliases
 * of recall: there a doubtful pair costs half a point, here it could throw a note away. So a line holds words that can
 * stand for each other in one sentence, never a kind and its example (spreadsheet and Excel) or neighbours (test and check).
 */
import { doingWords } from './doing-words.ts'
import { workWords } from './work-words.ts'
import { worldWords } from './world-words.ts'

/** Entries of words with one meaning; a word may stand in several. */
export const meanings: readonly (readonly string[])[] = [doingWords, workWords, worldWords].flatMap((words) =>
  words
    .trim()
    .split('\n')
    .map((line) => line.split('|')),
)
