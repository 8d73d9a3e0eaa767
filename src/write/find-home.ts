/**
 * Layer of a draft (spec W21): the one that was named, else the one that already holds the note, else by content. So
 * what was moved by hand stays where it is when it is said again.
 */
import type { Layer, RememberInput, WritableLayer } from '../domain/index.ts'
import { chooseLayer } from './choose-layer.ts'
import type { WriterDependencies } from './dependencies.ts'
import type { Draft } from './draft.ts'
import { findTarget } from './find-target.ts'
import { readerOf } from './read-layer.ts'

export interface Home {
  readonly layer: Layer
  /** False only for the preview of a first write to a project: the layer has no folder yet. */
  readonly exists: boolean
  /** A note there says the same already. */
  readonly holdsSameText: boolean
  /** Keys of the layers a near note may lie in. */
  readonly layerKeys: readonly string[]
  readonly notices: readonly string[]
}

export async function findHome(
  dependencies: WriterDependencies,
  draft: Draft,
  input: Pick<RememberInput, 'layer' | 'dryRun'>,
): Promise<Home> {
  const { global, project } = await dependencies.currentLayers()
  const layers = [project, global].filter((layer) => layer !== null)
  const layerKeys = layers.map((layer) => layer.key)
  const candidates = layers.filter((layer) => input.layer === undefined || layer.name === input.layer)
  const holding = await holdingLayer(dependencies, candidates, draft)
  if (holding) return { ...holding, exists: true, layerKeys, notices: [] }

  const choice = chooseLayer({ type: draft.type, text: draft.text, given: input.layer }, dependencies.project)
  const found = input.dryRun ? { global, project }[choice.layer] : await dependencies.layerFor(choice.layer)
  const notices = choice.notice === null ? [] : [choice.notice]
  if (found) return { layer: found, exists: true, holdsSameText: false, layerKeys: withKey(layerKeys, found), notices }
  if (input.dryRun && dependencies.project)
    return { layer: layerToBe(choice.layer), exists: false, holdsSameText: false, layerKeys, notices }
  return {
    layer: global,
    exists: true,
    holdsSameText: false,
    layerKeys,
    notices: ['There is no project here, so this went to the global layer.'],
  }
}

async function holdingLayer(
  dependencies: WriterDependencies,
  candidates: readonly Layer[],
  draft: Draft,
): Promise<{ readonly layer: Layer; readonly holdsSameText: boolean } | null> {
  let named: Layer | null = null
  for (const layer of candidates) {
    const reader = readerOf(dependencies.files, layer, dependencies.isToolWritten)
    const { target, superseded } = await findTarget(reader, await reader.scan(), draft)
    if (target?.sameText) return { layer, holdsSameText: true }
    if (named === null && (target || superseded.length > 0)) named = layer
  }
  return named && { layer: named, holdsSameText: false }
}

function withKey(keys: readonly string[], layer: Layer): readonly string[] {
  return keys.includes(layer.key) ? keys : [...keys, layer.key]
}

/** Stands for the folder that the first write would make. */
function layerToBe(name: WritableLayer): Layer {
  return { name, key: 'projects/new', directory: '' }
}
