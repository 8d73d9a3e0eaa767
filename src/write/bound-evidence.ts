import type { Evidence } from '../domain/index.ts'

/** Evidence kept in one note: the first few say where it began, the last ones what holds now. */
const MAX_EVIDENCE_FIRST = 10
const MAX_EVIDENCE_LAST = 40

export function boundEvidence(evidence: readonly Evidence[]): readonly Evidence[] {
  if (evidence.length <= MAX_EVIDENCE_FIRST + MAX_EVIDENCE_LAST) return evidence
  return [...evidence.slice(0, MAX_EVIDENCE_FIRST), ...evidence.slice(-MAX_EVIDENCE_LAST)]
}
