/** The last word of the user stands: a value that is given anew takes the place of the earlier one, also a turn later. */
import { describe, expect, it } from 'vitest'
import { extractNotes } from './extract-notes.ts'
import type { ExistingNote, ExtractMessage } from './types.ts'

const time = '2026-05-12T10:00:00+02:00'
const said = (...contents: string[]): ExtractMessage[] =>
  contents.map((content, index) => ({
    index,
    role: index % 2 === 0 ? 'user' : 'assistant',
    content,
    toolName: null,
    time,
  }))

const bodies = (messages: ExtractMessage[]) =>
  extractNotes({ messages, existing: [], date: time }).map(({ body, evidence }) => ({ body, evidence }))

describe('a value given anew [W17]', () => {
  it.each([
    ['the retro is at 16:30 from now on', 'sorry, make that 17:15', /retro is at 17:15/],
    ['From now on the backup job gets 3 retries.', 'hm, actually 5', /gets 5 retries/],
    ['From now on reports go out on Thursday mornings.', 'no wait, Tuesday mornings', /on Tuesday mornings/],
    ['以后晨会都九点开', '啊不对，还是九点半', /都九点半开/],
    ['今后报表都在每周一发', '看错了，应该是每周四', /都在每周四发/],
  ])('%s / %s', (first, second, expected) => {
    expect(bodies(said(first, 'Ok.', second))).toEqual([{ body: expect.stringMatching(expected), evidence: [2, 0] }])
  })

  it.each([
    ['From now on the backup job gets 3 retries.', 'thanks, 5 files are left'],
    ['From now on the backup job gets 3 retries.', 'should it be 5?'],
    ['From now on the retro is at 16:30.', 'Actually, the lift inspection in the annex took until 17:15.'],
    ['以后晨会都九点开', '好的，我十点到'],
  ])('%s / %s: another thing', (first, second) => {
    expect(bodies(said(first, 'Ok.', second))).toEqual([{ body: expect.anything(), evidence: [0] }])
  })

  it('names the note of an earlier turn as the one to replace', () => {
    const messages = said('the retro is at 16:30 from now on', 'Ok.', 'sorry, make that 17:15')
    const [first] = extractNotes({ messages: messages.slice(0, 2), existing: [], date: time })
    const existing: ExistingNote[] = first ? [{ ...first, name: 'retro-time' }] : []
    const later = extractNotes({ messages, from: 2, existing, date: time })
    expect(later).toMatchObject([{ replaces: 'retro-time', evidence: [2, 0] }])
    expect(later[0]?.body).toContain('17:15')
  })
})
