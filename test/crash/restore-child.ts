/** A restore that dies: `node child.mjs <file> <home> <point>` kills itself with SIGKILL at the point. */
import { argv, kill, pid } from 'node:process'
import { restoreBackup } from '../../src/store/backup/restore-backup.ts'
import { systemClock } from '../../src/util/index.ts'

const [, , file = '', home = '', point = ''] = argv
await restoreBackup({
  file,
  home,
  replace: true,
  clock: systemClock,
  onProgress: () => hit('unpacking'),
  hit,
})

function hit(name: string): void {
  if (name === point) kill(pid, 'SIGKILL')
}
