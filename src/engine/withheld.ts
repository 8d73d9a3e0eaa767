/**
 * A file written past us in which a threat was found is withheld, and the person is asked about it (spec W1): at every
 * look at a layer that finds one, whoever looked. The same bytes are asked about once.
 */
import { isShared, type Layer } from '../domain/index.ts'
import { redact } from '../guard/index.ts'
import type { Answers } from '../store/answers.ts'
import { decodeStrictly } from '../store/notes/note-document.ts'
import type { NoteFiles } from '../store/notes/note-files.ts'
import type { Proposals } from '../store/proposals.ts'
import type { Sync, WithheldNote } from '../store/sync.ts'

export interface WithheldTools {
  readonly files: Pick<NoteFiles, 'read'>
  readonly proposals: Proposals
  readonly answers: Answers
  readonly onProblem: (error: unknown, where: string) => void
}

/** The same sync. A question that could not be kept is a problem of its own; the look stands. */
export function askingSync(sync: Sync, tools: WithheldTools): Sync {
  return {
    ...sync,
    async layer(layer, options) {
      const report = await sync.layer(layer, options)
      for (const withheld of report.withheld)
        await proposeWithheld(layer, withheld, tools).catch((error: unknown) => tools.onProblem(error, 'proposals'))
      return report
    },
  }
}

async function proposeWithheld(
  layer: Layer,
  { file, id, hash, reason }: WithheldNote,
  { files, proposals, answers }: WithheldTools,
): Promise<void> {
  // Nobody here can approve a change of what others share; doctor names the file.
  if (isShared(layer)) return
  const bytes = await files.read(layer, file)
  const text = bytes?.hash === hash ? decodeStrictly(bytes.bytes) : null
  if (text === null || answers.answerTo({ asks: 'withheld', hash }) !== null) return
  const masked = redact(text).text
  await proposals.ask({
    layer: layer.key,
    asks: 'withheld',
    operation: 'patch',
    noteId: id,
    baseHash: hash,
    base: masked,
    from: null,
    file,
    proposed: masked,
    evidence: [],
    author: 'file',
    reason: `The file was written past Keepsake and matches ${reason}; it is withheld from prompts.`,
  })
}
