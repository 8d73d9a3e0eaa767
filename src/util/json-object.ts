/**
 * Index after the brace that closes the JSON object beginning at `start`, or -1: also where the text goes on, or is torn,
 * behind it. Knows strings and escapes, nothing more.
 */
export function endOfJsonObject(text: string, start = 0): number {
  return text[start] === '{' ? endOfJsonValue(text, start) : -1
}

/** The same for an object or a list. */
export function endOfJsonValue(text: string, start = 0): number {
  const opening = text[start]
  if (opening !== '{' && opening !== '[') return -1
  const closing = opening === '{' ? '}' : ']'
  let depth = 0
  let isQuoted = false
  for (let index = start; index < text.length; index++) {
    const character = text[index]
    if (isQuoted) {
      if (character === '\\') index++
      else if (character === '"') isQuoted = false
    } else if (character === '"') isQuoted = true
    else if (character === opening) depth++
    else if (character === closing && --depth === 0) return index + 1
  }
  return -1
}
