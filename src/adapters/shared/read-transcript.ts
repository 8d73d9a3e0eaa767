/**
 * Reads a transcript of JSON lines forward, at flat memory, about one turn a batch. Rows are taken by a list of known
 * kinds; everything else is counted, nothing is thrown but what says that the file is no transcript at all.
 */
import type { ReadTranscriptOptions, TranscriptBatch } from '../../domain/index.ts'
import type { MemoryError } from '../../errors.ts'
import { readLogLines } from '../log-lines.ts'
import { createBatch, type RowLanguage, type RowPlace } from './batch.ts'
import type { Row } from './rows.ts'
import { type RecordShape, splitRecords } from './split-records.ts'

export interface TranscriptLanguage extends RowLanguage {
  readonly shape: RecordShape
  /** A file without one such row is no transcript. */
  isTranscriptRow(row: Row): boolean
  notATranscript(file: string): MemoryError
}

/** `known` is what earlier parts of the file said about the conversation, where rows do not repeat it. */
export async function* readTranscript(
  file: string,
  options: ReadTranscriptOptions,
  language: TranscriptLanguage,
  known?: RowPlace,
): AsyncGenerator<TranscriptBatch> {
  const fromOffset = options.fromOffset ?? 0
  const batch = createBatch(fromOffset, language, known)
  let lines = 0
  let knownRows = 0
  for await (const line of readLogLines(file, fromOffset, options.signal)) {
    const { rows, damaged } = splitRecords((line.text ?? '').replace(/^\uFEFF/, ''), language.shape)
    // A last line that is still being written is left for the next read.
    if (!line.terminated && (rows.length === 0 || damaged)) {
      if (line.text === null || !line.text.startsWith('{')) lines++
      break
    }
    lines++
    if (line.text === null) batch.skip('oversized')
    else if (damaged && line.text.trim() !== '') batch.skip('damaged')
    for (const row of rows) {
      if (language.isTranscriptRow(row)) knownRows++
      const finished = batch.add(row)
      if (finished) yield finished
    }
    batch.moveTo(line.endOffset)
  }
  if (lines > 0 && knownRows === 0 && fromOffset === 0) throw language.notATranscript(file)
  const last = batch.finish()
  if (last) yield last
}
