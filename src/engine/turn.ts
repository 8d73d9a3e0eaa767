/**
 * `memory.context({ prompt })`: the turn block of one message, for agents that are built on the library. Unlike a hook it
 * may ask a model, and it works on an index that is brought up to date first.
 */
import { type Block, type ContextInput, workedTools } from '../domain/index.ts'
import { MemoryError, throwIfCancelled } from '../errors.ts'
import { composeTurn, type KeptNote, keptSinceLastSession, readShown, versionOf } from '../inject/index.ts'
import { closedGate, ownWords, type RecallNote } from '../recall/index.ts'
import { listOnce } from '../store/notes/layer-reader.ts'
import type { Core } from './core.ts'
import type { Place } from './place.ts'
import { prepare } from './prepare.ts'
import { shownBlock } from './shown.ts'
import { MAX_VERIFY_MS, verifierOf } from './verify.ts'

export async function turnOf(
  core: Core,
  place: Place,
  input: ContextInput & { readonly prompt: string },
): Promise<Block> {
  const { shown: blocks = [], toolUses = [], signal, sessionStart = null, begins = null } = input
  throwIfCancelled(signal)
  const { config } = core.options.loaded
  const { turn, turnNotes, turnBytes, sessionBytes } = config.inject
  const shown = readShown(blocks)
  const prompt = ownWords(input.prompt)
  const layers = place.layers()
  const listingOf = listOnce(core.files)
  const nowMs = core.options.clock.now()
  const block = await composeTurn<RecallNote>(
    {
      layers,
      listingOf,
      readNote: core.view.readNote,
      recall: async () => {
        const stale = await prepare(core, place, 'notes')
        const { hits, problems } = await (stale === null ? core.recall : core.recallByScan(stale)).turnChoice({
          prompt,
          limit: turnNotes,
          worked: () => workedTools(toolUses),
          isShown: ({ id, hash }) => shown.versions.has(versionOf(id, hash)),
          signal,
        })
        return { notes: hits.map(({ note }) => note), problems }
      },
      counting: (notes) => core.recall.counting(notes, prompt),
      tombstones: () => core.writerParts.tombstones,
      kept: (session) => keptBefore(core, { layers, listingOf, nowMs, session }),
      verify: verifierOf(core, place),
    },
    {
      prompt,
      closed: closedGate({ isOn: turn, prompt, spentBytes: shown.turnBytes, maxBytes: sessionBytes }),
      shown,
      sessionStart,
      begins,
      maxBytes: turnBytes,
      maxVerifyMs: MAX_VERIFY_MS,
      nowMs,
      config,
      signal,
    },
  )
  return shownBlock(block)
}

async function keptBefore(
  core: Core,
  { session, ...sources }: Omit<Parameters<typeof keptSinceLastSession>[0], 'files'> & { readonly session: string },
): Promise<readonly KeptNote[]> {
  try {
    const store = core.readableSessions()
    return store === null ? [] : await keptSinceLastSession({ ...sources, files: core.files }, store, session)
  } catch (error) {
    if (!MemoryError.isInstance(error)) throw error
    // Conversations that cannot be opened are no reason to show no note.
    core.onProblem(error, 'sessions')
    return []
  }
}
