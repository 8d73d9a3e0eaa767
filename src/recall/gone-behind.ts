/** What names something that is gone from the working tree stands behind what does not (spec I5). */
import type { RecallHit, ScoreStep } from '../domain/index.ts'
import { namesWhatIsGone } from '../guard/index.ts'
import { places } from './explain-score.ts'

/** Of these results, best first. Weak matches, and notes that do not count here, are behind already. */
export function goneBehind(results: readonly RecallHit[]): RecallHit[] {
  return results.map((hit) => (isMoved(hit) ? moved(hit) : hit)).sort((one, other) => other.score - one.score)
}

function isMoved({ verdicts, weak, standing }: RecallHit): boolean {
  const isCounting = !weak && (standing === undefined || standing.state === 'stands')
  return isCounting && namesWhatIsGone(verdicts)
}

/** From the place of what counts to that of weak matches. */
function moved(hit: RecallHit): RecallHit {
  const { counts, weak } = places
  const gone = hit.verdicts.flatMap(({ verdict, anchor }) => (verdict === 'gone' ? [anchor] : []))
  const because = `it names ${gone.length === 1 ? gone[0] : `${gone.length} things`} that ${gone.length === 1 ? 'is' : 'are'} gone, so it stands behind the others`
  const steps: ScoreStep[] = [
    { part: 'anchors', by: 'plus', value: -counts.from, because },
    { part: 'anchors', by: 'times', value: weak.width / counts.width, because },
    { part: 'anchors', by: 'plus', value: weak.from, because },
  ]
  const score = steps.reduce((sum, { by, value }) => (by === 'plus' ? sum + value : sum * value), hit.score)
  return {
    ...hit,
    score,
    ...(hit.explain ? { explain: { ...hit.explain, steps: [...hit.explain.steps, ...steps] } } : {}),
  }
}
