/** A file written past us in which a threat was found is withheld, and a proposal asks the person about it (spec W1). */
import { isShared, type Layer } from '../domain/index.ts'
import { redact } from '../guard/index.ts'
import { decodeStrictly } from '../store/notes/note-document.ts'
import type { NoteFiles } from '../store/notes/note-files.ts'
import type { Proposals } from '../store/proposals.ts'
import type { SyncReport } from '../store/sync.ts'

export async function proposeWithheld(
  report: SyncReport,
  layer: Layer,
  tools: { readonly files: NoteFiles; readonly proposals: Proposals },
): Promise<void> {
  // Nobody here can approve a change of what others share; doctor names the file.
  if (isShared(layer)) return
  for (const { file, id, hash, reason } of report.withheld) {
    const bytes = await tools.files.read(layer, file)
    const text = bytes?.hash === hash ? decodeStrictly(bytes.bytes) : null
    if (text === null) continue
    await tools.proposals.put({
      layer: layer.key,
      operation: 'patch',
      noteId: id,
      baseHash: hash,
      file,
      proposed: redact(text).text,
      evidence: [],
      author: 'file',
      reason: `The file was written past Keepsake and matches ${reason}; it is withheld from prompts until you approve it.`,
    })
  }
}
