/** A migration that dies: `node child.mjs <home> <what> <point>` kills itself with SIGKILL at the point. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv, kill, pid } from 'node:process'
import { openCurrentHome } from '../../src/store/migrate-home.ts'
import { findSqliteDriver } from '../../src/store/sqlite/find-driver.ts'
import { migrate } from '../../src/store/sqlite/migrations.ts'
import { databaseSteps, homeStepsOf } from './migration-steps.ts'

const [, , home = '', what = '', at = ''] = argv
const hit = (point: string): void => {
  if (point === at) kill(pid, 'SIGKILL')
}

if (what === 'home') {
  const read = (file: string) => readFileSync(join(home, file), 'utf8')
  const write = (file: string, text: string) => writeFileSync(join(home, file), text)
  await openCurrentHome(home, {
    steps: homeStepsOf({ read, write, hit }),
    hit: (point, format) => hit(`${point} ${format}`),
  })
} else {
  const database = findSqliteDriver()?.open(join(home, what))
  if (database) migrate(database, databaseSteps, hit)
  database?.close()
}
