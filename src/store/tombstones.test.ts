import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createIdSource, sha256 } from '../util/index.ts'
import { createSecretKey } from './secret-key.ts'
import { createTombstones, type Tombstones } from './tombstones.ts'

const clock = {
  ms: Date.UTC(2026, 2, 1),
  now() {
    return this.ms
  },
}
let home: string
let tombstones: Tombstones
const open = () => createTombstones({ home, clock, ids: createIdSource(clock) })
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'keepsake-tombs-'))
  tombstones = open()
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const file = () => join(home, 'tombstones.jsonl')
const evidence = (...messages: string[]) => messages.map((message) => tombstones.evidenceKey(sha256(message)))
const forget = (text: string, ...messages: string[]) =>
  tombstones.add({
    noteId: '01KB8YV0000000000000000000',
    nameKey: tombstones.nameKey('Tea'),
    textKey: tombstones.textKey(text),
    evidenceKeys: evidence(...messages),
  })
const has = (text: string, ...messages: string[]) =>
  tombstones.has({ textKey: tombstones.textKey(text), evidenceKeys: evidence(...messages) })

describe('what is blocked', () => {
  it.each([
    ['the same text without evidence', 'Likes tea.', [], true],
    ['the same text in other spelling', '  LIKES   ｔｅａ.\n', [], true],
    ['the same text from the same message', 'Likes tea.', ['I like tea'], true],
    ['other words from the same message', 'Prefers tea over coffee.', ['I like tea'], true],
    ['the same text from a new message', 'Likes tea.', ['Tea again, please'], false],
    ['the same text from old and new messages', 'Likes tea.', ['I like tea', 'Tea again, please'], false],
    ['other words without evidence', 'Likes coffee.', [], false],
    ['other words from a new message', 'Likes coffee.', ['Coffee, please'], false],
    ['the same text from both messages of two tombstones', 'Likes tea.', ['I like tea', 'No milk'], true],
  ])('%s', async (_case, text, messages, expected) => {
    await forget('Likes tea.', 'I like tea')
    await forget('Takes no milk.', 'No milk')
    expect(has(text, ...messages)).toBe(expected)
    expect(open().has({ textKey: tombstones.textKey(text), evidenceKeys: evidence(...messages) })).toBe(expected)
  })

  it('nothing, before anything was forgotten', () => {
    expect(has('Likes tea.')).toBe(false)
    expect(has('Likes tea.', 'I like tea')).toBe(false)
  })

  it('Chinese texts, in their own words', async () => {
    await forget('喜欢喝茶，不加糖。', '我喝茶不加糖')
    expect(has('喜欢喝茶，不加糖。')).toBe(true)
    expect(has('爱喝茶', '我喝茶不加糖')).toBe(true)
    expect(has('喜歡喝茶，不加糖。')).toBe(false)
    expect(has('爱喝茶', '今天开始喝茶')).toBe(false)
  })
})

describe('lifting', () => {
  it('ends the block of that tombstone only', async () => {
    const first = await forget('Likes tea.', 'I like tea')
    await forget('Takes no milk.', 'No milk')
    expect(await tombstones.lift(first.id)).toBe(true)
    expect(has('Likes tea.', 'I like tea')).toBe(false)
    expect(has('Takes no milk.')).toBe(true)
    expect(await tombstones.lift(first.id)).toBe(false)
    expect(await tombstones.lift('unknown')).toBe(false)
    await forget('Likes tea.', 'I like tea')
    expect(has('Likes tea.')).toBe(true)
  })

  it('is seen by another reader at once', async () => {
    const other = open()
    const { id } = await forget('Likes tea.')
    const candidate = { textKey: tombstones.textKey('Likes tea.'), evidenceKeys: [] }
    expect(other.has(candidate)).toBe(true)
    await other.lift(id)
    expect(tombstones.has(candidate)).toBe(false)
  })
})

