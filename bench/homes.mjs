// Homes for measurements: a user home with one project, and notes that look like those of a person who works in two
// languages. The first notes go through `remember`; the rest are files of the same form that `refresh` takes in, since
// a write into a layer costs more the more notes it holds.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Notes that are remembered one by one, with all that a write does. */
const REMEMBERED_NOTES = 16
const PINNED_NOTES = 3

const words =
  'deploy rollback cache index parser ticket server client schema migration vendor review release branch merge queue worker retry timeout budget invoice customer harbour lantern orchid maple copper violet timber anchor 部署 回滚 缓存 索引 解析器 客户端 迁移 评审 发布 分支 队列 重试 超时 预算 发票 客户 港口 灯塔 請求 設定 資料庫 測試'.split(
    ' ',
  )

/** A small generator with a seed: the same homes on every machine. */
function randomFrom(seed) {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state >>> 8) % below
  }
}

const sentence = (random, length) => Array.from({ length }, () => words[random(words.length)]).join(' ')

/** Environment of a process that works on this home only. */
export function environmentOf({ root, home }) {
  return { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', HOME: root, KEEPSAKE_HOME: home }
}

export function openMemory(library, { root, home, project }) {
  const around = { environment: {}, userHome: root, temporaryDirectory: join(root, 'tmp') }
  return library.createMemory({ home, cwd: project, surroundings: around })
}

/** A user home without memory, and one project. */
export function makePlace(root) {
  const place = { root, home: join(root, '.keepsake'), project: join(root, 'code', 'tidewater') }
  for (const each of ['.git/objects', '.git/refs/heads']) mkdirSync(join(place.project, each), { recursive: true })
  writeFileSync(join(place.project, '.git/HEAD'), 'ref: refs/heads/main\n')
  writeFileSync(join(place.project, '.git/config'), '[core]\n\trepositoryformatversion = 0\n\tbare = false\n')
  return place
}

/** Builds a home below `root`: `count` notes in the project's layer, by default of words without a meaning. */
export async function buildHome(library, root, count, make) {
  const place = makePlace(root)
  const random = randomFrom(count)
  const note = make ?? ((index) => noteOf(index, random))
  const memory = await openMemory(library, place)
  try {
    for (let index = 0; index < Math.min(count, REMEMBERED_NOTES); index++)
      await memory.remember({ ...note(index), layer: 'project', pin: index < PINNED_NOTES })
    const layer = layerFolder(place.home)
    for (let index = REMEMBERED_NOTES; index < count; index++)
      writeFileSync(join(layer, `project_beacon-${index}.md`), fileOf(note(index), index))
    await memory.refresh()
    const { total } = await memory.list({ limit: 1 })
    if (total !== count) throw new Error(`The home should hold ${count} notes and holds ${total}`)
  } finally {
    await memory.close()
  }
  return { ...place, layer: layerFolder(place.home) }
}

/** `beacon <n>` is in no other note: a prompt that names it has one right answer. */
export function noteOf(index, random = randomFrom(index)) {
  return {
    name: `Beacon ${index} ${sentence(random, 3)}`,
    type: 'project',
    text: `Beacon${index} means ${sentence(random, 6)}.\n\n**Why:** ${sentence(random, 14)}.\n\n**How to apply:** ${sentence(random, 12)}.`,
  }
}

function fileOf({ name, type, text }, index) {
  const second = (index % 86_400) * 1_000
  const time = `${new Date(Date.UTC(2026, 0, 1 + (index % 300)) + second).toISOString().slice(0, 19)}Z`
  const description = text.slice(0, text.indexOf('\n'))
  const id = `01J${String(index).padStart(23, '0')}`
  const source = `  - {"role": "person", "time": "${time}", "quote": ${JSON.stringify(description)}, "hash": "${String(index).padStart(64, '0')}"}`
  return `---\nname: ${name}\ndescription: ${description}\ntype: ${type}\nid: ${id}\ncreated: ${time}\nupdated: ${time}\nsource:\n${source}\n---\n\n${text}\n`
}

function layerFolder(home) {
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' })
  const note = files.find((file) => file.endsWith('.md') && !file.endsWith('MEMORY.md'))
  if (note === undefined) throw new Error(`No note was written below ${home}`)
  return join(home, dirname(note))
}

export async function loadLibrary(dist) {
  return import(join(dist, 'index.js'))
}

export const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'))
