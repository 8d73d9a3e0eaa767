/** Whether the history is kept. Everything but `history`, `diff` and `undo` works without it; switching it off is no fault. */
import type { Check, Config } from '../domain/index.ts'
import type { NoteHistory } from '../store/notes/history.ts'
import { ok, warning } from './check.ts'

export function checkHistory(history: Pick<NoteHistory, 'unavailable'>, config: Pick<Config, 'history'>): Check[] {
  const reason = history.unavailable()
  if (reason === null) return [ok('history', 'kept')]
  if (!config.history) return [ok('history', reason)]
  return [warning('history', `not kept: ${reason}; everything else works`, 'Install git, or set `history` to false.')]
}
