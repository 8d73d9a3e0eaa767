/** Proposals as they are shown: masked, and with a marker where they attack (spec W4 at load, I6). */
import { join } from 'node:path'
import {
  type Layer,
  layerNameOf,
  type Note,
  type Proposal,
  type ProposalSummary,
  type ProposalView,
} from '../domain/index.ts'
import { redact, safeHead, safeText } from '../guard/index.ts'
import { unifiedDiff } from '../store/notes/history-diff.ts'
import type { NoteFiles } from '../store/notes/note-files.ts'
import { readNote } from '../store/notes/note-format.ts'
import { oneLine } from '../util/index.ts'
import type { Judged } from '../write/index.ts'
import { shownPath } from './shown.ts'

export interface ViewTools {
  readonly files: Pick<NoteFiles, 'read'>
  readonly everyLayer: () => readonly Layer[]
  readonly shortIds: ReadonlyMap<string, string>
}

const MAX_DIFF_LINES = 400

export async function summaryOf(proposal: Proposal, judged: Judged, tools: ViewTools): Promise<ProposalSummary> {
  const layer = layerOf(proposal, tools)
  const note = await noteOf(proposal, layer, tools)
  const { id, asks, operation, noteId, created } = proposal
  return {
    id,
    shortId: tools.shortIds.get(id) ?? id,
    layer: layerNameOf(proposal.layer),
    layerKey: proposal.layer,
    asks,
    operation,
    name: oneLine(safeHead({ name: note?.name ?? proposal.file, description: '' }).name),
    type: note?.type ?? null,
    noteId,
    author: safeText(oneLine(proposal.author), 'author').text,
    reason: safeText(oneLine(proposal.reason), 'reason').text,
    created,
    state: judged.state,
    why: 'why' in judged ? safeText(judged.why, 'reason').text : null,
  }
}

export async function viewOf(proposal: Proposal, judged: Judged, tools: ViewTools): Promise<ProposalView> {
  const layer = layerOf(proposal, tools)
  const now = await textNow(proposal, layer, tools)
  const before = proposal.operation === 'create' ? null : (proposal.base ?? now)
  const after = proposal.operation === 'move' ? before : proposal.proposed && redact(proposal.proposed).text
  const diff = isQuestion(proposal) ? shownDiff(null, before) : shownDiff(before, after)
  const since = before === null ? none : shownDiff(before, now)
  const bytes = bytesOf(after)
  const safe = bytes && safeText(readNote(bytes, proposal).body.trim(), 'text')
  const places = layer ? [layer] : []
  return {
    ...(await summaryOf(proposal, judged, tools)),
    file: layer ? shownPath(join(layer.directory, proposal.file), places) : safeText(proposal.file, 'file name').text,
    diff: diff.text,
    changedSince: since.text,
    omittedLines: diff.omitted + since.omitted,
    text: safe && safe.blocked.length === 0 ? safe.text : null,
    evidence: proposal.evidence.map((each) => ({
      ...each,
      quote: each.quote === null ? null : safeText(each.quote, 'quote').text,
    })),
  }
}

/** A question is about the whole text. */
function isQuestion(proposal: Proposal): boolean {
  return proposal.asks === 'rule' || proposal.asks === 'withheld'
}

const none = { text: '', omitted: 0 }

function shownDiff(before: string | null, after: string | null): { text: string; omitted: number } {
  const lines = unifiedDiff(bytesOf(before), bytesOf(after))
  return {
    text: shownLines(lines.slice(0, MAX_DIFF_LINES)),
    omitted: Math.max(0, lines.length - MAX_DIFF_LINES),
  }
}

/** Only the lines that attack are hidden, where that is enough; words that attack together are hidden together. */
function shownLines(lines: readonly string[]): string {
  const whole = safeText(lines.join('\n'), 'difference')
  if (whole.blocked.length === 0) return whole.text
  const single = lines.map((line) => {
    const { text, blocked } = safeText(line, 'line')
    return blocked.length === 0 ? text : `${line.slice(0, 1)}${text}`
  })
  return safeText(single.join('\n'), 'difference').text
}

function bytesOf(text: string | null): Uint8Array | null {
  return text === null ? null : new TextEncoder().encode(text)
}

function layerOf({ layer }: Proposal, { everyLayer }: ViewTools): Layer | undefined {
  return everyLayer().find(({ key }) => key === layer)
}

/** The note by its proposed text, else as it is on disk. */
async function noteOf(proposal: Proposal, layer: Layer | undefined, tools: ViewTools): Promise<Note | null> {
  const text = proposal.proposed ?? (await textNow(proposal, layer, tools))
  const bytes = bytesOf(text)
  return bytes && readNote(bytes, proposal)
}

/** Masked; null when it is gone, cannot be read, or the layer is. */
async function textNow({ file, operation }: Proposal, layer: Layer | undefined, { files }: ViewTools) {
  if (!layer || operation === 'create') return null
  try {
    const read = await files.read(layer, file)
    return read && redact(new TextDecoder('utf-8', { ignoreBOM: true }).decode(read.bytes)).text
  } catch {
    // A list must show the others; the judge says why this one cannot be approved.
    return null
  }
}
