import type { AnchorsReport } from '../../measure/index.ts'

type Figures = AnchorsReport['perLanguage'][string]
type Shown = Omit<AnchorsReport, 'wrong' | 'extraAnchors'> & Partial<Pick<AnchorsReport, 'wrong' | 'extraAnchors'>>

/** The report as a person reads it: what must be 0 first, then percent with intervals, one line per kind and language. */
export function anchorsLines(report: Shown): string {
  const { ms, wrong = [], extraAnchors = [] } = report
  return [
    `${report.notes} notes, ${report.n} anchors, ${report.stale} of them stale; ${report.extra} found that are none`,
    `  all: ${shares(report)}`,
    ...[...Object.entries(report.perKind), ...Object.entries(report.perLanguage)].map(
      ([name, figures]) => `  ${name}: ${shares(figures)}`,
    ),
    `milliseconds a note (at most ${report.maxMs}): p50 ${ms.p50.toFixed(0)}, p95 ${ms.p95.toFixed(0)}, longest ${ms.max.toFixed(0)}`,
    ...wrong.map(
      ({ note, kind, anchor, verdict, said, detail }) =>
        `  ${note}  ${kind} ${anchor}: ${verdict}, said ${said ?? 'nothing'}${detail ? ` (${detail})` : ''}`,
    ),
    ...extraAnchors.map(({ note, anchor, verdict }) => `  ${note}  no label: ${anchor}, said ${verdict}`),
  ].join('\n')
}

function shares({ n, stale, staleShownAsHolds, trueCalledGone, withVerdict, right, ci95 }: Figures): string {
  return [
    `${n}, stale shown as holding ${staleShownAsHolds} of ${stale}`,
    `true called gone ${percent(trueCalledGone, ci95.trueCalledGone)}`,
    `with a verdict ${percent(withVerdict, ci95.withVerdict)}`,
    `right ${percent(right, ci95.right)}`,
  ].join(', ')
}

function percent(share: number | null, interval: readonly [number, number] | null): string {
  if (share === null || interval === null) return '-'
  return `${(share * 100).toFixed(1)} (${interval.map((each) => (each * 100).toFixed(0)).join('-')})`
}
