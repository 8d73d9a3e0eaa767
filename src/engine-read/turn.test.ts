/** The turn block where there is no index: a few notes are read, those whose files changed last. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { DEFAULT_CONFIG } from '../domain/index.ts'
import { createReadMemory } from '../engine-read.ts'

const COUNT = 400
const root = realpathSync(mkdtempSync(join(tmpdir(), 'keepsake-turn-')))
const home = join(root, '.keepsake')
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Files of the notes with higher numbers are newer; what they say of their age is the other way round. */
beforeAll(() => {
  mkdirSync(join(home, 'global'), { recursive: true })
  writeFileSync(
    join(home, 'home.json'),
    '{"format":1,"id":"01J00000000000000000000000","created":"2026-11-01T00:00:00Z"}',
  )
  for (let index = 0; index < COUNT; index++) {
    const file = join(home, 'global', `user_beacon-${index}.md`)
    const text = `Beacon${index} is painted cobalt${index} every spring`
    const updated = new Date(Date.UTC(2026, 0, 1) - index * 86_400_000).toISOString().slice(0, 10)
    writeFileSync(
      file,
      `---\nname: Beacon${index}\ndescription: ${text}\ntype: user\nupdated: ${updated}\n---\n\n${text}\n`,
    )
  }
})

it('finds what was written last [R9] (BL-64)', async () => {
  const memory = await createReadMemory({
    home,
    cwd: root,
    config: DEFAULT_CONFIG,
    userHome: root,
    temporaryDirectory: join(root, 'tmp'),
  })
  const newest = COUNT - 1
  const { text } = await memory.turnBlock({
    prompt: `What colour is Beacon${newest} painted in spring?`,
    shown: [],
    sessionStart: null,
    begins: null,
    maxBytes: 9_500,
    signal: new AbortController().signal,
  })
  expect(text).toContain(`cobalt${newest}`)
})
