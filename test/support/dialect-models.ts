/** Models that were taught something, scripted for `eval dialect`: each meets the tasks of the rules that ship in its own way. */

import { exampleAnswers, readTaughtRules, type TaughtRule } from '../../src/measure/dialect-data.ts'
import type { Completer, Completion, CompletionRequest } from '../../src/models/index.ts'

const { rules } = readTaughtRules(null)

export interface TaughtModel extends Completer {
  readonly requests: readonly CompletionRequest[]
}

function createTaughtModel(
  id: string,
  answer: (request: CompletionRequest, rule: TaughtRule) => Completion,
): TaughtModel {
  const requests: CompletionRequest[] = []
  return {
    id,
    requests,
    async complete(request) {
      request.signal?.throwIfAborted()
      requests.push(request)
      const rule = rules.find(({ task }) => request.prompt.endsWith(task))
      if (!rule) throw new Error('a task that nobody knows')
      return answer(request, rule)
    },
  }
}

const call = (name: string, input: unknown): Completion => ({
  text: '',
  calls: [{ id: name, name, input }],
  tokens: null,
})
const said = (text: string): Completion => ({ text, tokens: { input: 100, output: 10 } })
const exampleOf = ({ id }: TaughtRule) => exampleAnswers.find((each) => each.id === id) ?? { right: '', wrong: '' }

/** Searches, opens, looks at what the note names, obeys, and gives the list that the block asks for. */
export function obeyingModel(cite: (id: string) => string = (id) => id): TaughtModel {
  return createTaughtModel('obeys', ({ prompt, steps = [] }, rule) => {
    const [search, , look] = steps
    if (!search) return call('memory_search', { query: rule.name })
    const line = search.results[0]?.text.split('\n').find((each) => each.startsWith(`- ${rule.name} (`)) ?? ''
    const id = /\(([0-9A-Z]{26});/.exec(line)?.[1] ?? 'none'
    if (steps.length === 1) return call('memory_get', { note: id })
    if (rule.gone !== null && !look) return call('read_file', { path: rule.gone })
    return said(`${exampleOf(rule).right}${listFor(prompt, cite(id))}`)
  })
}

/** Answers at once, by its own taste. */
export function ignoringModel(): TaughtModel {
  return createTaughtModel('ignores', (_, rule) => said(exampleOf(rule).wrong))
}

/** Does all of it, and then names notes that it made up. */
export function misquotingModel(): TaughtModel {
  return obeyingModel(() => '01J00000000000000000000000')
}

/** Asks for tools for ever. */
export function lostModel(): TaughtModel {
  return createTaughtModel('lost', () => call('list_files', {}))
}

function listFor(prompt: string, id: string): string {
  if (prompt.includes('<keepsake-cite>')) return `\n\n<keepsake-cite>\n${id}\n</keepsake-cite>`
  if (!prompt.includes('<oai-mem-citation>')) return ''
  const entries = `<citation_entries>\n${id}|note=[the rule]\n</citation_entries>\n<rollout_ids>\n</rollout_ids>`
  return `\n\n<oai-mem-citation>\n${entries}\n</oai-mem-citation>`
}
