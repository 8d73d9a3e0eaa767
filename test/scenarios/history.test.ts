/** History as a person uses it: what changed, what one change did, taking it back; with git, without, and broken. */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type {
  HistoryDiff,
  HistoryLog,
  ListResult,
  RememberResult,
  StatusReport,
  UndoResult,
} from '../../src/domain/index.ts'
import { createWorkshop, type Workshop } from '../support/cli.ts'

let shop: Workshop
beforeEach(() => {
  shop = createWorkshop('tidewater')
})
afterEach(() => shop.remove())

const remember = async (...words: string[]) =>
  (await shop.cli(['remember', ...words, '--json'])).json<Extract<RememberResult, { note: unknown }>>()
const history = async (...words: string[]) =>
  (await shop.cli(['history', ...words, '--json'])).json<HistoryLog>().changes
const undo = (...words: string[]) => shop.cli(['undo', ...words, '--json'])
const notes = async () => (await shop.cli(['list', '--json'])).json<ListResult>().notes
const checkOf = async (name: string, environment: Record<string, string> = {}) =>
  (await shop.cli(['status', '--json'], { environment })).json<StatusReport>().checks.find((each) => each.name === name)

describe('history [S12]', () => {
  it('lists changes newest first, with who, when and which files, and pages', async () => {
    const { note } = await remember('Deploys go out on Tuesdays', '--name', 'Deploys')
    await remember('Deploys go out on Thursdays', '--name', 'Deploys')
    await remember('Use tabs in Makefiles', '--layer', 'global')
    await shop.cli(['forget', 'Deploys', '--yes'])
    const all = await history()
    expect(
      all.map(({ kind, author, files }) => [kind, author, files.map(({ layer, change }) => `${change} ${layer}`)]),
    ).toEqual([
      ['forget', 'person', ['removed project']],
      ['remember', 'person', ['added global']],
      ['remember', 'person', ['changed project']],
      ['remember', 'person', ['added project']],
    ])
    expect((await history('--limit', '1')).map(({ id }) => id)).toEqual([all[0]?.id])
    expect((await history('--limit', '2', '--cursor', 'o2')).map(({ id }) => id)).toEqual([all[2]?.id, all[3]?.id])
    for (const gone of [note.id, 'project_deploys.md'])
      expect((await history(gone)).map(({ kind }) => kind)).toEqual(['forget', 'remember', 'remember'])
    expect((await shop.cli(['history', 'no-such-note'])).code).toBe(3)
  })

  it('a file edited, made, renamed by hand is recorded as somebody else’s change, at the next write or refresh', async () => {
    const { note } = await remember('Deploys go out on Tuesdays', '--name', 'Deploys')
    const made = join(note.file, '../made-by-hand.md')
    writeFileSync(note.file, readFileSync(note.file, 'utf8').replaceAll('Tuesdays', 'Fridays'))
    writeFileSync(made, 'by hand\r\n')
    await shop.cli(['refresh'])
    const [outside] = await history()
    expect(outside).toMatchObject({
      kind: 'outside',
      author: 'person',
      files: [{ change: 'added' }, { change: 'changed' }],
    })
    rmSync(made)
    await remember('Use tabs in Makefiles', '--layer', 'project')
    expect((await history()).map(({ kind }) => kind)).toEqual(['remember', 'outside', 'outside', 'remember'])
  })

  it('diff shows what a change did and what is not recorded yet, masked', async () => {
    await remember('Deploys go out on Tuesdays', '--name', 'Deploys')
    const { note } = await remember('Deploys go out on Thursdays', '--name', 'Deploys')
    const [change] = await history()
    const shown = (await shop.cli(['diff', change?.id ?? '', '--json'])).json<HistoryDiff>()
    expect(shown.change?.id).toBe(change?.id)
    expect(shown.files[0]?.text).toMatch(/^-Deploys go out on Tuesdays$/m)
    expect(shown.files[0]?.text).toMatch(/^\+Deploys go out on Thursdays$/m)
    expect((await shop.cli(['diff', 'Deploys'])).stdout).toContain('+Deploys go out on Thursdays')
    const secret = ['AKIA', 'QWERTYUIOP', '123456'].join('')
    writeFileSync(note.file, `${readFileSync(note.file, 'utf8')}the key is ${secret}\n`)
    const unrecorded = await shop.cli(['diff', 'Deploys', '--json'])
    expect(unrecorded.json<HistoryDiff>().change).toBeNull()
    expect(unrecorded.stdout).toContain('the key is')
    expect(unrecorded.stdout).not.toContain(secret)
    expect((await shop.cli(['diff', 'nothing-of-this-name'])).code).toBe(3)
  })

  it('undo takes the last change back, and a named one, and an undo', async () => {
    const { note, notices } = await remember('Deploys go out on Tuesdays', '--name', 'Deploys')
    const bytes = readFileSync(note.file)
    const id = /keepsake undo ([0-9a-f]{12})/.exec(notices.join('\n'))?.[1] ?? ''
    await shop.cli(['forget', 'Deploys', '--yes'])
    const forgotten = await undo()
    expect(forgotten.json<UndoResult>()).toMatchObject({ outcome: 'undone', change: { kind: 'forget' } })
    expect(readFileSync(note.file)).toEqual(bytes)
    expect((await notes()).map(({ id: each }) => each)).toEqual([note.id])
    const taken = (await undo(id)).json<UndoResult>()
    expect(await notes()).toEqual([])
    const again = /keepsake undo ([0-9a-f]{12})/.exec(taken.notices.join('\n'))?.[1] ?? ''
    await undo(again)
    expect(readFileSync(note.file)).toEqual(bytes)
    expect((await shop.cli(['recall', 'deploys'])).stdout).toContain('Deploys')
  })

  it.each([
    ['CRLF and BOM', Buffer.from('\ufeff---\r\nname: By hand\r\n---\r\n\r\nOne\r\nTwo\r\n'), 0o644],
    ['no last line end', Buffer.from('just words'), 0o600],
    ['executable', Buffer.from('words\n'), 0o755],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0, 10, 13]), 0o640],
  ])('a hand-made file comes back to the byte and the bit: %s', async (_, bytes, mode) => {
    const { note } = await remember('Deploys go out on Tuesdays')
    const file = join(note.file, '../by-hand.md')
    writeFileSync(file, bytes)
    chmodSync(file, mode)
    await shop.cli(['refresh'])
    rmSync(file)
    await shop.cli(['refresh'])
    const [removed] = await history()
    expect((await undo(removed?.id ?? '')).code).toBe(0)
    expect(readFileSync(file)).toEqual(bytes)
    expect(statSync(file).mode & 0o777).toBe(mode)
  })

  it('a file that changed since is not overwritten: conflict, a hint, nothing done', async () => {
    const { note } = await remember('Deploys go out on Tuesdays')
    writeFileSync(note.file, 'my own words now\n')
    const refused = await undo()
    expect(refused.code).toBe(4)
    expect(refused.json<{ error: { code: string; hint: string } }>().error).toMatchObject({
      code: 'NOTE_CHANGED_ON_DISK',
      hint: expect.stringContaining('keepsake history'),
    })
    expect(readFileSync(note.file, 'utf8')).toBe('my own words now\n')
  })

  it.each([
    ['an unknown change', ['undo', 'abcdef012345'], 3],
    ['nothing to take back', ['undo'], 3],
    ['too short', ['undo', 'ab'], 3],
    ['a limit that is none', ['history', '--limit', '0'], 2],
    ['a cursor that is none', ['history', '--cursor', 'x'], 2],
  ])('%s: one line, a hint and the right exit code', async (_, words, code) => {
    const run = await shop.cli(words)
    expect(run.code).toBe(code)
    expect(run.stderr.trim().split('\n').length).toBeLessThanOrEqual(2)
    expect(run.stderr).not.toMatch(/\n\s+at /)
  })

  it('no folder of notes holds a .git, and no commit quotes a note', async () => {
    const { note } = await remember('The zebra launch is planned for spring', '--name', 'Zebra')
    await remember('The zebra launch is planned for autumn', '--name', 'Zebra')
    await shop.cli(['remember', '--move', 'Zebra', '--layer', 'global'])
    await shop.cli(['forget', 'Zebra', '--yes'])
    await undo()
    expect(existsSync(join(note.file, '../.git'))).toBe(false)
    expect(existsSync(join(shop.home, 'global/.git'))).toBe(false)
    for (const layer of ['global', `projects/${note.file.split('/').at(-2)}`]) {
      const repository = join(shop.home, `history/${layer}.git`)
      const git = (...words: string[]) => execFileSync('git', ['--git-dir', repository, ...words], { encoding: 'utf8' })
      expect(git('fsck', '--strict', '--no-dangling', '--no-progress')).toBe('')
      expect(git('log', '--format=%an%ae%cn%ce%B', 'main')).not.toMatch(/zebra|launch|spring|autumn/i)
      expect(statSync(repository).mode & 0o077).toBe(0)
    }
  })
})

