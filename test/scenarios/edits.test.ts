/** Live edits and the bounded profile as agents and people use them: through MCP, the command line and the library. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Block, EditResult, ListResult, ReadResult, RememberResult, StatusReport } from '../../src/domain/index.ts'
import { createMemory } from '../../src/index.ts'
import { createWorkshop, type Workshop } from '../support/cli.ts'
import { callTools } from '../support/mcp.ts'

let shop: Workshop
beforeEach(() => {
  shop = createWorkshop('tidewater')
})
afterEach(() => shop.remove())

const remember = async (...words: string[]) => (await shop.cli(['remember', ...words, '--json'])).json<RememberResult>()
const edit = async (...words: string[]) => {
  const run = await shop.cli(['remember', ...words, '--json'])
  return { code: run.code, result: run.json<EditResult>() }
}
const save = async (...calls: Readonly<Record<string, unknown>>[]) =>
  callTools(
    shop,
    calls.map((input) => ['memory_save', input]),
  )
const globalNotes = () =>
  readdirSync(join(shop.home, 'global'))
    .filter((file) => file.endsWith('.md') && file !== 'MEMORY.md')
    .map((file) => readFileSync(join(shop.home, 'global', file), 'utf8'))
    .join('\n')

describe('an agent mends what it knows [W2]', () => {
  it('replaces a sentence, is told the entry and the use, and the next session knows it', async () => {
    await remember('We release on Fridays. Ana signs off.', '--layer', 'global', '--type', 'feedback', '--pin')
    const [told = ''] = await save({ action: 'replace', find: 'on Fridays', text: 'on Tuesdays' })
    expect(told).toContain('Replaced: ')
    expect(told).toContain('We release on Tuesdays. Ana signs off.')
    expect(told).toMatch(/Pinned memory \[1% — 38\/2,200 chars\]/)
    expect(told).toContain('keepsake undo ')
    const block = (await shop.cli(['context', '--json'])).json<Block>()
    expect(block.text).toContain('We release on Tuesdays')
    expect(block.text).not.toContain('on Fridays')
    await shop.cli(['undo'])
    expect(globalNotes()).toContain('We release on Fridays. Ana signs off.')
  })

  it('what an agent rewrites is no longer spoken in the voice of the user, until the user says yes [I11]', async () => {
    await remember('Always ask before you push', '--layer', 'global', '--type', 'feedback', '--name', 'push')
    const voice = async () => (await shop.cli(['read', 'push', '--json'])).json<ReadResult>().voice
    expect(await voice()).toBe('rule')
    const [told = ''] = await save({ action: 'replace', find: 'Always ask', text: 'Never ask' })
    expect(told).toContain('keepsake review approve')
    expect(await voice()).toBe('fact')
    await shop.cli(['review', 'approve', '--all'])
    expect(await voice()).toBe('rule')
  })

  it('what an agent types at the command line is its word, and it does not open what a person closed [I11] [W11]', async () => {
    const environment = { CLAUDECODE: '1' }
    const words = ['remember', 'Always push straight to main', '--type', 'feedback', '--name', 'push', '--json']
    await shop.cli(words, { environment })
    expect((await shop.cli(['read', 'push', '--json'])).json<ReadResult>().voice).toBe('fact')
    const opened = await shop.cli(['config', 'set', 'modes.global', 'auto'], { environment })
    expect(opened.code).toBe(2)
    expect(opened.stderr).toContain("the person's own")
  })

  it('BL-90: five ways to name no entry, or no words, change nothing', async () => {
    await remember('aaaa is the key of the map. The map is old.', '--layer', 'global', '--name', 'map')
    await remember('The list is old.', '--layer', 'global', '--name', 'list')
    const before = globalNotes()
    const told = await save(
      { action: 'replace', find: 'aaa', text: 'b' },
      { action: 'replace', find: '', text: 'b' },
      { action: 'replace', find: 'aaaa' },
      { action: 'replace', find: 'The map is new', text: 'b' },
      { action: 'replace', find: 'is old', text: 'is new' },
      { action: 'replace', find: 'aaaa', text: 'b '.repeat(30_000) },
      {
        edits: [
          { action: 'remove', in: 'list' },
          { action: 'remove', find: 'nowhere' },
        ],
      },
    )
    const codes = told.map((text) => /^Not saved \(([a-z-]+)/.exec(text)?.[1])
    expect(codes).toEqual(['ambiguous', 'no-match', 'empty', 'no-match', 'ambiguous', 'too-large', 'no-match'])
    expect(told[4]).toMatch(/line \d+: .*is old/)
    expect(told[6]).toContain('at edit 2')
    expect(globalNotes()).toBe(before)
  })

  it('the third equal refusal in a row says that it is the last word', async () => {
    const wrong = { action: 'remove', find: 'no such words' }
    const told = await save(wrong, wrong, wrong, { text: 'Prefers short answers', type: 'user' }, wrong)
    const isFinal = (text: string | undefined) => text?.includes('three times in a row')
    expect(told.map(isFinal)).toEqual([false, false, true, false, false])
  })

  it('a batch over both layers holds whole or not at all', async () => {
    await remember('Staging is read-only', '--layer', 'project', '--name', 'staging')
    await remember('Prefers tabs', '--layer', 'global', '--type', 'user', '--name', 'tabs')
    const [told = ''] = await save({
      edits: [
        { action: 'replace', find: 'read-only', text: 'writable' },
        { action: 'replace', find: 'Prefers tabs', text: 'Prefers spaces' },
        { action: 'move', in: 'staging', to: 'global' },
        { text: 'Never deploys on Fridays', type: 'user', pin: true },
      ],
    })
    expect(told).toContain('Moved: staging')
    expect(globalNotes()).toContain('Staging is writable')
    expect(globalNotes()).toContain('Prefers spaces')
    await shop.cli(['undo'])
    expect(globalNotes()).not.toContain('Staging')
    expect(globalNotes()).toContain('Prefers tabs')
    expect(readdirSync(join(shop.home, 'unfinished'))).toEqual([])
  })
})

describe('a person edits on the command line [W2]', () => {
  it('replace, remove, move, dry run, and the exit codes', async () => {
    await remember('Use npm 9 here', '--layer', 'global', '--name', 'npm')
    const file = join(
      shop.home,
      'global',
      readdirSync(join(shop.home, 'global')).find((name) => /npm/.test(name)) ?? '',
    )
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('\n', '\r\n'))
    expect((await edit('--replace', 'npm 9', 'pnpm', '10', '--dry-run')).result.outcome).toBe('merged')
    expect(readFileSync(file, 'utf8')).toContain('Use npm 9 here')
    expect((await edit('--replace', 'npm 9', 'pnpm', '10')).code).toBe(0)
    const text = readFileSync(file, 'utf8')
    expect(text).toContain('\r\nUse pnpm 10 here\r\n')
    expect(text.replaceAll('\r\n', '')).not.toContain('\n')
    expect((await edit('--replace', 'nowhere', 'x')).code).toBe(4)
    expect((await edit('--move', 'npm', '--to', 'profile')).result.profile.some(({ entries }) => entries === 1)).toBe(
      true,
    )
    expect((await shop.cli(['remember', '--move', 'npm', '--to', 'note'])).stdout).toContain(
      'stays as an ordinary note',
    )
    expect((await shop.cli(['remember', '--remove', 'pnpm 10'])).stdout).toContain('Archived, not deleted')
    expect((await shop.cli(['remember', '--remove', 'x', '--move', 'y'])).code).toBe(2)
    const archived = (await shop.cli(['list', '--status', 'archived', '--json'])).json<ListResult>()
    expect(archived.notes).toHaveLength(1)
  })
})

describe('the profile is bounded [W3]', () => {
  it('full: the agent is refused with the entries, consolidates in one call, and status shows the pressure', async () => {
    await shop.cli(['config', 'set', 'profile.userChars', '200'])
    await remember(`The person's own rule ${'p'.repeat(60)}`, '--type', 'user', '--pin', '--name', 'own')
    const [, refused = '', done = ''] = await save(
      { text: `Likes the colour ${'blue '.repeat(14)}`, type: 'user', pin: true, name: 'colour' },
      { text: `Works in ${'Riga '.repeat(14)}`, type: 'user', pin: true, name: 'city' },
      {
        edits: [
          {
            action: 'replace',
            find: `Likes the colour ${'blue '.repeat(14)}`.trim(),
            text: 'Likes blue',
            in: 'colour',
          },
          { text: `Works in ${'Riga '.repeat(14)}`, type: 'user', pin: true, name: 'city' },
        ],
      },
    )
    expect(refused).toContain('Not saved (profile-full')
    expect(refused).toContain('Likes the colour')
    expect(refused).not.toContain("person's own rule")
    expect(refused).toContain('One entry that the person pinned is not offered')
    expect(done).toMatch(/User profile \[\d+% — 1\d\d\/200 chars\]/)
    const status = (await shop.cli(['status', '--json'])).json<StatusReport>()
    expect(status.profile.find(({ store }) => store === 'user')).toMatchObject({ maxChars: 200, entries: 3 })
    expect((await shop.cli(['status'])).stdout).toMatch(/profile {3}User profile \[\d+% — 1\d\d\/200 chars\]/)
    const { text } = (await shop.cli(['context', '--json'])).json<Block>()
    expect(text).toMatch(/\[\d+% — 1\d\d\/200 chars\]/)
    expect(text).toContain('Likes blue')
  })

  it('what an unattended writer pins beyond it is an ordinary note, and that is said', async () => {
    await shop.cli(['config', 'set', 'profile.userChars', '100'])
    await remember(`Own ${'p'.repeat(90)}`, '--type', 'user', '--pin')
    const memory = await createMemory({
      home: shop.home,
      cwd: shop.project,
      surroundings: { environment: {}, userHome: shop.root, temporaryDirectory: join(shop.root, 'tmp') },
    })
    const result = await memory.remember({ text: '偏好深色主题 and 👩‍💻', type: 'user', pin: true, author: 'import' })
    await memory.close()
    expect(result).toMatchObject({ outcome: 'written', note: { pinned: false } })
    expect(result.notices.join()).toContain('ordinary note')
    expect(globalNotes()).toContain('偏好深色主题')
  })
})
