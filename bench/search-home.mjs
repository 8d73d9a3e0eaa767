// Homes for `search`. Notes are files that `refresh` takes in. Messages go through the ports of the two stores, in bulk:
// a transcript of a million messages would measure the reader. Each project is a real one, made by its first note.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openMemory } from './homes.mjs'

/** Up to so many messages are one project; more are projects of `MESSAGES_PER_PROJECT`. */
const ONE_PROJECT = 100_000
const MESSAGES_PER_PROJECT = 5_000
const MESSAGES_PER_SESSION = 100
/** Sessions that go into the stores together. */
const SESSIONS_AT_ONCE = 25
const FILES_BETWEEN_PAUSES = 500

export async function buildNotes({ library, words, root, count, onProgress }) {
  const place = placeOf(root, 0)
  const memory = await openMemory(library, place)
  try {
    await memory.remember({ text: 'The first note of this home', layer: 'project', name: 'first' })
    const layer = layerFolder(place.home)
    const before = sizeOf(place.home)
    for (let n = 1; n < count; n++) {
      writeFileSync(join(layer, `project_bench-${n}.md`), noteFile(words, n))
      if (n % FILES_BETWEEN_PAUSES === 0) await breathe()
      if (n % 10_000 === 0) onProgress(`search: ${n} of ${count} notes written`)
    }
    onProgress(`search: indexing ${count} notes`)
    await memory.refresh()
    const project = `projects/${(await memory.status()).project.folder}`
    const { total } = await memory.list({ limit: 1 })
    if (total !== count) throw new Error(`The home should hold ${count} notes and holds ${total}`)
    return { place, project, projects: 1, first: 0, size: count, indexBytes: before }
  } finally {
    await memory.close()
  }
}

function noteFile(words, n) {
  const text = words.textOf(n)
  const [name, description] = [text.slice(0, 40), text.slice(0, 100)].map((part) => JSON.stringify(`${n} ${part}`))
  const time = new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString().replace('.000Z', 'Z')
  return `---\nname: ${name}\ndescription: ${description}\ntype: project\nupdated: ${time}\n---\n\n${text}\n`
}

export async function buildMessages({ library, tools, words, root, count, onProgress }) {
  const projects = count <= ONE_PROJECT ? 1 : Math.ceil(count / MESSAGES_PER_PROJECT)
  const size = Math.ceil(count / projects)
  const keys = []
  for (let at = 0; at < projects; at++) keys.push(await makeProject(library, placeOf(root, at)))
  const place = placeOf(root, 0)
  const stores = tools.createStores({ home: place.home, writable: true, clock: { now: Date.now }, onProblem: fail })
  const began = performance.now()
  try {
    for (const [at, project] of keys.entries()) {
      await fillProject(stores, words, { project, first: at * size, size })
      if (at % 20 === 19) onProgress(`search: ${(at + 1) * size} of ${count} messages in ${seconds(began)} s`)
    }
  } finally {
    stores.close()
  }
  return { place, project: keys[0], projects, first: 0, size, indexBytes: 0 }
}

async function fillProject(stores, words, { project, first, size }) {
  let batch = []
  for (let from = 0; from < size; from += MESSAGES_PER_SESSION) {
    const id = `bench:${first + from}`
    const count = Math.min(MESSAGES_PER_SESSION, size - from)
    const messages = Array.from({ length: count }, (_, at) => messageOf(words, first + from + at))
    const sessions = stores.sessions()
    sessions.putSession(sessionOf(id, project, messages[0].time))
    sessions.addMessages(id, messages)
    batch.push(
      ...messages.map(({ role, content }, ordinal) => ({
        session: id,
        ordinal,
        scope: `session:${project}`,
        speaker: role,
        body: content,
      })),
    )
    if (batch.length >= SESSIONS_AT_ONCE * MESSAGES_PER_SESSION || from + count >= size) {
      stores.index().putMessages(batch)
      batch = []
      await breathe()
    }
  }
}

function sessionOf(id, project, started) {
  const empty = { title: null, tags: [], branch: null, cwd: null, ended: null, summary: null, parent: null }
  return { ...empty, id, agent: 'bench', project, started }
}

function messageOf(words, n) {
  const content = words.textOf(n)
  return {
    id: `bench:m${n}`,
    idGiven: true,
    role: n % 2 === 0 ? 'user' : 'assistant',
    content,
    toolName: null,
    time: new Date(Date.UTC(2026, 0, 1) + n * 1_000).toISOString(),
    hash: createHash('sha256').update(content).digest('hex'),
  }
}

async function makeProject(library, place) {
  const memory = await openMemory(library, place)
  try {
    await memory.remember({ text: 'The first note of this project', layer: 'project', name: 'first' })
    return `projects/${(await memory.status()).project.folder}`
  } finally {
    await memory.close()
  }
}

function placeOf(root, at) {
  const place = { root, home: join(root, '.keepsake'), project: join(root, 'code', `bench-${at}`) }
  for (const each of ['.git/objects', '.git/refs/heads']) mkdirSync(join(place.project, each), { recursive: true })
  writeFileSync(join(place.project, '.git/HEAD'), 'ref: refs/heads/main\n')
  writeFileSync(join(place.project, '.git/config'), '[core]\n\trepositoryformatversion = 0\n\tbare = false\n')
  return place
}

function layerFolder(home) {
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' })
  const note = files.find((file) => file.endsWith('.md') && !file.endsWith('MEMORY.md'))
  if (note === undefined) throw new Error(`No note was written below ${home}`)
  return join(home, dirname(note))
}

/** Bytes of index.db while nobody has it open. */
export function sizeOf(home) {
  return statSync(join(home, 'index.db'), { throwIfNoEntry: false })?.size ?? 0
}

/** Lets a signal be heard. */
function breathe() {
  return new Promise((resolve) => setImmediate(resolve))
}

function fail(error) {
  throw error
}

function seconds(began) {
  return Math.round((performance.now() - began) / 1_000)
}
