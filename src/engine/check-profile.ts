/** How full the profile is (spec W3), for `status`; files pinned by hand may have made it larger than it may be. */
import {
  type Check,
  type Config,
  type Layer,
  type ProfileUsage,
  profileHeader,
  profileStoreOf,
  profileUsage,
} from '../domain/index.ts'
import type { ScannedNote } from '../store/notes/layer-scan.ts'
import { bodyOf } from '../store/notes/note-document.ts'
import type { NoteFiles } from '../store/notes/note-files.ts'
import { warning } from './check.ts'

export async function checkProfile(
  scanned: readonly { readonly note: ScannedNote; readonly layer: Layer }[],
  layers: readonly Layer[],
  { files, config }: { readonly files: Pick<NoteFiles, 'read'>; readonly config: Config },
): Promise<{ readonly usage: readonly ProfileUsage[]; readonly checks: readonly Check[] }> {
  const pinned = []
  for (const { note, layer } of scanned) {
    if (!profileStoreOf(note, layer.name)) continue
    // What cannot be read is told by the check of its layer.
    const found = await files.read(layer, note.file).catch(() => null)
    if (found) pinned.push({ ...note, body: bodyOf(found.bytes), layer: layer.name })
  }
  const names = layers.flatMap(({ name }) => (name === 'global' || name === 'project' ? [name] : []))
  const usage = profileUsage(pinned, names, config.profile)
  const checks = usage
    .filter(({ chars, maxChars }) => chars > maxChars)
    .map((each) =>
      warning('profile', `${profileHeader(each)}: files were pinned past Keepsake`, 'Unpin or shorten some of them.'),
    )
  return { usage, checks }
}
