import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applySplices, insertMember, removeMembers, undoSplices } from './json-edit.ts'
import { memberOf, parseSettings, propertyOf } from './json-text.ts'

const rootOf = (text: string) => parseSettings(text, 'test')!

describe('insertMember', () => {
  const member = { key: 'new', value: { deep: [1] } }

  it.each([
    ['an empty object', '{}', '{\n  "new": {\n    "deep": [\n      1\n    ]\n  }\n}'],
    ['a compact object', '{"a":1}', '{"a":1, "new": {"deep":[1]}}'],
    ['space inside the braces', '{ "a": 1 }', '{ "a": 1, "new": {"deep":[1]} }'],
    ['tabs', '{\n\t"a": 1\n}', '{\n\t"a": 1,\n\t"new": {\n\t\t"deep": [\n\t\t\t1\n\t\t]\n\t}\n}'],
    ['CRLF', '{\r\n  "a": 1\r\n}', '{\r\n  "a": 1,\r\n  "new": {\r\n    "deep": [\r\n      1\r\n    ]\r\n  }\r\n}'],
    ['a trailing comma', '{\n  "a": 1,\n}', '{\n  "a": 1,\n  "new": {\n    "deep": [\n      1\n    ]\n  }\n}'],
    [
      'a note after the last value',
      '{\n  "a": 1 // one\n}',
      '{\n  "a": 1, // one\n  "new": {\n    "deep": [\n      1\n    ]\n  }\n}',
    ],
    ['a note in an empty object', '{ // mine\n}', '{ // mine\n  "new": {\n    "deep": [\n      1\n    ]\n  }\n}'],
  ])('into %s', (_, before, after) => {
    const splices = insertMember(before, rootOf(before), member)
    expect(applySplices(before, splices)).toBe(after)
    expect(undoSplices(after, splices)).toBe(before)
  })

  it('follows the depth of an inner list', () => {
    const before = '{\n    "list": [\n        1\n    ]\n}'
    const after = applySplices(before, insertMember(before, memberOf(rootOf(before), 'list')!, { value: 2 }))
    expect(after).toBe('{\n    "list": [\n        1,\n        2\n    ]\n}')
  })
})

describe('removeMembers', () => {
  it.each([
    ['the only one', '{\n  "x": 1\n}', '{\n}'],
    ['the first', '{\n  "x": 1,\n  "b": 2\n}', '{\n  "b": 2\n}'],
    ['the last', '{\n  "b": 2,\n  "x": 1\n}', '{\n  "b": 2\n}'],
    ['one between', '{"a":1, "x": 2, "b":3}', '{"a":1, "b":3}'],
    ['one with a trailing comma', '{\n  "x": 1,\n}', '{\n}'],
    [
      'notes around it stay',
      '{\n  // before\n  "x": 1, // after\n  "b": 2\n}',
      '{\n  // before\n  "x": 1, // after\n  "b": 2\n}',
    ],
    ['a note before the comma stays', '{"x": 1 /* n */, "b": 2}', '{ /* n */ "b": 2}'],
  ])('%s', (name, before, after) => {
    const root = rootOf(before)
    const result = applySplices(before, removeMembers(before, root, [propertyOf(root, 'x')!]))
    if (name.startsWith('notes around')) {
      expect(result).toContain('// before')
      expect(result).toContain('// after')
      expect(memberOf(rootOf(result), 'x')).toBeNull()
      expect(memberOf(rootOf(result), 'b')?.value).toBe(2)
    } else expect(result).toBe(after)
  })
})

const text = fc
  .record({
    value: fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 5 }),
    indent: fc.constantFrom(undefined, 1, 2, 4, '\t'),
    crlf: fc.boolean(),
    end: fc.constantFrom('', '\n', '\n\n', '  '),
  })
  .map(({ value, indent, crlf, end }) => {
    const printed = JSON.stringify({ ...value, list: [] }, null, indent) + end
    return crlf ? printed.replaceAll('\n', '\r\n') : printed
  })

describe('laws', () => {
  it('what was inserted can be undone, and is there meanwhile', () => {
    fc.assert(
      fc.property(text, fc.string(), fc.jsonValue(), (before, key, value) => {
        fc.pre(memberOf(rootOf(before), `k${key}`) === null && key !== '__proto__')
        const splices = insertMember(before, rootOf(before), { key: `k${key}`, value })
        const after = applySplices(before, splices)
        expect(JSON.parse(after)).toEqual({ ...JSON.parse(before), [`k${key}`]: JSON.parse(JSON.stringify(value)) })
        expect(undoSplices(after, splices)).toBe(before)
      }),
    )
  })

  it('what was inserted can be taken out by its node, and the rest means the same', () => {
    fc.assert(
      fc.property(text, fc.jsonValue(), (before, value) => {
        const after = applySplices(before, insertMember(before, rootOf(before), { key: 'k-ours', value }))
        const root = rootOf(after)
        const removed = applySplices(after, removeMembers(after, root, [propertyOf(root, 'k-ours')!]))
        expect(JSON.parse(removed)).toEqual(JSON.parse(before))
      }),
    )
  })

  it('undoing what is not there says so', () => {
    expect(undoSplices('{"a":1}', [{ at: 1, removed: '', inserted: '"b":2,' }])).toBeNull()
  })
})
