// The yardstick of `search`: the same words asked of the same index.db as plain FTS5.
import { join } from 'node:path'

/** Null where better-sqlite3 is not installed: the yardstick is left out. */
export async function openPlain(tools, { place, project }, target) {
  const Database = await import('better-sqlite3').then(
    (module) => module.default,
    // An optional dependency: the figures of ours stand without it.
    () => null,
  )
  if (Database === null) return null
  const database = new Database(join(place.home, 'index.db'), { readonly: true })
  const table = target === 'notes' ? 'notes_fts' : 'messages_fts'
  const key = target === 'notes' ? `notes:${project}` : `messages:session:${project}`
  const { id } = database.prepare('SELECT id FROM scopes WHERE key = ?').get(key)
  const columns = target === 'notes' ? 'name description body grams' : 'speaker body grams'
  const parse = tools.createQueryParser()
  const select = database.prepare(
    `SELECT rowid FROM ${table} WHERE ${table} MATCH ? ORDER BY bm25(${table}, 0.0) LIMIT 10`,
  )
  return {
    search(question) {
      const { words, grams } = parse(question)
      const terms = [...words, ...grams].map(({ text }) => `"${text}"`)
      return terms.length === 0 ? [] : select.all(`scope : s${id} AND {${columns}} : (${terms.join(' OR ')})`)
    },
    close: () => database.close(),
  }
}
