/**
 * Trims a recorded transcript to a fixture: the client's own long texts, costs and request copies go, paths and times
 * of the machine are replaced, the words of the conversation stay.
 */

type Row = Record<string, unknown>

export interface TrimOptions {
  readonly project: string
  /** What stands for what, longest first: folders of the recording and their invented names. */
  readonly paths: Readonly<Record<string, string>>
  /** ISO time of the first row. */
  readonly start: string
  readonly minutesPerTurn: number
}

/** Kinds of which one row is kept, without its text, so that readers meet them. */
const keptOnce = new Set([
  'api-request-blob',
  'api-request',
  'api-request-shape',
  'cost-state',
  'tools-used',
  'atis-latch',
])

const keptAttachments = new Set(['hook_additional_context', 'hook_success', 'queued_command', 'file', 'date'])

const droppedKeys = [
  'rendered',
  'renderedRole',
  'renderedBesideToolResult',
  'requestRef',
  'requestedModel',
  'promptCacheRequested',
  'toolInputStreamMs',
  'perTurnEffort',
  'sentAtMs',
  'compactMetadata',
  'hookInfos',
  'permissionDecision',
  'session_id',
]

export function trimTranscript(lines: readonly string[], options: TrimOptions): string[] {
  const seen = new Set<string>()
  const clock = createClock(options)
  return lines.flatMap((line) => {
    const row: Row = JSON.parse(line)
    const attachment = row.attachment as Row | undefined
    const kind = attachment ? `attachment:${attachment.type}` : String(row.type)
    const isBulk = keptOnce.has(String(row.type)) || (attachment && !keptAttachments.has(String(attachment.type)))
    if (isBulk && seen.has(kind)) return []
    seen.add(kind)
    for (const key of droppedKeys) delete row[key]
    if (attachment?.type === 'date') attachment.date = options.start.slice(0, 10)
    if (attachment && isBulk) row.attachment = { type: attachment.type, trimmed: true }
    if (!attachment && isBulk) trimBulk(row)
    trimMessage(row)
    clock(row)
    return [rename(JSON.stringify(row), options.paths)]
  })
}

function trimBulk(row: Row): void {
  for (const key of Object.keys(row)) if (!['type', 'sessionId', 'timestamp', 'version'].includes(key)) delete row[key]
  row.trimmed = true
}

function trimMessage(row: Row): void {
  const message = row.message as Row | undefined
  if (!message) return
  for (const key of ['usage', 'diagnostics', 'stop_details', 'context_management', 'container']) delete message[key]
  if (row.isCompactSummary === true && typeof message.content === 'string') {
    const [first = ''] = message.content.split('\n')
    const own = /Primary request|1\. [\s\S]*/.exec(message.content)?.[0].split('\n\nIf you need')[0] ?? ''
    message.content = `${first}\n\n${own}`
  }
}

/** Gives each turn some minutes, so that the conversation reads as one of people. */
function createClock({ start, minutesPerTurn }: TrimOptions): (row: Row) => void {
  let turn = -1
  let first: number | null = null
  return (row) => {
    const prompt = row.type === 'user' && row.promptSource !== undefined && row.promptSource !== 'system'
    if (prompt) turn++
    for (const holder of [row, row.attachment as Row | undefined]) {
      if (typeof holder?.timestamp !== 'string') continue
      const time = Date.parse(holder.timestamp)
      if (first === null || prompt) first = time
      holder.timestamp = new Date(
        Date.parse(start) + Math.max(turn, 0) * minutesPerTurn * 60_000 + Math.max(0, time - first),
      ).toISOString()
    }
  }
}

function rename(text: string, paths: Readonly<Record<string, string>>): string {
  return Object.entries(paths).reduce((result, [from, to]) => result.replaceAll(from, to), text)
}
