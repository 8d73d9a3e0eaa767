/** Numbers that are spelled out, English and Chinese. */

const units =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const scales: Readonly<Record<string, number>> = { hundred: 100, thousand: 1000, million: 1_000_000 }

/** Longest first, for a pattern. */
export const numberWords = [...units, ...tens, ...Object.keys(scales), 'dozen']
  .sort((one, other) => other.length - one.length)
  .map((word) => `\\b${word}\\b`)
  .join('|')

/** Null for what is no number. */
export function numberWord(text: string): number | null {
  let total = 0
  let current = 0
  for (const word of text.split(/[ -]/)) {
    const scale = word === 'dozen' ? 12 : scales[word]
    const unit = units.indexOf(word)
    const ten = tens.indexOf(word)
    if (scale !== undefined) current = Math.max(1, current) * scale
    else if (unit >= 0) current += unit
    else if (ten >= 0) current += (ten + 2) * 10
    else return null
    if (scale !== undefined && scale >= 1000) {
      total += current
      current = 0
    }
  }
  return total + current
}

export const chineseNumerals = '零〇一二两三四五六七八九十百千万'
const signs: Readonly<Record<string, number>> = {
  零: 0,
  〇: 0,
  一: 1,
  二: 2,
  两: 2,
  三: 3,
  四: 4,
  五: 5,
  六: 6,
  七: 7,
  八: 8,
  九: 9,
}
const powers: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1000 }

/** 二十五 is 25, 一千二百 is 1200, 三点五 is 3.5, 二〇二六 is 2026; null for what is no number. */
export function chineseNumber(text: string): number | null {
  if (text === '' || [...text].some((sign) => !chineseNumerals.includes(sign) && sign !== '点')) return null
  const [whole = '', fraction] = text.split('点')
  if (fraction) return Number(`${chineseNumber(whole) ?? 0}.${[...fraction].map((sign) => signs[sign] ?? '').join('')}`)
  if (![...text].some((sign) => sign in powers || sign === '万'))
    return Number([...text].map((sign) => signs[sign]).join(''))
  let total = 0
  let section = 0
  let digit = 0
  for (const sign of text) {
    const power = powers[sign]
    if (sign === '万') {
      total += (section + digit) * 10_000
      section = 0
      digit = 0
    } else if (power !== undefined) {
      section += (digit || 1) * power
      digit = 0
    } else digit = signs[sign] ?? 0
  }
  return total + section + digit
}
