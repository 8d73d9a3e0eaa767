import { describe, expect, it } from 'vitest'
import { createFakeModelJobs } from './fake-model-jobs.ts'

const question = { system: 'a job', prompt: 'a question' }

function begun(answer: Parameters<typeof createFakeModelJobs>[0], signal?: AbortSignal) {
  const jobs = createFakeModelJobs(answer)
  const started = jobs.begin('extraction', { signal })
  if (!started.ok) throw new Error('The fake always begins')
  return { jobs, job: started.job }
}

describe('createFakeModelJobs', () => {
  it('answers, and remembers what it was asked', async () => {
    const { jobs, job } = begun(({ prompt }, kind, at) => `${kind} ${at} ${prompt}`)
    expect(await job.ask(question)).toEqual({ ok: true, text: 'extraction 0 a question', calls: [] })
    expect(jobs.asked).toEqual([{ ...question, kind: 'extraction' }])
    expect(job.spent().calls).toBe(1)
  })

  it('asks for tools, and fails as a model does', async () => {
    const call = { id: '1', name: 'read', input: {} }
    const { job } = begun((_question, _kind, at) => {
      if (at > 0) throw new Error('quota')
      return { calls: [call] }
    })
    expect(await job.ask(question)).toEqual({ ok: true, text: '', calls: [call] })
    expect(await job.ask(question)).toEqual({
      ok: false,
      reason: 'unavailable',
      message: 'the model could not be asked: quota',
    })
  })

  it('stops when it is told to', async () => {
    const { job } = begun(() => 'an answer', AbortSignal.abort())
    await expect(job.ask(question)).rejects.toMatchObject({ code: 'CANCELLED' })
  })
})
