/**
 * Porter's algorithm (1980) for English words of ASCII letters. It lives in code, not in the FTS5 tokenizer, because
 * both drivers and every query must make exactly the same stems. One step is ours: a final y that an ending laid bare
 * is turned too, so that deployment (deploy) and deploy (deploi) meet.
 */

function isConsonant(word: string, at: number): boolean {
  const letter = word.charAt(at)
  if ('aeiou'.includes(letter)) return false
  return letter !== 'y' || at === 0 || !isConsonant(word, at - 1)
}

/** Number of vowel-consonant sequences: the `m` of the algorithm. */
function measure(stem: string): number {
  let count = 0
  let afterVowel = false
  for (let at = 0; at < stem.length; at++) {
    const consonant = isConsonant(stem, at)
    if (consonant && afterVowel) count++
    afterVowel = !consonant
  }
  return count
}

function hasVowel(stem: string): boolean {
  for (let at = 0; at < stem.length; at++) if (!isConsonant(stem, at)) return true
  return false
}

function endsDoubleConsonant(word: string): boolean {
  const last = word.length - 1
  return last > 0 && word.charAt(last) === word.charAt(last - 1) && isConsonant(word, last)
}

/** Consonant, vowel, consonant at the end, the last not w, x or y. */
function endsShort(word: string): boolean {
  const last = word.length - 1
  if (last < 2 || /[wxy]/.test(word.charAt(last))) return false
  return isConsonant(word, last) && !isConsonant(word, last - 1) && isConsonant(word, last - 2)
}

/** Longest listed ending first: each list is ordered so that no ending hides a longer one. */
const step2: readonly (readonly [string, string])[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['ization', 'ize'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['biliti', 'ble'],
  ['entli', 'ent'],
  ['ousli', 'ous'],
  ['ation', 'ate'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['abli', 'able'],
  ['alli', 'al'],
  ['ator', 'ate'],
  ['eli', 'e'],
]

const step3: readonly (readonly [string, string])[] = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
]

const step4: readonly string[] = [
  'ement',
  'ance',
  'ence',
  'able',
  'ible',
  'ment',
  'ant',
  'ent',
  'ion',
  'ism',
  'ate',
  'iti',
  'ous',
  'ive',
  'ize',
  'al',
  'er',
  'ic',
  'ou',
]

function replaceEnding(word: string, table: readonly (readonly [string, string])[]): string {
  const found = table.find(([ending]) => word.endsWith(ending))
  if (!found) return word
  const stem = word.slice(0, -found[0].length)
  return measure(stem) > 0 ? stem + found[1] : word
}

function dropPlural(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2)
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}

function dropPast(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word
  const ending = ['ed', 'ing'].find((each) => word.endsWith(each))
  if (!ending) return word
  const stem = word.slice(0, -ending.length)
  if (!hasVowel(stem)) return word
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`
  if (endsDoubleConsonant(stem) && !/[lsz]$/.test(stem)) return stem.slice(0, -1)
  return measure(stem) === 1 && endsShort(stem) ? `${stem}e` : stem
}

function dropSuffix(word: string): string {
  const ending = step4.find((each) => word.endsWith(each))
  if (!ending) return word
  const stem = word.slice(0, -ending.length)
  if (ending === 'ion' && !/[st]$/.test(stem)) return word
  return measure(stem) > 1 ? stem : word
}

function tidyEnd(word: string): string {
  let result = word
  if (result.endsWith('e')) {
    const stem = result.slice(0, -1)
    const size = measure(stem)
    if (size > 1 || (size === 1 && !endsShort(stem))) result = stem
  }
  return result.endsWith('ll') && measure(result) > 1 ? result.slice(0, -1) : result
}

function turnFinalY(word: string): string {
  return word.endsWith('y') && hasVowel(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word
}

/** The stem of a lower-case word; words that are no ASCII letters, or shorter than 3, stay as they are. */
export function porterStem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word
  const past = dropPast(dropPlural(word))
  return turnFinalY(tidyEnd(dropSuffix(replaceEnding(replaceEnding(turnFinalY(past), step2), step3))))
}
