import { describe, expect, it } from 'vitest'
import { createRecallHarness, globalLayer, projectLayer } from '../testing/recall-harness.ts'

const found = async (harness: ReturnType<typeof createRecallHarness>, query: string) =>
  (await harness.recall.recall({ query })).results.map(({ name }) => name)

describe("the user's own aliases [R3] [R10]", () => {
  it.each([
    ['a shorter name', 'Kubernetes', ['bluebox'], 'where does bluebox live', 'Kubernetes runs in Frankfurt'],
    ['a Chinese name', 'Harrow', ['哈罗'], '哈罗', 'Harrow ships in May'],
    ['a name for a Chinese one', '王小明', ['Xiaoming'], 'what does Xiaoming review', '王小明审查计费的改动'],
    ['two other names', 'Anneli Berg', ['Anne', '安妮'], '安妮负责什么', 'Anneli Berg owns the search service'],
    ['the name from an alias', 'Ticket tracker', ['Linear'], 'ticket tracker', 'Bugs are filed in Linear'],
  ])('%s finds what is written under the other', async (_, name, aliases, question, body) => {
    const harness = createRecallHarness()
    harness.note('entity.md', { name, aliases, type: 'reference' })
    harness.note('fact.md', { name: 'a fact', body }, projectLayer)
    harness.note('other.md', { name: 'something else', body: 'The freezer is cleaned on Mondays' })
    expect(await found(harness, question)).toContain('a fact')
    harness.note('entity.md', { name, aliases: [], type: 'reference' })
    expect(await found(harness, question)).not.toContain('a fact')
  })

  it('a title that is a sentence does not mean the same as its aliases', async () => {
    const harness = createRecallHarness()
    harness.note('entity.md', { name: 'The cluster was moved to Frankfurt in May', aliases: ['k8s'] })
    harness.note('fact.md', { name: 'a fact', body: 'The picnic was moved in May' })
    expect(await found(harness, 'k8s')).toEqual(['The cluster was moved to Frankfurt in May'])
  })

  it('of a layer that is not searched they say nothing [R9]', async () => {
    const harness = createRecallHarness({ layers: () => [globalLayer] })
    harness.note('entity.md', { name: 'Kubernetes', aliases: ['blueberry'] }, projectLayer)
    harness.note('fact.md', { name: 'a fact', body: 'Kubernetes runs in Frankfurt' })
    expect(await found(harness, 'blueberry')).toEqual([])
  })
})
