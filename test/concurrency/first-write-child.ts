/**
 * One of many first writers: `node child.mjs <home> <cwd> <name> <start at ms>`. Waits for the common moment, then makes
 * home, project and a tombstone, and prints what it got as JSON.
 */
import { argv, stdout } from 'node:process'
import { hasCode } from '../../src/errors.ts'
import { ensureHome, openHome } from '../../src/store/home.ts'
import { resolveProject } from '../../src/store/notes/identity.ts'
import { registerProject } from '../../src/store/notes/project-registry.ts'
import { createTombstones } from '../../src/store/tombstones.ts'
import { createIdSource, systemClock } from '../../src/util/index.ts'

const [, , home = '', cwd = '', name = '', startAt = '0'] = argv
const effects = { clock: systemClock, ids: createIdSource(systemClock) }
const tombstones = createTombstones({ home, ...effects })
while (Date.now() < Number(startAt)) {
  // Everybody at the same moment: that is the point.
}
await forget().catch((error: unknown) => {
  // Somebody else made the key meanwhile; the second time ours is theirs.
  if (hasCode(error, 'STORE_BUSY')) return forget()
  throw error
})
const opened = await ensureHome(await openHome(home), effects)
const resolution = await resolveProject(cwd, { home, userHome: '/', temporaryDirectory: '/', deep: true })
const project = await registerProject(resolution, { home, ...effects })
stdout.write(JSON.stringify({ id: opened.id, folder: project.folder, shared: tombstones.textKey('one key for all') }))

function forget() {
  const textKey = tombstones.textKey(`fact of ${name}`)
  return tombstones.add({ noteId: name, nameKey: '', textKey, evidenceKeys: [] })
}
