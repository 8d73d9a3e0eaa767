/** Finding by meaning beside words, with an embedder of the caller's (spec R4). Off unless one is named. */
import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createMemory, type Memory, type MemoryOptions } from '../../src/index.ts'
import { createFakeEmbedder } from '../../src/models/index.ts'
import { createWorkshop, type Workshop } from '../support/cli.ts'

const concepts = [
  ['hike', 'hiking', 'outdoor', 'walks', 'mountains', 'trails'],
  ['activities', 'weekends', 'free', 'leisure'],
  ['garage', 'repairs', 'car', 'vehicle', 'mechanic'],
  ['painting', 'watercolours', 'art'],
]
// What a model must know to be believed: it is asked about such pairs once.
const common =
  'manager dependencies|birthday born|deploy pushing|eat dish|holiday summer|fail broke|short brief|book novel|backed copy|job teaches|piano keyboard'
concepts.push(...common.split('|').map((pair) => pair.split(' ')))
const secret = ['ghp', '_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('')

let shop: Workshop
let open: Memory[] = []
beforeEach(() => {
  shop = createWorkshop()
})
afterEach(async () => {
  for (const memory of open.splice(0)) await memory.close()
  shop.remove()
})

async function memoryWith(options: Partial<MemoryOptions>): Promise<Memory> {
  const memory = await createMemory({ home: shop.home, cwd: shop.project, ...options })
  open.push(memory)
  return memory
}

async function filled(options: Partial<MemoryOptions>): Promise<Memory> {
  const memory = await memoryWith(options)
  const bodies = [
    'Hiking trails near the mountains fill the weekends.',
    'Mr Novak repairs the Volvo.',
    'Watercolours dry on the kitchen shelf.',
    ...Array.from({ length: 12 }, (_, at) => `Service number ${at} listens on port ${8100 + at}.`),
  ]
  for (const [at, body] of bodies.entries())
    await memory.remember({ text: body, name: `note ${at}`, type: 'reference', layer: 'global' })
  return memory
}

const namesFor = async (memory: Memory, query: string) =>
  (await memory.recall({ query, explain: true })).results.map(({ name }) => name)
const question = 'outdoor leisure activities'

describe('by meaning [R4]', () => {
  it('finds what shares no word, once refresh has shown the notes to the model, and says so', async () => {
    const embedder = createFakeEmbedder({ dimensions: 512, concepts })
    const memory = await filled({ embedder })
    const before = await memory.recall({ query: question })
    expect(before.results).toEqual([])
    expect(before.reason).toContain('keepsake refresh')
    const { embedding } = await memory.refresh()
    expect(embedding).toMatchObject({ model: 'fake', notes: { done: 15, of: 15 } })
    expect((await memory.status()).embedding).toMatchObject({ model: 'fake', notes: { done: 15, of: 15 } })
    const { results, reason } = await memory.recall({ query: question, explain: true })
    expect(reason).toBeNull()
    expect(results[0]).toMatchObject({ name: 'note 0', weak: true })
    expect(results[0]?.explain?.steps.some(({ part }) => part === 'meaning')).toBe(true)
  })

  it('without one everything is as before, and no text goes anywhere', async () => {
    const plain = await filled({})
    expect(await namesFor(plain, question)).toEqual([])
    expect((await plain.status()).embedding).toBeNull()
    expect((await plain.refresh()).embedding).toBeUndefined()
  })

  it('a good match by words stays first', async () => {
    const memory = await filled({ embedder: createFakeEmbedder({ dimensions: 512, concepts }) })
    await memory.refresh()
    expect((await namesFor(memory, 'which service listens on port 8107'))[0]).toBe('note 10')
  })

  it('only masked words are shown to the model, in notes and in questions', async () => {
    const embedder = createFakeEmbedder({ dimensions: 512, concepts })
    const memory = await filled({ embedder, config: undefined })
    await memory.remember({ text: `The deploy token is ${secret}.`, name: 'token', type: 'reference', layer: 'global' })
    await memory.refresh()
    await memory.recall({ query: `where is ${secret} used outdoors` })
    expect(embedder.texts.length).toBeGreaterThan(15)
    for (const text of embedder.texts) expect(text).not.toContain(secret)
  })

  it('what is forgotten or changed is not found by its old meaning', async () => {
    const memory = await filled({ embedder: createFakeEmbedder({ dimensions: 512, concepts }) })
    await memory.refresh()
    await memory.remember({
      edits: [{ action: 'replace', find: 'Mr Novak repairs the Volvo.', text: 'Port 9000 is closed.' }],
    })
    expect(await namesFor(memory, 'vehicle mechanic garage')).not.toContain('note 1')
    await memory.forget('note 0')
    expect(await namesFor(memory, question)).not.toContain('note 0')
    await memory.refresh()
    expect(await namesFor(memory, question)).not.toContain('note 0')
  })

  it('another model makes its own vectors; until then words answer', async () => {
    const first = await filled({ embedder: createFakeEmbedder({ dimensions: 512, concepts }) })
    await first.refresh()
    const second = await memoryWith({ embedder: createFakeEmbedder({ id: 'other', dimensions: 768, concepts }) })
    expect(await namesFor(second, question)).toEqual([])
    expect((await namesFor(second, 'port 8107'))[0]).toBe('note 10')
    await second.refresh()
    expect((await namesFor(second, question))[0]).toBe('note 0')
  })

  it('a model that fails or hangs costs the meaning and not the answer', async () => {
    const fails = await filled({
      embedder: createFakeEmbedder({
        before: () => {
          throw new Error('quota is used up')
        },
      }),
    })
    const { problems } = await fails.refresh()
    expect(problems.join()).toContain('quota is used up')
    expect((await namesFor(fails, 'port 8107'))[0]).toBe('note 10')
  })

  it('a text that the model refuses is left out, and not asked again', async () => {
    const refusing = (given: readonly string[]) => {
      if (given.some((text) => text.includes('Watercolours'))) throw new Error('this text is refused')
    }
    const embedder = createFakeEmbedder({ dimensions: 512, concepts, before: refusing })
    const memory = await filled({ embedder })
    expect(await memory.refresh()).toMatchObject({ problems: [], embedding: { notes: { done: 15, of: 15 } } })
    const asked = embedder.texts.length
    await memory.refresh()
    expect(embedder.texts.length).toBe(asked)
    expect((await namesFor(memory, question))[0]).toBe('note 0')
  })

  it('a model that gives out in the middle refuses no text: the next refresh goes on', async () => {
    let left = 2
    const tired = (given: readonly string[], { use }: { readonly use: string }) => {
      if (use !== 'document' || given.length === 24) return
      if (given.length > 1 || left-- <= 0) throw new Error('too many requests')
    }
    const memory = await filled({ embedder: createFakeEmbedder({ dimensions: 512, concepts, before: tired }) })
    expect((await memory.refresh()).problems.join()).toContain('too many requests')
    expect((await memory.status()).embedding?.notes.done).toBeLessThan(15)
    const rested = await memoryWith({ embedder: createFakeEmbedder({ dimensions: 512, concepts }) })
    expect((await rested.refresh()).embedding).toMatchObject({ notes: { done: 15, of: 15 } })
    expect((await namesFor(rested, question))[0]).toBe('note 0')
  })

  it('an index that is made anew is shown again', async () => {
    const memory = await filled({ embedder: createFakeEmbedder({ dimensions: 512, concepts }) })
    await memory.refresh()
    await memory.close()
    open = []
    for (const end of ['', '-wal', '-shm']) rmSync(join(shop.home, `index.db${end}`), { force: true })
    const again = await memoryWith({ embedder: createFakeEmbedder({ dimensions: 512, concepts }) })
    expect((await again.refresh()).embedding).toMatchObject({ notes: { done: 15 } })
    expect((await namesFor(again, question))[0]).toBe('note 0')
  })
})

describe('naming one [R4]', () => {
  it.each(['nonsense', 'use-lite:x', 'transformers:', 'openai', 'ollama: '])(
    '%j is refused with a hint',
    async (value) => {
      const { code, stderr } = await shop.cli(['config', 'set', 'embedder', value])
      expect(code).toBe(2)
      expect(stderr).toContain('use-lite')
    },
  )

  it('a package that is not there is named, with the command that installs it; words answer meanwhile', async () => {
    // Where it is installed there is nothing to say.
    const isThere = hasPackage('@energetic-ai/core')
    await shop.cli(['remember', 'The port of the export service is 8104', '--layer', 'global'])
    await shop.cli(['config', 'set', 'embedder', 'use-lite'])
    const { stdout, stderr, code } = await shop.cli(['refresh'])
    if (!isThere) expect(`${stdout}${stderr}`).toContain('npm install')
    expect(code === 0 || !isThere).toBe(true)
    expect((await shop.cli(['recall', 'export service port'])).stdout).toContain('8104')
  })
})

function hasPackage(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name)
    return true
  } catch {
    return false
  }
}
