import type { RetrievalReport } from '../../measure/index.ts'

/** The report as a person reads it: percent, one line per category. */
export function retrievalLines(report: RetrievalReport): string {
  const { unit, pooled, embedder, skipped, n, any, all, share, ndcg10, mrr, ci95, latencyMs, perCategory } = report
  const together =
    pooled === null ? 'each conversation alone' : pooled === 0 ? 'all in one project' : `${pooled} in one project`
  const rows = Object.entries(perCategory).map(
    ([category, each]) =>
      `  ${category} (${each.n}): any@5 ${percent(each.any[5])}, share@10 ${percent(each.share[10])}`,
  )
  return [
    `${n} questions for a ${unit}, ${together}${embedder === null ? '' : `, with ${embedder}`}${skipped > 0 ? `; ${skipped} not asked` : ''}`,
    `any@1 ${percent(any[1])}  any@5 ${percent(any[5])} (${ci95.any5.map(percent).join('-')})  any@10 ${percent(any[10])}`,
    `all@5 ${percent(all[5])}  all@10 ${percent(all[10])}  share@5 ${percent(share[5])}  share@10 ${percent(share[10])}`,
    `NDCG@10 ${ndcg10.toFixed(3)}  MRR ${mrr.toFixed(3)}  p50 ${latencyMs.p50.toFixed(1)} ms  p95 ${latencyMs.p95.toFixed(1)} ms`,
    ...rows,
  ].join('\n')
}

function percent(share: number): string {
  return (share * 100).toFixed(1)
}
