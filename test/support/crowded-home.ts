/** One home with many projects that say the same, each with one word of its own: a note and a conversation in each. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMemory, DEFAULT_CONFIG, type Memory, type TranscriptReader } from '../../src/index.ts'
import { common, secretOf } from '../../src/testing/any-question.ts'
import { makeRepository } from './cli.ts'

export interface CrowdedHome {
  readonly root: string
  readonly home: string
  readonly folders: readonly string[]
  readonly memories: readonly Memory[]
  /** Of the note and of the conversation of each project. */
  readonly notes: readonly { readonly id: string; readonly name: string; readonly file: string }[]
  readonly sessions: readonly string[]
  close(): Promise<void>
}

export async function createCrowdedHome(projects: number): Promise<CrowdedHome> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'keepsake-crowd-')))
  const home = join(root, 'home')
  // The history of the notes is another matter, and a commit for each would take most of the time.
  const config = { config: { ...DEFAULT_CONFIG, history: false }, unknownKeys: [], problems: [], usable: true }
  const folders: string[] = []
  const memories: Memory[] = []
  const notes: CrowdedHome['notes'][number][] = []
  const sessions: string[] = []
  for (let index = 0; index < projects; index++) {
    const cwd = join(root, 'code', `place-${index}`)
    makeRepository(cwd)
    const memory = await createMemory({ home, cwd, config, readers: { crowd: readerOf(index, cwd) } })
    await memory.remember({
      text: `${common.join(', ')}: here the word is ${secretOf(index)}`,
      type: 'project',
      layer: 'project',
      name: `word of the place ${secretOf(index)}`,
      tags: ['crowd'],
    })
    const file = join(cwd, 'talk.jsonl')
    writeFileSync(file, String(index))
    const { sessions: captured } = await memory.capture({ file, agent: 'crowd', mode: 'read-only' })
    const [note] = (await memory.list({ layer: 'project' })).notes
    if (!note || captured[0] === undefined) throw new Error(`project ${index} was not filled`)
    folders.push(cwd)
    memories.push(memory)
    notes.push(note)
    sessions.push(captured[0])
  }
  return {
    root,
    home,
    folders,
    memories,
    notes,
    sessions,
    async close() {
      for (const memory of memories) await memory.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

function readerOf(index: number, cwd: string): TranscriptReader {
  const said = (at: number, content: string) => ({
    nativeId: `${index}-${at}`,
    role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content,
    toolName: null,
    time: '2026-11-28T10:00:00Z',
  })
  const messages = [
    said(0, `What is the word for ${common.join(' and ')}?`),
    said(1, `The word is ${secretOf(index)}, for ${common.join(' and ')}.`),
  ]
  return {
    agent: 'crowd',
    async *read() {
      const sessionId = `talk-${index}`
      yield {
        sessionId,
        cwd,
        branch: null,
        title: null,
        messages,
        memoryWrites: [],
        skipped: {},
        endOffset: 1,
        turnEnded: true,
      }
    },
  }
}
