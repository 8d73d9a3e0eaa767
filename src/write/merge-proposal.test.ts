/** The three ways, for all inputs: nothing of either side is lost, no secret is, and no mask takes a secret's place. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Evidence, Proposal } from '../domain/index.ts'
import { redact } from '../guard/index.ts'
import { rebaseHunks } from '../store/notes/history-diff.ts'
import { sha256 } from '../util/index.ts'
import { applyMasked, maskedLinesOf } from './masked-lines.ts'
import { mergeProposal } from './merge-proposal.ts'

const secret = ['ghp', '_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('')
const other = ['ghp', '_', 'Z9y8X7w6V5u4T3s2R1q0P9o8N7m6L5k4J3h2'].join('')
const keyBlock = ['-----BEGIN ', 'PRIVATE KEY-----'].join('')
const keyEnd = ['-----END ', 'PRIVATE KEY-----'].join('')
const key = `${keyBlock}\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\nMzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu\n${keyEnd}`

const bytes = (text: string) => new TextEncoder().encode(text)
const approval: Evidence = {
  session: null,
  message: 'proposal:P',
  role: 'person',
  time: '2026-11-29T20:24:00Z',
  quote: null,
  hash: null,
}
const front = (body: string) =>
  `---\nname: deploys\ndescription: how\ntype: project\nid: 01K00000000000000000000001\n---\n\n${body}\n`
const proposalOf = (base: string, proposed: string): Proposal => ({
  id: 'P',
  layer: 'global',
  asks: 'change',
  operation: 'patch',
  noteId: '01K00000000000000000000001',
  baseHash: sha256(bytes(base)),
  base: redact(base).text,
  file: 'deploys.md',
  proposed: redact(proposed).text,
  from: null,
  evidence: [],
  author: 'codex',
  reason: 'review',
  created: '2026-11-29T20:24:00Z',
})
const timesIn = (words: readonly string[], part: string) => words.join('\n').split(part).length - 1
const bodyOf = (text: string) => text.slice(text.indexOf('\n---\n') + 5)

const line = fc.constantFrom(
  'One.',
  'Two.',
  '三。',
  '',
  'Four four.',
  `token ${secret} here`,
  `token ${other} here`,
  key,
)
const lines = fc.array(line, { maxLength: 9 })
/** The same lines with some taken out, put in or changed. */
const changed = (from: readonly string[]) =>
  fc
    .array(fc.record({ at: fc.nat(8), words: fc.option(fc.constantFrom('New.', '新的。', 'Also new.')) }), {
      maxLength: 3,
    })
    .map((edits) => {
      const next = [...from]
      for (const { at, words } of edits) words === null ? next.splice(at, 1) : next.splice(at, at % 2, words)
      return next
    })
const three = lines.chain((base) => fc.record({ base: fc.constant(base), mine: changed(base), theirs: changed(base) }))

describe('masked lines [W5]', () => {
  it('without a change they are the real ones, for any text', () => {
    fc.assert(
      fc.property(lines, (words) => {
        const real = words.join('\n').split('\n')
        const masked = redact(real.join('\n')).text.split('\n')
        expect(applyMasked(maskedLinesOf(real, masked), [])).toEqual(real)
      }),
    )
  })
})

describe('merging a proposal [W11]', () => {
  it('keeps every secret that stood in an unchanged line, and writes no mask over one', () => {
    fc.assert(
      fc.property(three, ({ base, mine, theirs }) => {
        const [from, now] = [front(base.join('\n')), front(theirs.join('\n'))]
        const proposal = proposalOf(from, front(mine.join('\n')))
        const merged = mergeProposal(proposal, { bytes: bytes(now), hash: sha256(bytes(now)) }, approval)
        if (!('bytes' in merged)) return
        const text = bodyOf(new TextDecoder().decode(merged.bytes))
        expect(text).not.toContain('[masked: ')
        // Of a line that stood there twice either side may have taken out another one: then both are gone, rightly.
        for (const each of [secret, other, key]) {
          const kept = timesIn(mine, each) + timesIn(theirs, each) - timesIn(base, each)
          expect(timesIn([text], each)).toBeGreaterThanOrEqual(kept)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('of two secrets in the same words one goes: which one nobody can tell from the masks, so it is refused', () => {
    const now = front(`Old: token ${secret} here\ntoken ${secret} here\ntoken ${other} here`)
    const proposal = proposalOf(now, front(`Old: token ${secret} here\ntoken ${other} here`))
    const merged = mergeProposal(proposal, { bytes: bytes(now), hash: sha256(bytes(now)) }, approval)
    expect(merged).toMatchObject({ state: 'refused', refusal: 'secret' })
  })

  it('of text without secrets it is what both wanted: alone, the change; beside another, both', () => {
    const plain = fc.array(fc.constantFrom('a', 'b', 'c', 'd', '', 'e'), { maxLength: 9 })
    fc.assert(
      fc.property(
        plain.chain((base) => fc.record({ base: fc.constant(base), mine: changed(base), theirs: changed(base) })),
        ({ base, mine, theirs }) => {
          const alone = rebaseHunks({ base, next: mine, current: base }) ?? []
          expect(applyMasked(maskedLinesOf(base, base), alone)).toEqual(mine)
          const hunks = rebaseHunks({ base, next: mine, current: theirs })
          if (hunks === null) return
          const merged = applyMasked(maskedLinesOf(theirs, theirs), hunks) ?? []
          for (const word of ['New.', '新的。', 'Also new.'])
            if (mine.includes(word) || theirs.includes(word)) expect(merged).toContain(word)
          // Either order gives the same.
          const back = rebaseHunks({ base, next: theirs, current: mine }) ?? []
          expect(applyMasked(maskedLinesOf(mine, mine), back)).toEqual(merged)
        },
      ),
      { numRuns: 500 },
    )
  })

  it.each([
    ['front matter that cannot be read', '---\nname: [x\n---\nText.\n', 'format'],
    ['bytes that are no UTF-8', new Uint8Array([0x80, 0x0a]), 'format'],
    ['a secret in a field that changes', `---\nname: "n ${secret}"\n---\nText.\n`, 'secret'],
  ])('%s: refused', (_case, now, refusal) => {
    const current = typeof now === 'string' ? bytes(now) : now
    const proposal = {
      ...proposalOf('', '---\nname: "m [masked: github-token]"\n---\nOther.\n'),
      baseHash: sha256(current),
      base: null,
    }
    expect(mergeProposal(proposal, { bytes: current, hash: sha256(current) }, approval)).toMatchObject({
      state: 'refused',
      refusal,
    })
  })
})
