/** Check digits of cards, bank accounts and national ids. Pure; each takes the bare characters. */

/** Luhn, ISO/IEC 7812. */
export function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index])
    const doubled = index % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return digits.length > 0 && sum % 10 === 0
}

/** ISO 7064 mod 97-10 over an IBAN without spaces. */
export function passesIban(iban: string): boolean {
  let remainder = 0
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    for (const digit of String(Number.parseInt(character, 36))) remainder = (remainder * 10 + Number(digit)) % 97
  }
  return remainder === 1
}

/** GB 11643: 18 characters, a real birth date and the check character. */
export function passesChineseResidentId(id: string): boolean {
  if (!/^[1-9]\d{16}[\dXx]$/.test(id)) return false
  const [year, month, day] = [Number(id.slice(6, 10)), Number(id.slice(10, 12)), Number(id.slice(12, 14))]
  if (year < 1900 || year > 2099 || month < 1 || month > 12 || day < 1 || day > 31) return false
  const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
  const sum = weights.reduce((total, weight, index) => total + weight * Number(id[index]), 0)
  return '10X98765432'[sum % 11] === id[17]?.toUpperCase()
}

/** National id of Taiwan: a letter, then nine digits. */
export function passesTaiwaneseId(id: string): boolean {
  if (!/^[A-Z][1289]\d{8}$/.test(id)) return false
  const letter = 'ABCDEFGHJKLMNPQRSTUVXYWZIO'.indexOf(id.charAt(0)) + 10
  const digits = [Math.floor(letter / 10), letter % 10, ...[...id.slice(1)].map(Number)]
  const weights = [1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1]
  return digits.reduce((total, digit, index) => total + digit * (weights[index] ?? 0), 0) % 10 === 0
}
