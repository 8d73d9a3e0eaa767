/** Whether a contrast ("not X but Y", 不是X，是Y) names as wrong what the assistant has just written. */
import { phraseTable } from './compile-tables.ts'

/** A wrong form as short as this stands in any text by chance. */
const MIN_WRONG = 2

export function namesWrongForm(plain: string, answered: string): boolean {
  const said = normalise(answered)
  return phraseTable.wrongForm.some((pattern) => {
    const wrong = normalise(pattern.exec(plain)?.groups?.wrong ?? '')
    return wrong.length >= MIN_WRONG && said.includes(wrong)
  })
}

function normalise(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/["“”「」『』'`\s]+/gu, ' ')
    .trim()
}
