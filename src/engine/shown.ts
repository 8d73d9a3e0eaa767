/**
 * What leaves the engine about a note (spec W4 at load, S8): names, descriptions, file names, sentences and candidates
 * of errors, all masked and with a marker where they attack. Ids are the handle of a note; a path is shown when it may
 * be. Texts of the caller's own stay his.
 */
import { sep } from 'node:path'
import type {
  Block,
  Contradiction,
  EditResult,
  Entry,
  ForgetResult,
  HistoryChange,
  Layer,
  Note,
  NoteSummary,
  RecallHit,
  RecallResult,
  Rejection,
  RememberResult,
  SaidWhere,
  Session,
  SessionSearchResult,
  Standing,
  UndoResult,
} from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import { safeHead, safeText } from '../guard/index.ts'
import { oneLine } from '../util/index.ts'
import type { Writer } from '../write/index.ts'

type Layers = readonly Layer[]

/** Names and descriptions come from the text of the file, so they are shown by the same rules. */
export function shown(summary: NoteSummary, layers: Layers): NoteSummary {
  const standing = summary.standing && { standing: shownStanding(summary.standing) }
  return { ...summary, ...safeHead(summary), file: shownPath(summary.file, layers), ...standing }
}

/** A whole note; its body is judged by the caller, who also says how the reader hears of it. */
export function shownNote(note: Note): Note {
  const safe = (text: string) => safeText(text, 'value').text
  return {
    ...note,
    ...safeHead(note),
    file: safeText(note.file, 'file name').text,
    tags: note.tags.map(safe),
    aliases: note.aliases.map(safe),
    supersedes: note.supersedes.map(safe),
    appliesTo: note.appliesTo.map(safe),
    mutes: note.mutes.map(safe),
    expires: note.expires === null ? null : safe(note.expires),
    source: note.source.map((each) => ({
      ...each,
      session: each.session === null ? null : safe(each.session),
      message: each.message === null ? null : safe(each.message),
      quote: each.quote === null ? null : safeText(each.quote, 'quote').text,
    })),
    problems: note.problems.map((problem) => ({ ...problem, message: safeText(problem.message, 'problem').text })),
  }
}

/** A hit of a search. What a tool or a page said is stored word for word; an answer does not repeat an attack. */
export function shownResult(result: RecallResult, layers: Layers): RecallResult {
  const { results, entities, contradictions } = result
  return {
    ...result,
    results: results.map((hit) => shownHit(hit, layers)),
    ...(entities && { entities: entities.map((each) => ({ ...each, names: each.names.map(safeName) })) }),
    ...(contradictions && { contradictions: contradictions.map(shownContradiction) }),
  }
}

function shownContradiction(pair: Contradiction): Contradiction {
  return { ...pair, newerQuote: sentence(pair.newerQuote), olderQuote: sentence(pair.olderQuote) }
}

function shownHit(hit: RecallHit, layers: Layers): RecallHit {
  return {
    ...hit,
    ...safeHead(hit),
    file: hit.file === null ? null : shownPath(hit.file, layers),
    source: hit.source && shownSource(hit.source),
    ...(hit.standing && { standing: shownStanding(hit.standing) }),
    snippet: safeText(hit.snippet, hit.kind === 'note' ? 'snippet' : 'message').text,
  }
}

function shownSource({ session, message, time }: SaidWhere): SaidWhere {
  const safe = (text: string | null) => (text === null ? null : safeText(text, 'source').text)
  return { session: safe(session), message: safe(message), time }
}

/** A start block whose text is safe already: what is said about its notes, for people. */
export function shownBlock(block: Block): Block {
  const entries = block.entries.map((entry) => ({ ...entry, name: safeName(entry.name), why: sentence(entry.why) }))
  if (!block.explanation) return { ...block, entries }
  const left = block.explanation.left.map((each) => ({
    ...each,
    name: safeName(each.name),
    standing: shownStanding(each.standing),
  }))
  return { ...block, entries, explanation: { ...block.explanation, left } }
}

/** Names and paths in it are words of notes. */
export function shownStanding(standing: Standing): Standing {
  switch (standing.state) {
    case 'overridden':
    case 'muted':
      return { ...standing, by: { ...standing.by, name: safeName(standing.by.name) } }
    case 'elsewhere':
      return { ...standing, appliesTo: standing.appliesTo.map((path) => safeText(path, 'path').text) }
    default:
      return standing
  }
}

function safeName(name: string): string {
  return safeText(oneLine(name), 'name').text
}

/** The labels of a conversation; its messages are shown word for word to who opens it. */
export function shownSession(session: Session): Session {
  const safe = (text: string | null) => (text === null ? null : safeText(text, 'label').text)
  return {
    ...session,
    title: safe(session.title),
    branch: safe(session.branch),
    cwd: safe(session.cwd),
    summary: safe(session.summary),
    tags: session.tags.map((tag) => safeText(tag, 'tag').text),
  }
}

