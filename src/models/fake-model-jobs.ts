/** Model jobs for tests: answers by a function of the question; counts what was asked, and nothing else. */
import { JOB_BUDGETS, type JobKind } from '../domain/index.ts'
import { messageOf, throwIfCancelled } from '../errors.ts'
import type { JobAnswer, JobQuestion, ModelJobs } from './model-jobs.ts'

export interface FakeModelJobs extends ModelJobs {
  readonly asked: readonly (JobQuestion & { readonly kind: JobKind })[]
}

export type FakeAnswer = string | Partial<Extract<JobAnswer, { ok: true }>> | Extract<JobAnswer, { ok: false }>

/** `answer` may throw: then the model "cannot be asked". */
export function createFakeModelJobs(
  answer: (question: JobQuestion, kind: JobKind, at: number) => FakeAnswer | Promise<FakeAnswer>,
): FakeModelJobs {
  const asked: (JobQuestion & { readonly kind: JobKind })[] = []
  return {
    asked,
    has: () => true,
    nameOf: () => 'fake',
    spentToday: () => [],
    begin(kind, { signal } = {}) {
      let calls = 0
      const ask = async (question: JobQuestion): Promise<JobAnswer> => {
        throwIfCancelled(signal)
        calls++
        asked.push({ ...question, kind })
        const given = await answered(() => answer(question, kind, asked.length - 1))
        throwIfCancelled(signal)
        if (typeof given === 'string') return { ok: true, text: given, calls: [] }
        return given.ok === false ? given : { ok: true, text: '', calls: [], ...given }
      }
      const spent = () => ({ calls, inputTokens: 0, outputTokens: 0, estimated: true })
      return { ok: true, job: { kind, model: 'fake', budget: JOB_BUDGETS[kind], ask, spent } }
    },
  }
}

async function answered(ask: () => FakeAnswer | Promise<FakeAnswer>): Promise<FakeAnswer> {
  try {
    return await ask()
  } catch (error) {
    return { ok: false, reason: 'unavailable', message: `the model could not be asked: ${messageOf(error)}` }
  }
}
