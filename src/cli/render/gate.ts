import type { GateReport } from '../../measure/index.ts'

type Figures = GateReport['perKind'][string]
type Report = Omit<GateReport, 'conversations'> & Partial<Pick<GateReport, 'conversations'>>

/** The report as a person reads it: percent with intervals, one line per language and kind. */
export function gateLines(report: Report): string {
  const lines = (group: Readonly<Record<string, Figures>>) => {
    const width = Math.max(...Object.keys(group).map((name) => name.length))
    return Object.entries(group).map(([name, each]) => `  ${name.padEnd(width)}  ${shares(each)}`)
  }
  const { right, of, wrong } = report.replaces
  const remarked = (report.conversations ?? []).filter(({ remarks }) => remarks.length > 0)
  return [
    `${report.n} conversations, ${report.model === 'rules' ? 'by rules alone' : 'by rules and the model of the settings'}, ${report.saved} notes saved, ${report.keeps} to save${report.perturbed === null ? '' : `, perturbed by ${report.perturbed}`}`,
    shares(report),
    `forbidden ${report.forbidden}, replaced ${right} of ${of}, ${wrong} wrong`,
    ...lines(report.perLanguage),
    ...lines(report.perKind),
    ...remarked.flatMap(({ id, remarks }) => [`${id}`, ...remarks.map((remark) => `  ${remark}`)]),
  ].join('\n')
}

function shares({ n, precision, recall, noopRate, typeAccuracy, ci95 }: Figures): string {
  return [
    `n ${n}`,
    `precision ${percent(precision, ci95.precision)}`,
    `recall ${percent(recall, ci95.recall)}`,
    `silence ${percent(noopRate, ci95.noopRate)}`,
    `types ${percent(typeAccuracy, ci95.typeAccuracy)}`,
  ].join(', ')
}

function percent(share: number | null, interval: readonly [number, number] | null): string {
  if (share === null || interval === null) return '-'
  return `${(share * 100).toFixed(1)} (${interval.map((each) => (each * 100).toFixed(0)).join('-')})`
}
