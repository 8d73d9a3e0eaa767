/** Takes the words of courtesy from both ends of what somebody says. */
import { phraseTable } from './compile-tables.ts'

/** Words of courtesy more than this in a row are no courtesy. */
const MAX_COURTESIES = 3

/** Please and thank you say nothing about what is meant, and hide how a sentence begins and ends. */
export function withoutCourtesy(text: string): string {
  let rest = text
  for (let round = 0; round < MAX_COURTESIES; round++) {
    const shorter = rest.replace(phraseTable.courtesyBefore, '').replace(phraseTable.courtesyAfter, '').trim()
    if (shorter === rest || !/[\p{L}\p{N}]/u.test(shorter)) break
    rest = shorter
  }
  return rest
}
