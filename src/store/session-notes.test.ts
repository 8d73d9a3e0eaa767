import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { removeSessionNote, sweepSessionNotes, writeNewestSession, writeSessionNote } from './session-note-writes.ts'
import {
  readNewestSession,
  readSessionNoteText,
  readSessionState,
  sessionNoteFile,
  sessionNotes,
} from './session-notes.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'keepsake-session-notes-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const place = { project: 'projects/tidepool-abcd1234', session: 'claude-code:11aa' }
const newest = { session: place.session, updated: '2026-11-30T10:00:00Z', line: 'Tide cache; waits for the user' }

describe('the files of session notes [F1]', () => {
  it('are private, found again, and leave no temp file', async () => {
    await writeSessionNote(home, place, '# Session Title\n')
    await writeNewestSession(home, place.project, newest)
    const file = sessionNoteFile(home, place)
    expect(file).toBe(join(home, 'session-notes/tidepool-abcd1234/claude-code_11aa.md'))
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(join(dirname(file), 'newest.json')).mode & 0o777).toBe(0o600)
    expect(readSessionNoteText(home, place)).toBe('# Session Title\n')
    expect(readNewestSession(home, place.project)).toEqual(newest)
    expect(readdirSync(dirname(file)).sort()).toEqual(['claude-code_11aa.md', 'newest.json'])
    expect([...sessionNotes(home)]).toEqual([{ project: place.project, file, text: '# Session Title\n' }])
  })

  it.each([['../../etc/passwd'], ['a/b'], ['..'], ['x'.repeat(200)], ['含'], ['a:b']])(
    'stay in their folder for the session id %j',
    (native) => {
      const file = sessionNoteFile(home, { project: null, session: `codex:${native}` })
      expect(dirname(file)).toBe(join(home, 'session-notes/no-project'))
      expect(file).not.toBe(sessionNoteFile(home, { project: null, session: `codex:${native}x` }))
    },
  )

  it('what a killed write left is no note, and is swept', async () => {
    await writeSessionNote(home, place, 'whole')
    const folder = dirname(sessionNoteFile(home, place))
    writeFileSync(join(folder, '.keepsake-temp-0011223344556677'), 'half a no')
    expect([...sessionNotes(home)].map(({ text }) => text)).toEqual(['whole'])
    sweepSessionNotes(home)
    expect(readdirSync(folder)).toEqual(['claude-code_11aa.md'])
    sweepSessionNotes(join(home, 'nowhere'))
  })

  it('removing one takes its newest.json along, and nobody else’s', async () => {
    const other = { ...place, session: 'codex:22bb' }
    await writeSessionNote(home, place, 'a')
    await writeSessionNote(home, other, 'b')
    await writeNewestSession(home, place.project, newest)
    removeSessionNote(home, other)
    expect(readNewestSession(home, place.project)).toEqual(newest)
    removeSessionNote(home, place)
    expect([readNewestSession(home, place.project), [...sessionNotes(home)]]).toEqual([null, []])
    removeSessionNote(home, place)
  })

  it.each([
    ['nothing', null],
    ['a torn file', '{"session":"a:b","upd'],
    ['another shape', '["a"]'],
    ['null', 'null'],
    ['no line', '{"session":"a:b","updated":"2026-11-30T10:00:00Z"}'],
    ['no time', '{"session":"a:b","updated":"soon","line":"x"}'],
    ['bytes', '\u0000\u0001'],
  ])('names no newest for %s', (_, text) => {
    const folder = join(home, 'session-notes/tidepool-abcd1234')
    mkdirSync(folder, { recursive: true })
    if (text !== null) writeFileSync(join(folder, 'newest.json'), text)
    expect(readNewestSession(home, place.project)).toBeNull()
  })
})

describe('the state of a conversation [F1]', () => {
  it('is read from its note alone, bounded, each line with its part', async () => {
    const request = '把潮汐表放进数据库'.repeat(200)
    const note = `# Session Title\n\nTides\n\n# Current State\n\n- State: waits\n- Last request: ${request}\n\n# Errors & Corrections\n\n- Last error: exit 1\n`
    await writeSessionNote(home, place, note)
    const state = readSessionState(home, place)
    expect(Buffer.byteLength(state)).toBeLessThanOrEqual(600)
    expect(state.split('\n').map((line) => line.slice(0, 16))).toEqual([
      '- State: waits',
      '- Last request: ',
      '- Last error: ex',
    ])
    expect(state).not.toContain('\ufffd')
  })

  it('is empty without a note', () => {
    expect(readSessionState(home, place)).toBe('')
  })
})
