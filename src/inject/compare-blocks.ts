/** Two start blocks side by side: where they part, which lines went and came, and which notes made it so. Pure. */
import { estimateTokenCount } from 'tokenx'
import type { BlockCause, BlockComparison, BlockPiece } from '../domain/index.ts'
import { FORGOTTEN_LINE } from '../store/kept-block.ts'
import { utf8Bytes } from '../util/index.ts'

export interface ComparedBlock {
  readonly text: string
  /** Lines with what they rest on; empty where only the text is known. */
  readonly pieces: readonly BlockPiece[]
}

export interface CompareInput {
  readonly with: BlockComparison['with']
  readonly earlier: ComparedBlock
  readonly now: ComparedBlock
  /** What became of a note that stood there then and stands there no longer. */
  readonly fateOf: (note: Owner) => Extract<BlockCause['change'], 'forgotten' | 'left out' | 'gone'>
}

const MAX_CAUSES = 50
const MAX_LINES = 100
/** A block has a few hundred lines; a text with more is none, and only its beginning is looked at. */
const MAX_COMPARED_LINES = 2_000

export function compareBlocks({ with: other, earlier, now, fateOf }: CompareInput): BlockComparison {
  const lines = changedLines(linesOf(earlier.text), linesOf(now.text))
  const owners = { went: ownersOf(earlier, now.pieces), came: ownersOf(now, earlier.pieces) }
  const causes = causesOf(lines, owners, fateOf)
  const start = firstUnit(earlier.text, now.text)
  return {
    with: other,
    isEqual: start === null,
    first: start === null ? null : placeOf(start, earlier.text, now.text),
    earlier: sizeOf(earlier.text),
    now: sizeOf(now.text),
    tokensAnew: start === null ? 0 : estimateTokenCount(now.text.slice(start)),
    causes: causes.slice(0, MAX_CAUSES),
    causesMore: Math.max(0, causes.length - MAX_CAUSES),
    isFrameChanged: lines.some(({ change, text }) => !owners[change].has(text)),
    lines: lines.slice(0, MAX_LINES),
    linesMore: Math.max(0, lines.length - MAX_LINES),
  }
}

/** The first UTF-16 unit that differs, never inside a pair. */
function firstUnit(one: string, other: string): number | null {
  if (one === other) return null
  let at = 0
  while (at < one.length && one.charCodeAt(at) === other.charCodeAt(at)) at++
  const isInPair = at > 0 && /[\ud800-\udbff]/.test(one[at - 1] ?? '')
  return isInPair ? at - 1 : at
}

function placeOf(start: number, then: string, now: string): NonNullable<BlockComparison['first']> {
  const before = now.slice(0, start)
  const lineStart = before.lastIndexOf('\n') + 1
  const lineAt = (text: string) => (lineStart > text.length ? null : (text.slice(lineStart).split('\n')[0] ?? null))
  return { byte: utf8Bytes(before), line: linesOf(before).length, earlier: lineAt(then), now: lineAt(now) }
}

function sizeOf(text: string) {
  return { bytes: utf8Bytes(text), tokens: estimateTokenCount(text) }
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').slice(0, MAX_COMPARED_LINES)
}

type ChangedLine = BlockComparison['lines'][number]

/** By the longest run of lines that both have, in their order. */
function changedLines(then: readonly string[], now: readonly string[]): ChangedLine[] {
  const width = now.length + 1
  const common = new Uint16Array((then.length + 1) * width)
  const at = (row: number, column: number) => common[row * width + column] ?? 0
  for (let row = then.length - 1; row >= 0; row--)
    for (let column = now.length - 1; column >= 0; column--)
      common[row * width + column] =
        then[row] === now[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1))
  const changed: ChangedLine[] = []
  let [row, column] = [0, 0]
  while (row < then.length || column < now.length) {
    if (row < then.length && column < now.length && then[row] === now[column]) {
      row++
      column++
    } else if (row < then.length && (column === now.length || at(row + 1, column) >= at(row, column + 1))) {
      changed.push({ change: 'went', line: row + 1, text: then[row] ?? '' })
      row++
    } else {
      changed.push({ change: 'came', line: column + 1, text: now[column] ?? '' })
      column++
    }
  }
  return changed
}

interface Owner {
  readonly id: string | null
  readonly name: string
}

type Owners = ReadonlyMap<string, Owner>

/** Lines of a block and the note of each. Of a bare text the lines say their names themselves, as those of an index do. */
function ownersOf({ text, pieces }: ComparedBlock, others: readonly BlockPiece[]): Owners {
  if (pieces.length === 0)
    return new Map(
      linesOf(text).flatMap((line): [string, Owner][] => (isEntry(line) ? [[line, named(line, others)]] : [])),
    )
  return new Map([
    [FORGOTTEN_LINE, { id: null, name: FORGOTTEN_LINE.slice(2) }],
    ...pieces.flatMap((piece) => {
      const owner = ownerOf(piece)
      return owner ? piece.text.split('\n').map((line): [string, Owner] => [line, owner]) : []
    }),
  ])
}

function ownerOf({ note }: BlockPiece): Owner | null {
  return note && { id: note.version?.id ?? null, name: note.name }
}

function isEntry(line: string): boolean {
  return line.startsWith('- ')
}

/** The note of the other block with whose name the line begins; else what stands before the first colon. */
function named(line: string, others: readonly BlockPiece[]): Owner {
  const label = line.slice(2).replace(/ \(\d{4}-\d\d-\d\d\)$/, '')
  const known = others
    .flatMap((piece) => ownerOf(piece) ?? [])
    .filter(({ name }) => label.toLowerCase().startsWith(name.toLowerCase()))
    .sort((one, other) => other.name.length - one.name.length)
  return known[0] ?? { id: null, name: label.split(': ')[0] ?? label }
}

function causesOf(
  lines: readonly ChangedLine[],
  owners: { readonly went: Owners; readonly came: Owners },
  fateOf: CompareInput['fateOf'],
): BlockCause[] {
  const causes: BlockCause[] = []
  for (const { change, text } of lines) {
    const owner = owners[change].get(text)
    if (!owner || causes.some((each) => isSame(each, owner))) continue
    const [then] = ofOwner(owners.went, owner)
    const [now] = ofOwner(owners.came, owner)
    const { id, name } = now ?? then ?? owner
    const textsOf = (side: ChangedLine['change']) =>
      lines.filter((each) => each.change === side && isOf(owners[side], each.text, owner)).map((each) => each.text)
    const isMoved = textsOf('went').join('\n') === textsOf('came').join('\n')
    const stands = then && now ? (isMoved ? 'moved' : 'changed') : now ? 'added' : fateOf({ id, name })
    causes.push({ id, name, change: text === FORGOTTEN_LINE ? 'forgotten' : stands })
  }
  return causes
}

function ofOwner(owners: Owners, owner: Owner): Owner[] {
  return [...owners.values()].filter((each) => isSame(each, owner))
}

function isOf(owners: Owners, text: string, owner: Owner): boolean {
  const found = owners.get(text)
  return found !== undefined && isSame(found, owner)
}

function isSame(one: Owner, other: Owner): boolean {
  return one.id !== null && other.id !== null ? one.id === other.id : one.name === other.name
}
