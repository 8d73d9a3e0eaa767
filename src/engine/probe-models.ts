/** Whether the models that are set up answer: one short question each, counted as any other. */
import type { Check } from '../domain/index.ts'
import type { ModelJobs, ModelSize } from '../models/index.ts'
import { cutGraphemes, oneLine } from '../util/index.ts'
import { broken, ok } from './check.ts'

const QUESTION = {
  system:
    'You are asked whether you can be reached. Answer with the one word that you are asked for, and nothing else.',
  prompt: 'The word is: here',
}

export async function probeModels(models: ModelJobs, signal?: AbortSignal): Promise<Check[]> {
  const sizes: readonly ModelSize[] = ['small', 'large']
  // Where one model does all the work it is asked once.
  const different = models.nameOf('small') === models.nameOf('large') ? sizes.slice(0, 1) : sizes
  const checks: Check[] = []
  for (const size of different) checks.push(await probe(models, size, signal))
  return checks
}

async function probe(models: ModelJobs, size: ModelSize, signal: AbortSignal | undefined): Promise<Check> {
  const name = models.nameOf(size)
  if (name === null) return ok('models', `no ${size} model is set up`)
  const begun = models.begin('probe', { size, signal })
  if (!begun.ok) return broken('models', `${name}: ${begun.message}`, null)
  const answer = await begun.job.ask(QUESTION)
  if (!answer.ok) return broken('models', `${name}: ${answer.message}`, "See 'keepsake config' and docs/models.md.")
  const { inputTokens, outputTokens, estimated } = begun.job.spent()
  const tokens = `${estimated ? 'about ' : ''}${inputTokens} tokens read, ${outputTokens} written`
  const said = cutGraphemes(oneLine(answer.text), 40)
  return said === ''
    ? broken('models', `${name} answers with nothing`, 'Name another model, or see its own log.')
    : ok('models', `${name} answers ${JSON.stringify(said)} (${tokens})`)
}
