/**
 * A writer that dies in the middle of a batch: `node child.mjs <home> <point or -> <nth>` turns version n of a note in each
 * of two layers into version n + 1, as one batch, and kills itself at the n-th pass of the crash point. It says `done`
 * when the batch was acknowledged.
 */
import { writeSync } from 'node:fs'
import { argv, kill, pid } from 'node:process'
import { createTwoLayers } from './two-layers.ts'

const [, , home = '', point = '-', nth = '1'] = argv
const state = { passes: 0 }
const layers = createTwoLayers(home, {
  hit(name) {
    if (name === point && ++state.passes >= Number(nth)) kill(pid, 'SIGKILL')
  },
})
const version = await layers.version('global')
await layers.writer.edit({
  edits: [
    { action: 'replace', find: `version ${version}`, text: `version ${version + 1}`, in: 'far' },
    { action: 'replace', find: `version ${version}`, text: `version ${version + 1}`, in: 'near' },
    { action: 'add', text: `Note of version ${version + 1}`, name: `note ${version + 1}`, layer: 'project' },
  ],
})
writeSync(1, 'done\n')