describe('bad ground [S12]', () => {
  const noGit = () => ({ PATH: join(shop.root, 'empty') })

  it('no git: notes work, status says it once, history says why; what was missed is recorded when git is there', async () => {
    const kept = await shop.cli(['remember', 'Deploys go out on Tuesdays', '--json'], { environment: noGit() })
    expect(kept.json<RememberResult>()).toMatchObject({ outcome: 'written' })
    expect(kept.stdout).toContain('keepsake forget')
    expect(kept.stderr).toBe('')
    expect(await checkOf('history', noGit())).toMatchObject({
      state: 'warning',
      detail: expect.stringMatching(/no git/),
    })
    for (const words of [['history'], ['undo'], ['diff', 'Deploys']]) {
      const run = await shop.cli(words, { environment: noGit() })
      expect([run.code, run.stderr]).toEqual([5, expect.stringMatching(/no git[^\n]*\n {2}Install git/)])
    }
    expect(existsSync(join(shop.home, 'history'))).toBe(false)
    await shop.cli(['refresh'])
    expect((await history()).map(({ kind }) => kind)).toEqual(['outside'])
    expect(await checkOf('history')).toMatchObject({ state: 'ok' })
  })

  it('switched off: nothing is kept and it is no fault', async () => {
    await shop.cli(['config', 'set', 'history', 'false'])
    await remember('Deploys go out on Tuesdays')
    await shop.cli(['refresh'])
    expect(existsSync(join(shop.home, 'history'))).toBe(false)
    expect(await checkOf('history')).toMatchObject({ state: 'ok', detail: expect.stringMatching(/off/) })
    expect((await shop.cli(['undo'])).code).toBe(5)
  })

  it('a history that cannot be written fails no write, is told, and is caught up', async () => {
    mkdirSync(shop.home, { recursive: true })
    writeFileSync(join(shop.home, 'history'), 'in the way')
    const kept = await remember('Deploys go out on Tuesdays', '--layer', 'global')
    expect(kept.outcome).toBe('written')
    expect(kept.notices.join('\n')).toMatch(/history could not be written/i)
    const status = (await shop.cli(['status', '--json'])).json<StatusReport>()
    expect(status.failures[0]).toMatchObject({ where: 'history' })
    rmSync(join(shop.home, 'history'))
    await remember('Use tabs in Makefiles', '--layer', 'global')
    expect((await history()).map(({ kind }) => kind)).toEqual(['remember', 'outside'])
  })

  it('the environment and the settings of the user’s own git change nothing', async () => {
    const evil = join(shop.root, 'evil')
    writeFileSync(
      join(shop.root, '.gitconfig'),
      '[commit]\n\tgpgSign = true\n[core]\n\tautocrlf = true\n\thooksPath = /nowhere\n[user]\n\tname = Somebody\n',
    )
    const environment = {
      GIT_DIR: evil,
      GIT_WORK_TREE: evil,
      GIT_INDEX_FILE: evil,
      GIT_AUTHOR_NAME: 'Somebody',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.autocrlf',
      GIT_CONFIG_VALUE_0: 'true',
    }
    const run = await shop.cli(['remember', 'Deploys go out on Tuesdays', '--layer', 'global', '--json'], {
      environment,
    })
    expect(run.json<RememberResult>().outcome).toBe('written')
    expect((await history())[0]?.author).toBe('person')
    expect(existsSync(evil)).toBe(false)
  })
})
