/**
 * Makes a fixture of a home: text that can be reviewed, one per release. `node scripts/freeze-home.mjs <home> <folder>`
 * writes notes and files as they are, databases as SQL, histories as `git fast-export`, and puts {{ROOT}} for the folder
 * above the home. `test/support/thaw-home.ts` makes a home of it again. What is derived or of a moment is left out.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import Database from 'better-sqlite3'

const [, , home, folder] = process.argv
if (!home || !folder) throw new Error('node scripts/freeze-home.mjs <home> <folder>')
const root = dirname(home)
const leftOut =
  /^(index\.db|locks\/(?!.*\.held$)|logs\/|history\/|failures\.jsonl)|-(wal|shm)$|\.keepsake-(displaced|temp)-/
const modes = {}

rmSync(folder, { recursive: true, force: true })
for (const path of filesBelow(home)) {
  if (leftOut.test(path)) continue
  if (path.endsWith('.db')) put(`${path}.sql`, dumpOf(join(home, path)))
  else if (path === 'secret.key') put(`${path}.hex`, `${readFileSync(join(home, path), 'hex')}\n`)
  else put(`files/${path}`, withoutRoot(readFileSync(join(home, path), 'latin1')), 'latin1')
  const mode = statSync(join(home, path)).mode & 0o777
  if (mode !== 0o600) modes[path] = mode.toString(8)
}
for (const repository of filesBelow(join(home, 'history')).filter((path) => path.endsWith('.git/HEAD'))) {
  const directory = join(home, 'history', dirname(repository))
  const stream = execFileSync('git', ['--git-dir', directory, 'fast-export', '--all'], { encoding: 'latin1' })
  put(`history/${dirname(repository)}.fast-export`, stream, 'latin1')
}
put('modes.json', `${JSON.stringify(modes, null, 2)}\n`)

function filesBelow(directory) {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
    .sort()
}

function put(path, content, encoding = 'utf8') {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), content, encoding)
}

function withoutRoot(text) {
  return text.replaceAll(root, '{{ROOT}}')
}

function dumpOf(file) {
  const copy = `${folder}.copy.db`
  mkdirSync(dirname(copy), { recursive: true })
  cpSync(file, copy)
  const database = new Database(copy)
  try {
    const schema = database.prepare('SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL').all()
    const tables = schema.filter(({ type, name }) => type === 'table' && !name.startsWith('sqlite_'))
    const lines = schema.filter(({ name }) => !name.startsWith('sqlite_')).map(({ sql }) => `${sql};`)
    for (const { name } of tables.filter(({ name }) => name !== 'leases'))
      for (const row of database.prepare(`SELECT * FROM ${name}`).all())
        lines.push(`INSERT INTO ${name} VALUES (${Object.values(row).map(literal).join(', ')});`)
    const version = Object.values(database.prepare('PRAGMA user_version').get())[0]
    return withoutRoot(`${lines.join('\n')}\nPRAGMA user_version = ${version};\n`)
  } finally {
    database.close()
    rmSync(copy, { force: true })
  }
}

function literal(value) {
  if (value === null) return 'NULL'
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`
  return value instanceof Uint8Array ? `X'${Buffer.from(value).toString('hex')}'` : String(value)
}
