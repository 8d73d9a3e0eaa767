/**
 * Scores of ranked answers. `any@k`: a gold item among the first k; `all@k`: every one; `share@k`: how many of them;
 * NDCG with binary gains over the whole gold set; MRR of the first gold item. Shares are 0..1.
 */

/** One question: what was returned, best first, and what should have been. */
export interface Answered {
  readonly category: string
  readonly returned: readonly string[]
  readonly gold: readonly string[]
  readonly milliseconds: number
}

export interface RetrievalFigures {
  readonly n: number
  readonly any: { readonly 1: number; readonly 5: number; readonly 10: number }
  readonly all: { readonly 5: number; readonly 10: number }
  readonly share: { readonly 5: number; readonly 10: number }
  readonly ndcg10: number
  readonly mrr: number
}

/** Half-width intervals of 95 %, by the normal approximation over questions. */
export interface RetrievalIntervals {
  readonly any1: readonly [number, number]
  readonly any5: readonly [number, number]
  readonly any10: readonly [number, number]
  readonly share10: readonly [number, number]
  readonly mrr: readonly [number, number]
}

export interface RetrievalScore extends RetrievalFigures {
  readonly ci95: RetrievalIntervals
  readonly perCategory: Readonly<Record<string, RetrievalFigures>>
  readonly latencyMs: { readonly p50: number; readonly p95: number }
}

export function scoreAnswers(answers: readonly Answered[]): RetrievalScore {
  const categories = [...new Set(answers.map(({ category }) => category))].sort()
  const ofCategory = (category: string) => figuresOf(answers.filter((each) => each.category === category))
  const times = answers.map(({ milliseconds }) => milliseconds)
  return {
    ...figuresOf(answers),
    ci95: {
      any1: interval(answers.map((each) => anyAt(each, 1))),
      any5: interval(answers.map((each) => anyAt(each, 5))),
      any10: interval(answers.map((each) => anyAt(each, 10))),
      share10: interval(answers.map((each) => shareAt(each, 10))),
      mrr: interval(answers.map(reciprocalRank)),
    },
    perCategory: Object.fromEntries(categories.map((category) => [category, ofCategory(category)])),
    latencyMs: { p50: percentile(times, 0.5), p95: percentile(times, 0.95) },
  }
}

function figuresOf(answers: readonly Answered[]): RetrievalFigures {
  const mean = (measure: (answer: Answered) => number) => round(meanOf(answers.map(measure)))
  return {
    n: answers.length,
    any: { 1: mean((each) => anyAt(each, 1)), 5: mean((each) => anyAt(each, 5)), 10: mean((each) => anyAt(each, 10)) },
    all: { 5: mean((each) => allAt(each, 5)), 10: mean((each) => allAt(each, 10)) },
    share: { 5: mean((each) => shareAt(each, 5)), 10: mean((each) => shareAt(each, 10)) },
    ndcg10: mean(ndcg10),
    mrr: mean(reciprocalRank),
  }
}

function foundAt({ returned, gold }: Answered, depth: number): number {
  const first = new Set(returned.slice(0, depth))
  return new Set(gold.filter((each) => first.has(each))).size
}

function goldSize({ gold }: Answered): number {
  return new Set(gold).size
}

function anyAt(answer: Answered, depth: number): number {
  return foundAt(answer, depth) > 0 ? 1 : 0
}

function allAt(answer: Answered, depth: number): number {
  return foundAt(answer, depth) === goldSize(answer) ? 1 : 0
}

function shareAt(answer: Answered, depth: number): number {
  return foundAt(answer, depth) / goldSize(answer)
}

function ndcg10(answer: Answered): number {
  const gold = new Set(answer.gold)
  const gain = (rank: number) => 1 / Math.log2(rank + 2)
  const got = answer.returned.slice(0, 10).reduce((sum, each, rank) => sum + (gold.has(each) ? gain(rank) : 0), 0)
  let best = 0
  for (let rank = 0; rank < Math.min(10, gold.size); rank++) best += gain(rank)
  return got / best
}

function reciprocalRank({ returned, gold }: Answered): number {
  const rank = returned.findIndex((each) => gold.includes(each))
  return rank < 0 ? 0 : 1 / (rank + 1)
}

function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}

function interval(values: readonly number[]): readonly [number, number] {
  const mean = meanOf(values)
  const variance = meanOf(values.map((value) => (value - mean) ** 2))
  const half = values.length === 0 ? 0 : 1.96 * Math.sqrt(variance / values.length)
  return [round(Math.max(0, mean - half)), round(Math.min(1, mean + half))]
}

/** Nearest rank; 0 of nothing. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right)
  return round(sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0)
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000
}
