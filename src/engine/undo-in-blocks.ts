/** What an undo takes back goes out of the kept start blocks too: versions that stood on disk before it, and no longer do. */
import type { BlockPiece, PieceNote } from '../domain/index.ts'
import type { Core } from './core.ts'
import { everyLayer } from './place.ts'

export async function takingOutOfBlocks<Result>(
  core: Pick<Core, 'startBlocks' | 'files' | 'placeOptions'>,
  undo: () => Promise<Result>,
): Promise<Result> {
  const pieces = core.startBlocks.all().flatMap((block) => block.pieces)
  const stood = await standing(core, pieces)
  const result = await undo()
  if (stood.size === 0) return result
  const stands = await standing(core, pieces)
  const gone = new Set([...stood].filter((key) => !stands.has(key)))
  if (gone.size > 0) await core.startBlocks.forget((piece) => versionOf(piece).some(([key]) => gone.has(key)))
  return result
}

/** Of the versions that these lines show, those that are on disk now. */
async function standing(
  { files, placeOptions }: Pick<Core, 'files' | 'placeOptions'>,
  pieces: readonly BlockPiece[],
): Promise<ReadonlySet<string>> {
  const layers = new Map(everyLayer(placeOptions).map((layer) => [layer.key, layer]))
  const found = new Set<string>()
  for (const version of new Map(pieces.flatMap(versionOf)).values()) {
    const layer = layers.get(version.layer)
    const read = layer ? await files.read(layer, version.file) : null
    if (read?.hash === version.hash) found.add(keyOf(version))
  }
  return found
}

type Version = NonNullable<PieceNote['version']>

function versionOf({ note }: BlockPiece): (readonly [string, Version])[] {
  return note?.version ? [[keyOf(note.version), note.version]] : []
}

function keyOf({ layer, file, hash }: Version): string {
  return JSON.stringify([layer, file, hash])
}
