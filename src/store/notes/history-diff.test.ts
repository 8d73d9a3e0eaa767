import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytesOfLines, type Hunk, hunksBetween, linesOf, reverseChange, unifiedDiff } from './history-diff.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array | null) => (bytes === null ? null : new TextDecoder().decode(bytes))
const someLines = fc.array(fc.constantFrom('a\n', 'b\n', 'c\r\n', '\n', 'd'), { maxLength: 12 })

function apply(old: readonly string[], hunks: readonly Hunk[]): string[] {
  return hunks.reduceRight(
    (lines, { start, end, lines: added }) => lines.toSpliced(start, end - start, ...added),
    [...old],
  )
}

describe('lines and hunks', () => {
  it('lines joined are the bytes, whatever they are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        expect(bytesOfLines(linesOf(bytes))).toEqual(Uint8Array.from(bytes))
      }),
    )
  })

  it('hunks turn the old side into the new one, in order, with a kept line between them', () => {
    fc.assert(
      fc.property(someLines, someLines, (old, next) => {
        const hunks = hunksBetween(old, next)
        expect(apply(old, hunks)).toEqual(next)
        for (const [index, hunk] of hunks.entries()) {
          const following = hunks[index + 1]
          if (following) expect(hunk.end).toBeLessThan(following.start)
        }
      }),
    )
  })

  it('very different long files are still bounded work', () => {
    const old = Array.from({ length: 4_000 }, (_, at) => `old ${at}\n`)
    const next = Array.from({ length: 4_000 }, (_, at) => `new ${at}\n`)
    expect(hunksBetween(old, next)).toEqual([{ start: 0, end: 4_000, lines: next }])
  })
})

describe('reverseChange', () => {
  it.each([
    ['later line at the end', 'a\nb\nc\nd\n', 'a\nB\nc\nd\n', 'a\nB\nc\nd\ne\n', 'a\nb\nc\nd\ne\n'],
    ['later line at the start', 'a\nb\nc\n', 'a\nb\nC\n', 'x\na\nb\nC\n', 'x\na\nb\nc\n'],
    ['later words between two changes', 'a\nb\nc\nd\ne\n', 'A\nb\nc\nd\nE\n', 'A\nb\nX\nd\nE\n', 'a\nb\nX\nd\ne\n'],
    ['CRLF stays', 'a\r\nb\r\nc\r\n', 'A\r\nb\r\nc\r\n', 'A\r\nb\r\nc\r\nd\r\n', 'a\r\nb\r\nc\r\nd\r\n'],
    ['lines that the change added go', 'a\nb\n', 'a\nnew\nb\n', 'a\nnew\nb\nlater\n', 'a\nb\nlater\n'],
    ['the same line changed again', 'a\nb\n', 'a\nB\n', 'a\nBB\n', null],
    ['the next line changed', 'a\nb\nc\n', 'a\nB\nc\n', 'a\nB\nC\n', null],
    ['words after a line that the change added', 'a\n', 'a\nnew\n', 'a\nnew\nlater\n', null],
  ])('%s', (_, before, after, current, expected) => {
    const reversed = reverseChange({ before: encode(before), after: encode(after), current: encode(current) })
    expect(decode(reversed)).toBe(expected)
  })

  it('without later words it gives the version before, and a change that did nothing leaves the later words', () => {
    fc.assert(
      fc.property(someLines, someLines, (one, other) => {
        const [before, after] = [bytesOfLines(one), bytesOfLines(other)]
        expect(reverseChange({ before, after, current: after })).toEqual(before)
        expect(reverseChange({ before: after, after, current: before })).toEqual(before)
      }),
    )
  })

  it('loses no later line', () => {
    fc.assert(
      fc.property(someLines, someLines, fc.array(fc.nat(12), { maxLength: 3 }), (one, other, places) => {
        const [before, after] = [bytesOfLines(one), bytesOfLines(other)]
        const later = linesOf(after)
        for (const [index, place] of places.entries()) later.splice(place, 0, `later ${index}\n`)
        const reversed = reverseChange({ before, after, current: bytesOfLines(later) })
        if (reversed === null) return
        for (const index of places.keys()) expect(decode(reversed)).toContain(`later ${index}\n`)
      }),
    )
  })
})

describe('unifiedDiff', () => {
  it('shows changes with three lines around, near ones as one', () => {
    const old = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`)
    const next = old.with(4, 'five').with(6, 'seven').toSpliced(18, 1)
    expect(
      unifiedDiff(encode(`${old.join('\n')}\n`), encode(`${next.join('\n')}\n`)).join('\n'),
    ).toMatchInlineSnapshot(`
      "@@ -2,9 +2,9 @@
       line 2
       line 3
       line 4
      -line 5
      +five
       line 6
      -line 7
      +seven
       line 8
       line 9
       line 10
      @@ -16,5 +16,4 @@
       line 16
       line 17
       line 18
      -line 19
       line 20"
    `)
  })

  it.each([
    ['added', null, 'a\nb\n', ['@@ -0,0 +1,2 @@', '+a', '+b']],
    ['removed', 'a\r\n', null, ['@@ -1,1 +0,0 @@', '-a']],
    ['equal', 'a\n', 'a\n', []],
    ['only line ends', 'a\r\n', 'a\n', []],
    ['nothing', null, null, []],
  ])('%s', (_, before, after, expected) => {
    const bytes = (text: string | null) => (text === null ? null : encode(text))
    expect(unifiedDiff(bytes(before), bytes(after))).toEqual(expected)
  })
})
