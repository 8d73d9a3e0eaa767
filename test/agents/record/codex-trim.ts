/**
 * Trims a recorded rollout to a fixture: the client's own long texts and token counts go, paths and times of the machine
 * are replaced, the words of the conversation stay.
 */
import type { TrimOptions } from './trim.ts'

type Row = Record<string, unknown>

/** Kinds of which one row is kept, without its content, so that readers meet them. */
const keptOnce = new Set(['world_state', 'token_usage_record', 'thread_settings_applied', 'token_count'])

const KEPT_CHARACTERS = 80

export function trimRollout(lines: readonly string[], options: TrimOptions): string[] {
  const seen = new Set<string>()
  const clock = createClock(options)
  return lines.flatMap((line) => {
    const row: Row = JSON.parse(line)
    const payload = row.payload as Row
    const kind = String(row.type === 'event_msg' ? payload.type : row.type)
    if (keptOnce.has(kind)) {
      if (seen.has(kind)) return []
      seen.add(kind)
      row.payload = row.type === 'event_msg' ? { type: kind } : {}
    }
    if (row.type === 'session_meta') payload.base_instructions = { text: 'You are a coding agent.' }
    if (row.type === 'response_item') trimMessage(payload)
    if (row.type === 'compacted') (payload.replacement_history as Row[]).forEach(trimMessage)
    clock(row)
    const text = JSON.stringify(row).replaceAll(/"(?:create_time|(?:started|completed)_at(?:_ms)?)":[\d.]+,?/g, '')
    return [rename(text.replaceAll(',}', '}'), options.paths)]
  })
}

/** Texts of the client are cut behind their opening, which readers know them by. */
function trimMessage(item: Row): void {
  if (item.role !== 'developer' || !Array.isArray(item.content)) return
  for (const piece of item.content as { text: string }[])
    if (!piece.text.includes('keepsake')) piece.text = `${piece.text.slice(0, KEPT_CHARACTERS)}…`
}

/** Gives each turn some minutes, so that the conversation reads as one of people. */
function createClock({ start, minutesPerTurn }: TrimOptions): (row: Row) => void {
  let turn = -1
  let first: number | null = null
  const move = (time: string) => {
    first ??= Date.parse(time)
    const offset = Math.max(turn, 0) * minutesPerTurn * 60_000 + Math.max(0, Date.parse(time) - first)
    return new Date(Date.parse(start) + offset).toISOString()
  }
  return (row) => {
    const payload = row.payload as Row
    if (payload.type === 'task_started') {
      turn++
      first = null
    }
    row.timestamp = move(String(row.timestamp))
    if (row.type === 'session_meta') payload.timestamp = row.timestamp
  }
}

function rename(text: string, paths: Readonly<Record<string, string>>): string {
  return Object.entries(paths).reduce((result, [from, to]) => result.replaceAll(from, to), text)
}
