/**
 * `memory.context({ prompt })`: the turn block of one message, for agents that are built on the library. Unlike a hook it
 * may ask a model, and it works on an index that is brought up to date first.
 */
import { type Block, type ContextInput, layerNameOf, workedTools } from '../domain/index.ts'
import { throwIfCancelled } from '../errors.ts'
import { createTurnBlock, readShown, type TurnNote, versionOf } from '../inject/index.ts'
import type { RecallNote } from '../recall/index.ts'
import type { Core } from './core.ts'
import type { Place } from './place.ts'
import { prepare } from './prepare.ts'
import { shownBlock } from './shown.ts'

export async function turnOf(
  core: Core,
  place: Place,
  input: ContextInput & { readonly prompt: string },
): Promise<Block> {
  const { prompt, shown: blocks = [], toolUses = [], signal } = input
  throwIfCancelled(signal)
  const stale = await prepare(core, place, 'notes')
  const recall = stale === null ? core.recall : core.recallByScan(stale)
  const shown = readShown(blocks)
  const { turnNotes, turnBytes, sessionBytes } = core.options.loaded.config.inject
  const { hits, problems } = await recall.turnChoice({
    prompt,
    limit: turnNotes,
    worked: () => workedTools(toolUses),
    isShown: ({ id, hash }) => shown.versions.has(versionOf(id, hash)),
    signal,
  })
  const block = createTurnBlock({
    recalled: hits.map(({ note }) => turnNote(note)),
    changed: [],
    forgotten: [],
    kept: [],
    shown,
    nowMs: core.options.clock.now(),
    maxNotes: turnNotes,
    maxBytes: turnBytes,
    maxSessionBytes: sessionBytes,
  })
  return shownBlock({ ...block, problems: [...block.problems, ...problems] })
}

function turnNote({ id, hash, name, type, voice, updated, body, layer }: RecallNote): TurnNote {
  return { id, hash, name, type, voice, updated, body, layer: layerNameOf(layer) }
}
