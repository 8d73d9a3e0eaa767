/** The stretch of a conversation that covers most messages with a match, within a size. Pure. */

export interface WeighedMessage {
  readonly tokens: number
  /** UTF-16 units. */
  readonly length: number
  readonly isMatch: boolean
}

export interface WindowSize {
  readonly tokens: number
  readonly length: number
}

/**
 * First and last place, or null when there is nothing. Around the matches, of what is left a third before and the rest
 * behind them: what was done and decided follows what was asked. Without a match the end of the conversation.
 */
export function chooseWindow(
  messages: readonly WeighedMessage[],
  size: WindowSize,
): { readonly from: number; readonly to: number } | null {
  if (messages.length === 0) return null
  const covered = mostMatches(messages, size) ?? { from: messages.length - 1, to: messages.length - 1 }
  let { from, to } = covered
  let left = subtract(size, messages.slice(from, to + 1))
  const grow = (step: -1 | 1, keep: number) => {
    for (;;) {
      const next = messages[step < 0 ? from - 1 : to + 1]
      const rest = next && subtract(left, [next])
      if (!rest || rest.tokens < keep || rest.length < 0) return
      left = rest
      if (step < 0) from--
      else to++
    }
  }
  grow(1, left.tokens / 3)
  grow(-1, 0)
  grow(1, 0)
  return { from, to }
}

function mostMatches(messages: readonly WeighedMessage[], size: WindowSize): { from: number; to: number } | null {
  const matches = messages.flatMap(({ isMatch }, at) => (isMatch ? [at] : []))
  let best: { from: number; to: number; count: number } | null = null
  let first = 0
  let left = size
  let before = matches[0] ?? 0
  for (const [last, to] of matches.entries()) {
    left = subtract(left, messages.slice(before, to + 1))
    before = to + 1
    while (first < last && (left.tokens < 0 || left.length < 0)) {
      const dropped = messages.slice(matches[first], matches[first + 1])
      left = { tokens: left.tokens + sum(dropped, 'tokens'), length: left.length + sum(dropped, 'length') }
      first++
    }
    const from = matches[first] ?? to
    const count = last + 1 - first
    if (!best || count > best.count) best = { from, to, count }
  }
  return best
}

function subtract(size: WindowSize, messages: readonly WeighedMessage[]): WindowSize {
  return { tokens: size.tokens - sum(messages, 'tokens'), length: size.length - sum(messages, 'length') }
}

function sum(messages: readonly WeighedMessage[], what: 'tokens' | 'length'): number {
  return messages.reduce((total, message) => total + message[what], 0)
}
