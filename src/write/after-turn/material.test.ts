import { describe, expect, it } from 'vitest'
import type { Session } from '../../domain/index.ts'
import { createMemorySessionStore } from '../../store/sessions/memory-session-store.ts'
import { materialOf } from './material.ts'

const nothing = {
  project: null,
  title: null,
  tags: [],
  branch: null,
  cwd: null,
  started: null,
  ended: null,
  parent: null,
}
const session: Session = { id: 's', agent: 'claude-code', ...nothing, summary: null }

function material(contents: readonly string[], shownUpTo?: number, forgotten: readonly string[] = []) {
  const sessions = createMemorySessionStore()
  sessions.putSession(session)
  const said = contents.map((content, at) => ({
    id: `claude-code:m${at}`,
    idGiven: true,
    role: 'user' as const,
    content,
    toolName: null,
    time: null,
    hash: `${at}`,
  }))
  sessions.addMessages('s', said)
  const messages = sessions.messagesFrom('s', { ordinal: 0, direction: 'on', limit: 500, tools: true })
  const unread = { messages, upTo: contents.length - 1, hasMore: false }
  return materialOf(sessions, {
    session,
    unread,
    existing: [],
    isForgotten: ({ hash }) => forgotten.includes(hash),
    ...(shownUpTo === undefined ? {} : { shownUpTo }),
  })
}

describe('the material of one question [W12]', () => {
  it('is all that is unread, numbered as references count', () => {
    const made = material(['Fixture 1 is ours.', 'Fixture 2 is yours.'])
    expect([[...(made?.fresh.keys() ?? [])], made?.upTo, made?.hasMore]).toEqual([[1, 2], 1, false])
  })

  it('that does not fit ends between two turns, and says that there is more', () => {
    const made = material(
      Array.from({ length: 100 }, (_, at) => `Fixture ${at} ${'is ours and not yours '.repeat(60)}`),
    )
    expect(made?.hasMore).toBe(true)
    expect(made?.upTo).toBe((made?.fresh.size ?? 0) - 1)
    expect(made?.prompt).toContain(`#${made?.fresh.size} user`)
    expect(made?.prompt).not.toContain(`#${(made?.fresh.size ?? 0) + 1} user`)
  })

  it('has no message that proved what was forgotten, new or earlier', () => {
    const said = ['Fixture 1 is ours.', 'Fixture 2 is yours.', 'Fixture 3 is theirs.']
    const made = material(said, undefined, ['1'])
    expect([[...(made?.fresh.keys() ?? [])], made?.upTo]).toEqual([[1, 3], 2])
    expect(made?.prompt).not.toContain('Fixture 2')
    expect(material(said.slice(0, 1), undefined, ['0'])).toBeNull()
  })

  it('shown before ends where it ended; what was taken back since is gone from it', () => {
    const said = ['Fixture 1 is ours.', 'Fixture 2 is yours.', 'actually, forget that']
    expect(material(said, 1)).toMatchObject({ upTo: 1, hasMore: true })
    expect([...(material(said, 1)?.fresh.keys() ?? [])]).toEqual([1])
    expect(material(said.slice(1), 0)).toBeNull()
  })
})
