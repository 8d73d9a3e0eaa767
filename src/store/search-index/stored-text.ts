/**
 * Keys as SQLite columns hold them. Some bindings end a text at its first zero character when they read it back, so
 * that one is escaped; the escaped form sorts as the text itself does.
 */

const MARK = '\u0001'
const ZERO = `${MARK}\u0001`
const ESCAPED_MARK = `${MARK}\u0002`

export function toStored(text: string): string {
  return text.replaceAll(MARK, ESCAPED_MARK).replaceAll('\u0000', ZERO)
}

export function fromStored(stored: string): string {
  return stored.replace(/\u0001([\u0001\u0002])/g, (_, code) => (code === '\u0001' ? '\u0000' : MARK))
}
