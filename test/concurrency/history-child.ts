/** One of many writers through the whole engine, with history: `node child.mjs <home> <cwd> <name> <notes>`. */
import { argv, stdout } from 'node:process'
import { createMemory } from '../../src/index.ts'

const [, , home = '', cwd = '', name = '', count = '0'] = argv
const surroundings = {
  environment: { PATH: process.env.PATH ?? '' },
  userHome: home,
  temporaryDirectory: '/tmp/keepsake-none',
}
const memory = await createMemory({ home, cwd, surroundings })
const outcomes: string[] = []
for (let index = 0; index < Number(count); index++) {
  const note = {
    name: `Fact ${index} of ${name}`,
    text: `Fact ${index} was found by ${name}`,
    layer: 'global' as const,
  }
  outcomes.push((await memory.remember(note)).outcome)
  if (index % 4 === 3) outcomes.push((await memory.forget(`Fact ${index - 1} of ${name}`)).outcome)
}
await memory.close()
stdout.write(JSON.stringify(outcomes))
