/** What supersedes a note says itself what it is about: words that follow a question about the note do not (spec F5, W6). */
import { describe, expect, it } from 'vitest'
import { extractNotes } from './index.ts'
import { dialogue } from './testing.ts'
import type { ExistingNote } from './types.ts'

const english = 'Tide tables of the harbour office in Brest arrive as fixed-width files'
const chinese = '港务局的潮汐表每周一用 CSV 发来'

function notesOf(question: string, answer: string, said: string, description: string) {
  const existing: ExistingNote[] = [{ name: description, description, type: 'project' }]
  const lines = [`user: ${question}`, `assistant: ${answer}`, `user: ${said}`, 'assistant: Done.']
  return extractNotes(dialogue(lines, { existing }))
}

describe('after a question about a note, an order or a remark changes nothing', () => {
  it.each([
    'Read the whole log now.',
    'Show me the diff now.',
    "Let's move on to the parser now.",
    "I'm confused now.",
    'The build is green now.',
    'Delete the branch now',
    'Run it against staging instead of prod.',
    'I no longer see the error.',
    'The error is gone.',
    'Open the tide tables file now.',
    'Parse the tide tables from Brest now',
    'Show the tide tables from Brest instead of those from Calais.',
  ])('%s', (said) => {
    const question = 'In what form do tide tables of the harbour office in Brest arrive?'
    expect(notesOf(question, 'As fixed-width files.', said, english)).toEqual([])
  })

  it.each(['现在看一下日志。', '改成第二种写法。', '把报错的那段换成日志。', '现在打开潮汐表。', '不再报错了。'])(
    '%s',
    (said) => {
      expect(notesOf('港务局的潮汐表每周几发来？', '每周一，CSV。', said, chinese)).toEqual([])
    },
  )
})

it.each([
  ['The tide tables are JSON now.', english],
  ['Tide tables arrive as JSON now.', english],
  ['潮汐表现在改成周三发来了。', chinese],
])('a statement about what the note says does: %s', (said, description) => {
  const [note, ...others] = notesOf('Anything else?', 'No.', said, description)
  expect(others).toEqual([])
  expect(note?.replaces).toBe(description)
})
