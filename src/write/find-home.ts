/**
 * Layer of a draft (spec W21): the one that was named, else the one that already holds the note, else by content. So
 * what was moved by hand stays where it is when it is said again.
 */
import { isShared, type Layer, layerNameOf, type RememberInput } from '../domain/index.ts'
import { readableLayers } from '../store/notes/layers.ts'
import { ANYWHERE, type RankedNote, standingsOf } from '../store/notes/precedence.ts'
import { voiceOf } from '../store/notes/voice.ts'
import { comparableName } from '../util/index.ts'
import { chooseLayer, NO_PROJECT } from './choose-layer.ts'
import type { WriteContext } from './dependencies.ts'
import type { Draft } from './draft.ts'
import { findTarget } from './find-target.ts'
import { closedLayer } from './layer-mode.ts'
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

type Asked = Pick<RememberInput, 'layer' | 'dryRun' | 'pin'>

export async function findHome(dependencies: WriteContext, draft: Draft, input: Asked): Promise<Home> {
  const { global, project, team = null } = await dependencies.currentLayers()
  const readable = readableLayers({ global, project, team }, dependencies.config)
  const home = await chooseHome(dependencies, { draft, input, readable })
  // A project that holds the name was taken, unless another layer was asked for.
  const nearer = readable.filter(({ name }) => name === 'team' || (name === 'project' && input.layer === 'global'))
  const notice = home.layer.name === 'global' ? await namesakeNotice(dependencies, nearer, draft, input) : null
  return notice === null ? home : { ...home, notices: [...home.notices, notice] }
}

/** What the rule of precedence will say of the note that is to be, among those of its name. */
async function namesakeNotice(
  dependencies: WriteContext,
  layers: readonly Layer[],
  draft: Draft,
  { pin = false }: Asked,
): Promise<string | null> {
  const wanted = comparableName(draft.name)
  const ours = {
    id: '',
    layer: 'global',
    file: '',
    name: draft.name,
    status: 'active',
    voice: voiceOf({ type: draft.type, source: draft.evidence }, { toolWritten: false, layer: 'global' }),
    pinned: pin,
    mutes: [],
    // Judged where it holds.
    appliesTo: [],
    expires: null,
  } as const
  const scans = await Promise.all(layers.map((layer) => readerOf(dependencies.files, layer, dependencies).scan()))
  const theirs = scans.flat().filter(({ name }) => comparableName(name) === wanted)
  const standings = standingsOf<RankedNote>([...theirs, ours], ANYWHERE)
  const standing = standings.get(ours)
  if (standing?.state === 'overridden')
    return `In this project a ${standing.by.layer} note of this name stands before it.`
  const beside = theirs.find((note) => note.appliesTo.length === 0 && standings.get(note)?.state === 'stands')
  return beside ? `In this project a ${layerNameOf(beside.layer)} note of this name stands beside it.` : null
}

async function chooseHome(
  dependencies: WriteContext,
  { draft, input, readable }: { readonly draft: Draft; readonly input: Asked; readonly readable: readonly Layer[] },
): Promise<Home> {
  const { global, project } = await dependencies.currentLayers()
  const layers = [project, global].filter((layer) => layer !== null)
  const open = readable.filter((layer) => !isShared(layer))
  const layerKeys = readable.map((layer) => layer.key)
  const candidates = input.layer === undefined ? open : layers.filter((layer) => layer.name === input.layer)
  const holding = await holdingLayer(dependencies, candidates, draft)
  if (holding) return { ...holding, exists: true, layerKeys, notices: [] }

  const choice = chooseLayer({ type: draft.type, text: draft.text, given: input.layer }, dependencies.project)
  const notices = choice.notice === null ? [] : [choice.notice]
  const standing = choice.layer === 'global' ? global : project
  // A layer that takes no writes must not come into being by asking; a dry run makes nothing at all.
  if (!standing && (input.dryRun || closedLayer(layerToBe, dependencies.config)))
    return { layer: layerToBe, exists: false, holdsSameText: false, layerKeys, notices }
  const layer = input.dryRun ? standing : await dependencies.layerFor(choice.layer)
  if (layer) return { layer, exists: true, holdsSameText: false, layerKeys: withKey(layerKeys, layer), notices }
  const fallback = (await dependencies.layerFor('global')) ?? global
  return { layer: fallback, exists: true, holdsSameText: false, layerKeys, notices: [NO_PROJECT] }
}

async function holdingLayer(
  dependencies: WriteContext,
  candidates: readonly Layer[],
  draft: Draft,
): Promise<{ readonly layer: Layer; readonly holdsSameText: boolean } | null> {
  let named: Layer | null = null
  for (const layer of candidates) {
    const reader = readerOf(dependencies.files, layer, dependencies)
    const { target, superseded } = await findTarget(reader, await reader.scan(), draft)
    if (target?.sameText) return { layer, holdsSameText: true }
    if (named === null && (target || superseded.length > 0)) named = layer
  }
  return named && { layer: named, holdsSameText: false }
}

function withKey(keys: readonly string[], layer: Layer): readonly string[] {
  return keys.includes(layer.key) ? keys : [...keys, layer.key]
}

/** Stands for the project folder that the first write would make. */
const layerToBe: Layer = { name: 'project', key: 'projects/new', directory: '' }
