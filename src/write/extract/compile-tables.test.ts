import { describe, expect, it } from 'vitest'
import { allRules, allVetoes } from './compile-tables.ts'
import fragments from './tables/fragments.json' with { type: 'json' }
import phrases from './tables/phrases.json' with { type: 'json' }
import rules from './tables/rules.json' with { type: 'json' }
import vetoes from './tables/vetoes.json' with { type: 'json' }

describe('rule tables', () => {
  it('give every row an id of its own', () => {
    const ids = [...allRules, ...allVetoes].map(({ id }) => id)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  })

  it('use every fragment, and only fragments that exist', () => {
    const text = JSON.stringify([rules, vetoes, phrases, fragments])
    const used = new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1]))
    const inCode = new Set(['tool', 'repo', 'urlOrHost'])
    expect(Object.keys(fragments).filter((name) => !used.has(name) && !inCode.has(name))).toEqual([])
    expect([...used].filter((name) => !(String(name) in fragments))).toEqual([])
  })

  it('let a veto be overruled only by cues that exist', () => {
    const cues = ['keep', 'from-now-on', 'polite-keep', 'polite-standing', 'adopted', 'act', 'decided']
    expect(allVetoes.flatMap((veto) => [...veto.yieldsTo]).filter((cue) => !cues.includes(cue))).toEqual([])
  })

  it('fold case without folding escapes', () => {
    const role = allRules.find((rule) => rule.id === 'en-role')
    expect(role?.pattern.test("I'M AN ARCHITECT")).toBe(true)
    expect(role?.pattern.test("i'm an architect")).toBe(true)
    const owner = allRules.find((rule) => rule.id === 'en-owner')
    expect(owner?.pattern.test('Priya owns the checkout')).toBe(true)
    expect(owner?.pattern.test('priya owns the checkout')).toBe(false)
  })
})
