import type { ForeignReport } from '../../measure/index.ts'

/** The report as a person reads it, in percent. */
export function foreignLines({ foreign, empty, own, found, silent, lost }: ForeignReport): string {
  return [
    `${foreign} foreign questions: ${percent(empty)} % give an empty block`,
    `${own} own questions, ${found} with a true hit: ${percent(silent)} % of these give an empty block, ${percent(lost)} % lose the true note`,
  ].join('\n')
}

function percent(share: number): string {
  return (share * 100).toFixed(1)
}
