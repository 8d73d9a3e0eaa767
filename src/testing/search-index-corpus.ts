/** Invented notes and messages for tests of the search index: repeatable, in English and Chinese. */
import type { IndexedMessage, IndexedNote } from '../store/search-index/search-index.ts'

const english =
  `deploy rollback blue pool vitest jest bun typescript docker container postgres database cache queue worker
review branch merge release token secret login user billing invoice chart dashboard metric alert log trace retry timeout
parser compiler linter schema migration index search ranking note memory layer profile session message evidence
pre-edit altic_skill_loader.py 20.04 getUserName node.js C++`.split(/\s+/)
const chinese =
  `部署 回滚 测试 单元测试 数据库 容器 缓存 队列 守护进程 红利 中欧 偏好 函数式 代码审查 分支 合并 日志 监控 上海 广西 桂林
會議 專案 資料庫 しりとり 成語 끝말잇기 게임`.split(/\s+/)

/** A small generator of numbers (mulberry32): the same seed gives the same corpus. */
export function seededRandom(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** A few words of either language, sometimes glued. */
export function randomText(random: (below: number) => number, words: number): string {
  return Array.from({ length: words }, () => {
    const list = random(3) === 0 ? chinese : english
    return (list[random(list.length)] ?? '') + (random(6) === 0 ? '' : ' ')
  }).join('')
}

/** A note with everything filled; `fields` win. */
export function exampleNote(file: string, fields: Partial<IndexedNote> = {}): IndexedNote {
  const body = fields.body ?? ''
  return {
    id: `id-${file}`,
    layer: 'global',
    file,
    name: file.replace(/\.md$/, ''),
    description: '',
    type: 'feedback',
    status: 'active',
    pinned: false,
    tags: [],
    aliases: [],
    mutes: [],
    appliesTo: [],
    expires: null,
    confidence: 0.5,
    voice: 'rule',
    created: null,
    updated: '2026-11-01T00:00:00Z',
    hash: `hash of ${fields.name} ${fields.description} ${body}`,
    textKey: `key of ${body}`,
    body,
    size: body.length,
    mtimeMs: 1,
    inode: 1,
    lookedAt: 2,
    problems: [],
    withheld: null,
    ...fields,
  }
}

export function randomNote(random: (below: number) => number, layer: string, file: string): IndexedNote {
  return exampleNote(file, {
    layer,
    name: randomText(random, 1 + random(3)),
    description: randomText(random, random(8)),
    body: randomText(random, random(60)),
    type: (['user', 'feedback', 'project', 'reference'] as const)[random(4)],
    status: random(8) === 0 ? 'archived' : 'active',
    tags: random(3) === 0 ? [english[random(english.length)] ?? ''] : [],
    updated: random(5) === 0 ? null : `2026-0${1 + random(9)}-1${random(10)}T00:00:00Z`,
    withheld: random(20) === 0 ? 'override-instructions' : null,
  })
}

export function exampleMessage(session: string, ordinal: number, fields: Partial<IndexedMessage> = {}): IndexedMessage {
  return { session, ordinal, scope: 'session:none', speaker: 'user', body: '', ...fields }
}
