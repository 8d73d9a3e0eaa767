/** The write room as one object: remember, edit, move, forget, undo over the layers of one place. */
import type { Writer, WriterDependencies } from './dependencies.ts'
import { edit } from './edit/edit.ts'
import { forget } from './forget.ts'
import { move } from './move.ts'
import { createNearJudge } from './near/index.ts'
import { createRefusalCounter } from './refusals-in-a-row.ts'
import { remember } from './remember.ts'
import { createReview } from './review.ts'
import { undo } from './undo.ts'

/** Outcomes are values; what is thrown is named at each verb. */
export function createWriter(dependencies: WriterDependencies): Writer {
  const context = { ...dependencies, cache: new Map(), judgeNear: createNearJudge() }
  const refusals = createRefusalCounter(dependencies.clock)
  return {
    remember: (input) => refusals.watch(input, () => remember(context, input)),
    edit: (input) => refusals.watch(input, () => edit(context, input)),
    move: (input) => move(context, input),
    forget: (reference, options) => forget(context, reference, options),
    review: createReview(context),
    undo: (reference, options) => undo(context, reference, options),
  }
}
