import { describe, expect, it } from 'vitest'
import { extractNotes } from './extract-notes.ts'
import { dialogue } from './testing.ts'
import { vetoNote } from './veto.ts'

const bodies = (lines: readonly string[]) => extractNotes(dialogue(lines)).map(({ body }) => body)

describe('BL-52: candidates with markup do not become notes [W6]', () => {
  const said = 'I prefer short answers'
  const { messages } = dialogue([`user: ${said}`])
  it.each([
    'status: staged - Candidate: The user prefers short answers',
    'The user prefers short answers. confidence: 0.58 recalls: 0',
    'The user prefers short answers (recalls=0)',
    '{"content": "The user prefers short answers", "score": 0.7}',
    'Candidate: short answers are preferred',
    '候选：偏好简短回答（置信度：0.58）',
  ])('%s', (text) => {
    const quotes = [{ message: 0, words: said }]
    expect(vetoNote({ type: 'user', text, quotes, messages, existing: [], sensitive: 'refuse' })).not.toBeNull()
  })
})

describe('BL-94: a refusal without the right form teaches nothing [W6]', () => {
  it.each([
    ['assistant: I call list({page: 2}).', 'user: that is not how the API works'],
    ['assistant: I run mvn test.', 'user: no, wrong. try again'],
    ['assistant: The flow has five steps.', "user: hm no, that's not how claims work"],
    ['assistant: 我传时间戳。', 'user: 这个 API 不是这么用的'],
    ['assistant: 流程有五步。', 'user: 不是这样的'],
  ])('%s %s', (answer, refusal) => {
    expect(bodies(['user: go on', answer, refusal])).toEqual([])
  })
})
