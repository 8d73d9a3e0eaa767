/**
 * One of many writers beside a backup: `node child.mjs <home> <cwd> <name>`. Remembers, forgets and captures until its
 * standard input ends; one line on stdout for each note that was acknowledged and for each that was forgotten.
 */
import { writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { argv, stdin } from 'node:process'
import { createMemory } from '../../src/index.ts'

const [, , home = '', cwd = '', name = ''] = argv
const surroundings = {
  environment: { PATH: process.env.PATH ?? '' },
  userHome: home,
  temporaryDirectory: '/tmp/keepsake-none',
}
const memory = await createMemory({ home, cwd, surroundings })
let isOver = false
stdin.on('end', () => {
  isOver = true
})
stdin.resume()
const transcript = join(home, '..', `${name}.jsonl`)
const rows: string[] = []

for (let index = 0; !isOver; index++) {
  const title = `Fact ${index} of ${name}`
  const layer = index % 2 === 0 ? 'global' : 'project'
  await memory.remember({ name: title, text: `Fact ${index} was found by ${name}, 事实 ${index}`, layer })
  writeSync(1, `+${title}\n`)
  rows.push(rowOf(index))
  writeFileSync(transcript, rows.join(''))
  await memory.capture({ file: transcript, agent: 'claude-code' })
  if (index % 3 !== 2) continue
  writeSync(1, `-Fact ${index - 1} of ${name}\n`)
  await memory.forget(`Fact ${index - 1} of ${name}`)
}
await memory.close()

function rowOf(index: number): string {
  const row = {
    type: 'user',
    uuid: `${name}-${index}`,
    sessionId: name,
    cwd,
    timestamp: new Date(Date.UTC(2026, 10, 20) + index * 1_000).toISOString(),
    message: { role: 'user', content: `word ${index} of ${name}` },
  }
  return `${JSON.stringify(row)}\n`
}
