// Invented English and Chinese whose words are as unevenly common as real ones (Zipf, flattened at the top by
// Mandelbrot's shift: the commonest word stands in about one text of eight), between the small words of each language.
// Text `n` is the same on every machine and can be made again without the ones before it.

const ENGLISH_WORDS = 30_000
const CHINESE_WORDS = 15_000
const RANK_SHIFT = 20
/** Every fourth text is Chinese. */
const CHINESE_EVERY = 4

const onsets = 'b br c cl d dr f fl g gr h j k l m n p pl qu r s st t tr v w z'.split(' ')
const vowels = 'a e i o u ai ou ee'.split(' ')
const ends = 'b ck d g l m n nd p r rt sh t x'.split(' ')
const smallEnglish = 'the a of to and in is it that was for on with as at by this we you not be are have from'.split(
  ' ',
)
const smallChinese = [...'的了在是和我们这也就都把不要有到']
/** The range of common characters begins here; invented words take two of so many. */
const FIRST_CHARACTER = 0x4e00
const CHARACTERS = 1_500

/** Numbers below `below` from a seed; seeds beside each other give unlike series. */
export function randomFrom(seed) {
  let state = (seed * 2_654_435_761 + 0x9e3779b9) >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** The vocabularies, commonest first, and texts made of them. */
export function createWords() {
  const english = distinct(ENGLISH_WORDS, (random) => {
    const syllables = 1 + random(3)
    const parts = Array.from({ length: syllables }, () => pick(onsets, random) + pick(vowels, random))
    return `${parts.join('')}${pick(ends, random)}`
  })
  const character = (random) => String.fromCharCode(FIRST_CHARACTER + random(CHARACTERS))
  const chinese = distinct(CHINESE_WORDS, (random) => character(random) + character(random))
  const englishRank = createZipf(ENGLISH_WORDS)
  const chineseRank = createZipf(CHINESE_WORDS)
  /** The words of text `n` that say something, in order. */
  const tokensOf = (n) => {
    const random = randomFrom(n)
    const isChinese = n % CHINESE_EVERY === 0
    const size = 6 + random(10) + (random(8) === 0 ? random(60) : random(12))
    const tokens = Array.from({ length: size }, () =>
      isChinese ? chinese[chineseRank(random)] : english[englishRank(random)],
    )
    return { isChinese, tokens, random }
  }
  return {
    english,
    englishRanks: new Map(english.map((word, rank) => [word, rank])),
    chinese,
    tokensOf,
    textOf(n) {
      const { isChinese, tokens, random } = tokensOf(n)
      const small = isChinese ? smallChinese : smallEnglish
      const written = tokens.map((token, at) => {
        const before = random(10) < 7 ? `${pick(small, random)}${isChinese ? '' : ' '}` : ''
        const stop = at % 9 === 8 ? (isChinese ? '。' : '.') : ''
        return `${before}${token}${stop}`
      })
      return written.join(isChinese ? '' : ' ')
    },
  }
}

function pick(list, random) {
  return list[random(list.length)]
}

function distinct(count, make) {
  const random = randomFrom(7)
  const words = new Set()
  while (words.size < count) words.add(make(random))
  return [...words]
}

/** Ranks with the share 1 / (rank + shift). */
function createZipf(count) {
  const steps = new Float64Array(count)
  let sum = 0
  for (let rank = 0; rank < count; rank++) {
    sum += 1 / (rank + 1 + RANK_SHIFT)
    steps[rank] = sum
  }
  return (random) => {
    const wanted = (random(2 ** 31) / 2 ** 31) * sum
    let [low, high] = [0, count - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if (steps[middle] < wanted) low = middle + 1
      else high = middle
    }
    return low
  }
}