describe('the file', () => {
  it('holds no word of the note, its name or its evidence, and is private', async () => {
    await forget('Likes oolong tea.', 'I like oolong tea')
    const text = readFileSync(file(), 'utf8')
    for (const word of ['tea', 'Tea', 'oolong', 'Likes', sha256('I like oolong tea')]) expect(text).not.toContain(word)
    expect(statSync(file()).mode & 0o777).toBe(0o600)
    expect(statSync(join(home, 'secret.key')).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(home, 'secret.key'))).toHaveLength(32)
  })

  it('says other things in another home', async () => {
    const elsewhere = join(home, 'other')
    const other = createTombstones({ home: elsewhere, clock, ids: createIdSource(clock) })
    await forget('Likes tea.')
    await other.add({ noteId: 'x', nameKey: '', textKey: other.textKey('Likes tea.'), evidenceKeys: [] })
    expect(other.textKey('Likes tea.')).not.toBe(tombstones.textKey('Likes tea.'))
  })

  it.each([
    ['a torn last line', (text: string) => `${text}{"op":"forget","id":"01K`],
    ['a line without a break, glued to the next', (text: string) => text.trimEnd()],
    ['two lines glued', (text: string) => text.replace('}\n{', '}{')],
    ['a strange line', (text: string) => `{"op":"dance"}\n\n[]\n${text}`],
    ['a byte order mark', (text: string) => `\u{FEFF}${text}`],
  ])('BL-75: survives %s', async (_case, damage) => {
    await forget('Likes tea.')
    await forget('Takes no milk.')
    writeFileSync(file(), damage(readFileSync(file(), 'utf8')))
    await forget('Walks to work.')
    for (const text of ['Likes tea.', 'Takes no milk.', 'Walks to work.'])
      expect([text, has(text)]).toEqual([text, true])
  })

  it('counts the lines that it could not read', async () => {
    await forget('Likes tea.')
    appendFileSync(file(), '{"op":"forget"}\nhello\n')
    expect(tombstones.badLines()).toBe(2)
  })

  it('keeps what several writers add at once', async () => {
    await forget('The first, which makes the key.')
    const texts = Array.from({ length: 40 }, (_, index) => `Fact ${index}.`)
    await Promise.all(
      texts.map((text) =>
        open().add({ noteId: 'x', nameKey: '', textKey: tombstones.textKey(text), evidenceKeys: [] }),
      ),
    )
    expect(texts.filter((text) => !has(text))).toEqual([])
    expect(tombstones.since(0)).toHaveLength(41)
  })

  it('lists what stands since a time, oldest first', async () => {
    const first = await forget('Likes tea.')
    clock.ms += 10_000
    const second = await forget('Takes no milk.')
    expect(tombstones.since(0).map(({ id }) => id)).toEqual([first.id, second.id])
    expect(tombstones.since(clock.ms).map(({ id }) => id)).toEqual([second.id])
    expect(tombstones.since(clock.ms + 1_000)).toEqual([])
  })
})

describe('names', () => {
  it('are compared as names are', () => {
    expect(tombstones.nameKey('Green Tea')).toBe(tombstones.nameKey('green-tea!'))
    expect(tombstones.nameKey('Green Tea')).not.toBe(tombstones.nameKey('Black Tea'))
    const long = '部署之前先在预发布环境里跑一遍全部的集成测试'
    expect(tombstones.nameKey(`${long}甲`)).not.toBe(tombstones.nameKey(`${long}乙`))
    expect(tombstones.nameKey('🍵')).not.toBe(tombstones.nameKey('☕'))
  })
})

describe('the secret key', () => {
  it('is not made by looking, where there is no home', () => {
    rmSync(home, { recursive: true })
    expect(has('Likes tea.', 'I like tea')).toBe(false)
    expect(existsSync(home)).toBe(false)
  })

  it('is made by the first look in a home, so that keys stay comparable', () => {
    expect(open().textKey('Likes tea.')).toBe(open().textKey('Likes tea.'))
    expect(readdirSync(home)).toEqual(['secret.key'])
  })

  it('is what was used before the first write, when this process is the first', async () => {
    rmSync(home, { recursive: true })
    const before = tombstones.textKey('Likes tea.')
    await forget('Likes tea.')
    expect(open().textKey('Likes tea.')).toBe(before)
    expect(has('Likes tea.')).toBe(true)
  })

  it('that another process stored first is taken, and what was hashed before is refused, not kept in vain', async () => {
    rmSync(home, { recursive: true })
    const textKey = tombstones.textKey('Likes tea.')
    createSecretKey(home).persist()
    const vain = { noteId: 'x', nameKey: '', textKey, evidenceKeys: [] }
    await expect(tombstones.add(vain)).rejects.toMatchObject({ code: 'STORE_BUSY' })
    expect(existsSync(file())).toBe(false)
    await forget('Likes tea.')
    expect(open().has({ textKey: open().textKey('Likes tea.'), evidenceKeys: [] })).toBe(true)
  })

  it('of a home that another process made is used from then on', async () => {
    rmSync(home, { recursive: true })
    expect(has('Likes tea.')).toBe(false)
    const other = open()
    mkdirSync(home)
    await other.add({ noteId: 'x', nameKey: '', textKey: other.textKey('Likes tea.'), evidenceKeys: [] })
    expect(has('Likes tea.')).toBe(true)
  })

  it('is one for all who come at once', () => {
    const keys = Array.from({ length: 10 }, () => createSecretKey(home))
    for (const key of keys) key.persist()
    expect(new Set(keys.map((key) => Buffer.from(key.bytes()).toString('hex'))).size).toBe(1)
  })

  it.each([0, 31, 33])('of %d bytes is refused with a hint, never replaced', (length) => {
    writeFileSync(join(home, 'secret.key'), new Uint8Array(length))
    expect(() => tombstones.textKey('x')).toThrow(
      expect.objectContaining({ code: 'HOME_INVALID', hint: expect.any(String) }),
    )
    expect(readFileSync(join(home, 'secret.key'))).toHaveLength(length)
  })

  it('that is a folder is refused', () => {
    mkdirSync(join(home, 'secret.key'))
    expect(() => tombstones.textKey('x')).toThrow(expect.objectContaining({ code: 'HOME_INVALID' }))
  })
})
