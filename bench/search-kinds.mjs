// What is asked of a home of `search`: kinds of questions, each as many different ones as are wanted, always the same.
import { randomFrom } from './words.mjs'

/** A rare word stands in a few rows of a million; a common one in about one of ten. */
const RARE_FROM = 15_000
const COMMON_BELOW = 6

/** By name; each gives question `at`. `first` and `size`: the rows that the asked project holds. */
export function questionsOf(words, { first, size }) {
  const common = (random) => words.english[random(COMMON_BELOW)]
  const rowWith = (random, isChinese) => {
    for (;;) {
      const row = words.tokensOf(first + 1 + random(size - 1))
      if (row.isChinese === isChinese) return row.tokens
    }
  }
  const some = (random, tokens, count) => Array.from({ length: count }, () => tokens[random(tokens.length)])
  const kinds = {
    'rare word': (random) => rowWith(random, false).reduce((rarest, each) => rarer(words, rarest, each)),
    'common word': common,
    'two common words': (random) => `${common(random)} ${words.english[COMMON_BELOW + random(COMMON_BELOW)]}`,
    'whole question': (random) => {
      const [a, b, c, d] = some(random, rowWith(random, false), 4)
      return `Why did the ${a} of ${b} not ${c} when we asked about the ${d} last week?`
    },
    'who said': (random) =>
      `What did the assistant say about ${some(random, rowWith(random, false), 2).join(' and ')}?`,
    'Chinese question': (random) => {
      const [a, b, c] = some(random, rowWith(random, true), 3)
      return `我们上次为什么把${a}的${b}改成${c}？`
    },
    'no match': (random) => `zzvx${random(1_000_000)} qqxw${random(1_000_000)}`,
  }
  return Object.fromEntries(Object.entries(kinds).map(([kind, make]) => [kind, (at) => make(randomFrom(at + 1))]))
}

/** The one further down the list. A word that is rare enough is as good as any. */
function rarer(words, one, other) {
  const rank = words.englishRanks.get(other) ?? 0
  return rank > (words.englishRanks.get(one) ?? 0) && (words.englishRanks.get(one) ?? 0) < RARE_FROM ? other : one
}
