// The scorer of a labelled set for the signal gate: which saved notes are right, and what was missed. Pure functions.
// A saved note matches a keep when its text (name, description, body; NFKC, white space collapsed) holds every `must`,
// no `mustNot` and no `forbid`, and its evidence names the keep's message among at most three. Notes and keeps pair one
// to one, as many as possible: a second note for the same keep is wrong.

const MAX_EVIDENCE = 3

const normalise = (text) => text.normalize('NFKC').replace(/\s+/gu, ' ')
const textOf = (note) =>
  normalise([note.name, note.description, note.body].filter((each) => typeof each === 'string').join('\n'))
const finds = (pattern, text) => new RegExp(pattern, 'iu').test(text)

/** Why a note does not match a keep; an empty list means that it does. */
function faultsOf(note, keep, forbid) {
  const text = textOf(note)
  const evidence = note.evidence ?? []
  return [
    ...keep.must.filter((pattern) => !finds(pattern, text)).map((pattern) => `misses ${pattern}`),
    ...(keep.mustNot ?? []).filter((pattern) => finds(pattern, text)).map((pattern) => `must not contain ${pattern}`),
    ...forbid.filter((pattern) => finds(pattern, text)).map((pattern) => `forbidden ${pattern}`),
    ...(evidence.includes(keep.evidence) && evidence.length <= MAX_EVIDENCE
      ? []
      : [`evidence: wants ${keep.evidence}, has [${evidence}]`]),
  ]
}

/** Index of the keep that each note is paired with, or -1: augmenting paths, so the pairing is the largest. */
function pair(matches, keepCount) {
  const noteOfKeep = Array(keepCount).fill(-1)
  const place = (note, tried) =>
    matches[note].some((isMatch, keep) => {
      if (!isMatch || tried.has(keep)) return false
      tried.add(keep)
      if (noteOfKeep[keep] !== -1 && !place(noteOfKeep[keep], tried)) return false
      noteOfKeep[keep] = note
      return true
    })
  for (const note of matches.keys()) place(note, new Set())
  return matches.map((_, note) => noteOfKeep.indexOf(note))
}

/** One conversation: counts, and in words what was wrong or missed. */
export function scoreConversation(row, saved) {
  const forbid = row.forbid ?? []
  const faults = saved.map((note) => row.keep.map((keep) => faultsOf(note, keep, forbid)))
  const paired = pair(
    faults.map((perKeep) => perKeep.map((each) => each.length === 0)),
    row.keep.length,
  )
  const wrong = saved.filter((_, index) => paired[index] === -1)
  const onSubject = (perKeep) =>
    perKeep.some(
      (each) => each.some((fault) => fault.startsWith('must not')) && !each.some((fault) => fault.startsWith('misses')),
    )
  return {
    id: row.id,
    isSilent: row.keep.length === 0,
    keeps: row.keep.length,
    saved: saved.length,
    right: saved.length - wrong.length,
    forbidden: saved.filter(
      (note, index) => onSubject(faults[index]) || forbid.some((pattern) => finds(pattern, textOf(note))),
    ).length,
    wrongReplaces: saved.filter(
      (note, index) => (note.replaces ?? null) !== null && note.replaces !== row.keep[paired[index]]?.replaces,
    ).length,
    remarks: [
      ...wrong.map((note) => `wrong: ${note.name}`),
      ...row.keep
        .filter((_, keep) => !paired.includes(keep))
        .map((keep) => `missed: ${keep.about ?? keep.must.join(' + ')}`),
    ],
  }
}

/** Totals over conversations. A share over nothing is null. */
export function summarise(results) {
  const sum = (count) => results.reduce((total, result) => total + count(result), 0)
  const share = (hits, of) => ({ hits, of, value: of === 0 ? null : hits / of })
  const right = sum((result) => result.right)
  const silent = results.filter((result) => result.isSilent)
  return {
    conversations: results.length,
    precision: share(
      right,
      sum((result) => result.saved),
    ),
    recall: share(
      right,
      sum((result) => result.keeps),
    ),
    noOp: share(silent.filter((result) => result.saved === 0).length, silent.length),
    forbidden: sum((result) => result.forbidden),
    wrongReplaces: sum((result) => result.wrongReplaces),
  }
}

/** What the extractor saves from one labelled conversation. */
export function extractFrom(row, extractNotes) {
  return extractNotes({
    messages: row.messages.map((message, index) => ({
      index,
      role: message.role,
      content: message.content,
      toolName: message.tool ?? null,
      time: message.at ?? row.date ?? null,
    })),
    existing: row.existing ?? [],
    date: row.date ?? null,
  })
}

/** Rows of a JSON Lines text. Throws a SyntaxError that names the line. */
export function parseRows(text) {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .flatMap((line, index) => {
      if (line.trim() === '') return []
      try {
        return [JSON.parse(line)]
      } catch (cause) {
        throw new SyntaxError(`line ${index + 1}: ${cause.message}`, { cause })
      }
    })
}
