// What the derived index costs on disk: bytes of index.db for each note and each message, beside the bytes of their text,
// in English and in Chinese.
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { round, tableOf } from './figures.mjs'
import { loadLibrary, makePlace, openMemory } from './homes.mjs'

const NOTES = 400
const MESSAGES = 2_000

const words = {
  English:
    'deploy rollback cache index parser ticket server client schema migration vendor review release branch merge queue worker retry timeout budget invoice customer harbour lantern orchid maple copper violet timber anchor'.split(
      ' ',
    ),
  Chinese:
    '部署 回滚 缓存 索引 解析器 客户端 迁移 评审 发布 分支 队列 重试 超时 预算 发票 客户 港口 灯塔 仓库 测试 文档 日志 监控 权限 配置 接口 数据 报表'.split(
      ' ',
    ),
}

export async function benchIndexSize({ dist, scratch, onProgress }) {
  const library = await loadLibrary(dist)
  const tables = []
  for (const language of Object.keys(words)) {
    onProgress(`index-size: ${NOTES} notes and ${MESSAGES} messages, ${language}`)
    const place = makePlace(join(scratch, `index-size-${language}`))
    const empty = await withMemory(library, place, (memory) =>
      memory.remember({ text: 'A first note', layer: 'project' }),
    )
    const notes = await addNotes(library, place, language)
    const messages = await addMessages(library, place, language)
    tables.push({ language, notes: rowOf(NOTES, notes, empty), messages: rowOf(MESSAGES, messages, notes) })
  }
  return { node: process.version, tables }
}

export function printIndexSize({ node, tables }) {
  const rows = tables.flatMap(({ language, notes, messages }) => [
    [`${language}: note`, notes.textBytes, notes.indexBytes, notes.share],
    ['  message', messages.textBytes, messages.indexBytes, messages.share],
  ])
  return `Index, Node ${node}\n${tableOf([['', 'text bytes', 'index bytes', 'times the text'], ...rows])}`
}

function rowOf(count, { bytes, textBytes }, before) {
  const indexBytes = Math.round((bytes - before.bytes) / count)
  return { textBytes: Math.round(textBytes / count), indexBytes, share: round(indexBytes / (textBytes / count)) }
}

/** The size of the index after the work, when everything is closed and no log stands beside it. */
async function withMemory(library, place, work) {
  const memory = await openMemory(library, place)
  try {
    await work(memory)
    await memory.refresh()
    // Conversations are indexed when they are first searched.
    await memory.sessions.search({ query: 'anything' })
  } finally {
    await memory.close()
  }
  return { bytes: statSync(join(place.home, 'index.db')).size, textBytes: 0 }
}

function sentence(language, index, length) {
  const list = words[language]
  const chosen = Array.from({ length }, (_, at) => list[(index * 7 + at * 11 + ((index * at) % 13)) % list.length])
  return chosen.join(language === 'Chinese' ? '' : ' ')
}

async function addNotes(library, place, language) {
  const texts = Array.from({ length: NOTES }, (_, index) => `${index} ${sentence(language, index, 40)}`)
  const { bytes } = await withMemory(library, place, async (memory) => {
    const { notes } = await memory.list({ limit: 1 })
    const folder = join(notes[0].file, '..')
    for (const [index, text] of texts.entries())
      writeFileSync(
        join(folder, `project_size-${index}.md`),
        `---\nname: Size ${index}\ndescription: ${text.slice(0, 60)}\ntype: project\n---\n\n${text}\n`,
      )
  })
  const textBytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text) + Buffer.byteLength(text.slice(0, 60)), 0)
  return { bytes, textBytes }
}

async function addMessages(library, place, language) {
  const contents = Array.from({ length: MESSAGES }, (_, index) => `${index} ${sentence(language, index, 60)}`)
  const rows = contents.map((content, index) => ({
    type: index % 2 === 0 ? 'user' : 'assistant',
    uuid: `m${index}`,
    sessionId: 'size',
    cwd: place.project,
    timestamp: new Date(Date.UTC(2026, 9, 1) + index * 1_000).toISOString(),
    message:
      index % 2 === 0 ? { role: 'user', content } : { role: 'assistant', content: [{ type: 'text', text: content }] },
  }))
  mkdirSync(place.root, { recursive: true })
  const file = join(place.root, 'size.jsonl')
  writeFileSync(file, `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`)
  const { bytes } = await withMemory(library, place, (memory) => memory.capture({ file, agent: 'claude-code' }))
  return { bytes, textBytes: contents.reduce((sum, content) => sum + Buffer.byteLength(content), 0) }
}
