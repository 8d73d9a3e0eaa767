/** What outcomes and lists say about a note. */
import { join } from 'node:path'
import type { Layer, NoteSummary } from '../../domain/index.ts'
import { oneLine } from '../../util/index.ts'

type Summarised = Pick<NoteSummary, 'id' | 'name' | 'type' | 'file' | 'description' | 'updated' | 'pinned' | 'status'>

/** Summary of a note (or of a scanned or indexed one) of `layer`; names and descriptions on one line, file absolute. */
export function toSummary(note: Summarised, layer: Layer): NoteSummary {
  return {
    id: note.id,
    name: oneLine(note.name),
    type: note.type,
    layer: layer.name,
    file: join(layer.directory, note.file),
    description: oneLine(note.description),
    updated: note.updated,
    pinned: note.pinned,
    status: note.status,
  }
}