/** What a search found of a conversation. */
export function shownPassages(found: SessionSearchResult['sessions'][number]): SessionSearchResult['sessions'][number] {
  const matches = found.matches.map((match) => ({ ...match, snippet: safeText(match.snippet, 'message').text }))
  return { ...found, session: shownSession(found.session), matches }
}

/** The same writer, with answers that may be shown. */
export function showingWriter(writer: Writer, layers: () => Layers): Writer {
  return {
    ...writer,
    remember: (input) => told(layers, () => writer.remember(input), shownOutcome),
    edit: (input) => told(layers, () => writer.edit(input), shownEdits),
    move: (input) => told(layers, () => writer.move(input), shownOutcome),
    forget: (reference, options) => told(layers, () => writer.forget(reference, options), shownRemoval),
    undo: (reference, options) => told(layers, () => writer.undo(reference, options), shownUndo),
  }
}

async function told<Result>(
  layers: () => Layers,
  work: () => Promise<Result>,
  show: (result: Result, layers: Layers) => Result,
): Promise<Result> {
  try {
    return show(await work(), layers())
  } catch (error) {
    throw shownError(error, layers())
  }
}

function shownOutcome(result: RememberResult, layers: Layers): RememberResult {
  const similar = result.similar.map((note) => shown(note, layers))
  const asides = { similar, notices: result.notices.map(sentence) }
  if (result.outcome === 'rejected') {
    const entries = result.entries?.map((entry) => shownStored(entry, layers))
    return { ...result, ...asides, reason: shownReason(result.reason), ...(entries ? { entries } : {}) }
  }
  if (result.outcome === 'proposed') return { ...result, ...asides, reason: sentence(result.reason) }
  return { ...result, ...asides, note: shown(result.note, layers) }
}

function shownEdits(result: EditResult, layers: Layers): EditResult {
  const similar = result.similar.map((note) => shown(note, layers))
  const asides = { similar, notices: result.notices.map(sentence) }
  if (result.outcome === 'proposed') return { ...result, ...asides, reason: sentence(result.reason) }
  if (result.outcome === 'rejected')
    return {
      ...result,
      ...asides,
      reason: shownReason(result.reason),
      entries: result.entries.map((entry) => shownStored(entry, layers)),
    }
  return { ...result, ...asides, entries: result.entries.map((entry) => shownStored(entry, layers)) }
}

/** An entry quotes a file: what must not reach a prompt does not leave through an answer either. */
function shownStored<Shown extends Entry>(entry: Shown, layers: Layers): Shown {
  return { ...entry, note: shown(entry.note, layers), text: safeText(entry.text, 'entry').text }
}

/** A refusal may name a note. */
function shownReason(reason: Rejection): Rejection {
  return { ...reason, message: sentence(reason.message) }
}

function shownUndo(result: UndoResult, layers: Layers): UndoResult {
  const files = result.files.map((each) => ({ ...each, file: shownPath(each.file, layers) }))
  return { ...result, change: shownChange(result.change, layers), files, notices: result.notices.map(sentence) }
}

/** What it says of notes is ids and files; the author is a name that a caller gave. */
export function shownChange(change: HistoryChange, layers: Layers): HistoryChange {
  const files = change.files.map((each) => ({ ...each, file: shownPath(each.file, layers) }))
  return { ...change, author: safeText(change.author, 'author').text, why: sentence(change.why), files }
}

function shownRemoval(result: ForgetResult, layers: Layers): ForgetResult {
  const note = result.note === null ? null : shown(result.note, layers)
  return { ...result, note, notices: result.notices.map(sentence) }
}

/** Candidates and file names in an error are words of notes as well; a reference is the caller's own. */
export function shownError(error: unknown, layers: Layers): unknown {
  if (!MemoryError.isInstance(error)) return error
  const { candidates, file, reference } = error.data
  const message = reference === undefined ? sentence(error.message) : error.message
  const data = {
    ...error.data,
    ...(typeof file === 'string' ? { file: sentence(file) } : {}),
    ...(Array.isArray(candidates) ? { candidates: candidates.map((each) => shownCandidate(each, layers)) } : {}),
  }
  return new MemoryError(error.code, message, { hint: error.hint, data, cause: error })
}

function shownCandidate(candidate: unknown, layers: Layers): unknown {
  if (typeof candidate !== 'object' || candidate === null) return candidate
  const { name = '', description = '', file } = candidate as Partial<NoteSummary> // Candidates are summaries or parts of them.
  const head = safeHead({ name: String(name), description: String(description) })
  return {
    ...candidate,
    name: head.name,
    ...('description' in candidate ? { description: head.description } : {}),
    ...(typeof file === 'string' ? { file: shownPath(file, layers) } : {}),
  }
}

function sentence(text: string): string {
  return safeText(text, 'sentence').text
}

/** Only the part below the layer's folder was named by somebody else; where the home lies is the person's own. */
export function shownPath(path: string, layers: Layers): string {
  const folder = layers.map(({ directory }) => `${directory}${sep}`).find((each) => path.startsWith(each)) ?? ''
  return `${folder}${safeText(path.slice(folder.length), 'file name').text}`
}
