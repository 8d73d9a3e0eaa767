import type { PairsReport } from '../../measure/index.ts'

type Figures = PairsReport['perLanguage'][string]

/** The report as a person reads it: percent with intervals, one line per language and label. */
export function pairsLines(report: PairsReport): string {
  const languages = Object.entries(report.perLanguage).map(([language, each]) => `  ${language}: ${shares(each)}`)
  const kinds = Object.entries(report.perKind).map(
    ([label, { merge, update, separate }]) =>
      `  ${label.padEnd(9)}  merged ${merge}, update ${update}, separate ${separate}`,
  )
  const wrong = report.decided.filter(({ label, decision }) => decision === 'merge' && label !== 'same')
  const worst = wrong.length > 0 ? [`wrong merges: ${wrong.map(({ id }) => id).join(', ')}`] : []
  return [
    `${report.n} pairs, ${report.merges} merged, ${report.wrongMerges} of them wrong`,
    shares(report),
    ...languages,
    ...kinds,
    ...worst,
  ].join('\n')
}

function shares({ mergePrecision, duplicateRecall, updateRecall, separateErrors, ci95 }: Figures): string {
  return [
    `merge precision ${percent(mergePrecision, ci95.mergePrecision)}`,
    `duplicate recall ${percent(duplicateRecall, ci95.duplicateRecall)}`,
    `update recall ${percent(updateRecall, ci95.updateRecall)}`,
    `separate errors ${percent(separateErrors, ci95.separateErrors)}`,
  ].join(', ')
}

function percent(share: number | null, interval: readonly [number, number] | null): string {
  if (share === null || interval === null) return '-'
  return `${(share * 100).toFixed(1)} (${interval.map((each) => (each * 100).toFixed(0)).join('-')})`
}
