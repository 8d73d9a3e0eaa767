/** Only what the user takes back goes: words that look like it and are about the work leave every note alone. */
import { describe, expect, it } from 'vitest'
import { takenBackMessages } from './extract-notes.ts'

const takenBackBy = (content: string) =>
  takenBackMessages([
    { index: 0, role: 'user', content: 'I prefer vitest over jest in all my projects.', time: null, toolName: null },
    { index: 1, role: 'assistant', content: 'Noted.', time: null, toolName: null },
    { index: 2, role: 'user', content, time: null, toolName: null },
  ])

describe('taking back [W22]', () => {
  it.each([
    'do not keep that',
    "Don't remember this, please.",
    'forget that',
    "ok, don't save that one",
    "don't store that token",
    "I said too much. Don't keep that.",
    '别记这个',
    '这条不用记了',
    '不要记这件事',
    '别保存',
  ])('%s', (message) => expect(takenBackBy(message)).toContain(0))

  it.each([
    "don't keep that branch, delete it",
    'forget that last commit',
    "Don't remember that function's name, what was it?",
    "I don't remember that, what did we say?",
    "I honestly don't remember it.",
    "don't keep that unused import, remove it",
    'do not log this query',
    '别记这个文件名，改成 foo.ts',
    '不要记那么多日志',
    '不要保存这个分支',
    'The word 别记这个 is Chinese for something; translate it?',
    '“别记这个”是什么意思',
  ])('%s: nothing is taken back', (message) => expect(takenBackBy(message)).toEqual([]))
})
