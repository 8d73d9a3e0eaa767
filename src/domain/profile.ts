/**
 * The bounded profile (spec W3): pinned notes, in stores with a cap. An entry is the body of one pinned note, trimmed,
 * with LF ends of line. What a store holds is counted in one way only: code points of its rendered text, the marks
 * between entries included. Pure; who may write what is decided in `write/`.
 */
import type { Config } from './config.ts'
import type { WritableLayer } from './layer.ts'
import type { Note } from './note.ts'

/** `user`: who the user is, pinned `user` notes of the global layer. `memory`: every other pinned note, by layer. */
export const profileStores = ['user', 'memory'] as const
export type ProfileStore = (typeof profileStores)[number]

/** Live use of one store. Empty stores are reported too. */
export interface ProfileUsage {
  readonly store: ProfileStore
  readonly layer: WritableLayer
  /** Code points of the rendered text. */
  readonly chars: number
  readonly maxChars: number
  readonly entries: number
}

/** Stands between two entries; only the whole of it divides. */
export const PROFILE_DELIMITER = '\n§\n'

/** A line that a reader could take for a delimiter, or for an escaped one. */
const DELIMITER_LINE = /^\\*§$/gm
const ESCAPED_LINE = /^\\(\\*§)$/gm

/** The store that shows a note, or null: not pinned, not active, or in no layer of the profile. */
export function profileStoreOf(
  note: Pick<Note, 'type' | 'pinned' | 'status'>,
  layer: string,
): { readonly store: ProfileStore; readonly layer: WritableLayer } | null {
  if (!note.pinned || note.status !== 'active') return null
  if (layer === 'global') return { store: note.type === 'user' ? 'user' : 'memory', layer }
  return layer === 'project' ? { store: 'memory', layer } : null
}

/** A body as an entry. */
export function profileEntry(body: string): string {
  return body.replace(/\r\n?/g, '\n').trim()
}

/** Entries as one text. A line of an entry that looks like a delimiter gets a `\` before it. */
export function renderProfile(entries: readonly string[]): string {
  return entries
    .map((entry) => profileEntry(entry).replace(DELIMITER_LINE, '\\$&'))
    .filter((entry) => entry !== '')
    .join(PROFILE_DELIMITER)
}

/** The entries of a rendered text, also of one that was edited by hand or written by another program. */
export function parseProfile(text: string): readonly string[] {
  return text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .split(PROFILE_DELIMITER)
    .map((entry) => entry.trim().replace(ESCAPED_LINE, '$1'))
    .filter((entry) => entry !== '')
}

/** What entries cost in a store. */
export function profileChars(entries: readonly string[]): number {
  return [...renderProfile(entries)].length
}

export function maxProfileChars(store: ProfileStore, limits: Config['profile']): number {
  return store === 'user' ? limits.userChars : limits.memoryChars
}

/** A note as its profile sees it; `layer` is what people say (`global`, `project`). */
export interface ProfileNote extends Pick<Note, 'type' | 'pinned' | 'status' | 'body'> {
  readonly layer: string
}

/** Use of every store of the layers given, in the order user, memory, memory of the project. */
export function profileUsage(
  notes: readonly ProfileNote[],
  layers: readonly WritableLayer[],
  limits: Config['profile'],
): readonly ProfileUsage[] {
  const places = [
    { store: 'user', layer: 'global' },
    { store: 'memory', layer: 'global' },
    { store: 'memory', layer: 'project' },
  ] as const
  return places
    .filter(({ layer }) => layers.includes(layer))
    .map((place) => {
      const bodies = notes.filter((note) => isIn(note, place)).map(({ body }) => body)
      const entries = bodies.filter((body) => profileEntry(body) !== '')
      const maxChars = maxProfileChars(place.store, limits)
      return { ...place, chars: profileChars(entries), maxChars, entries: entries.length }
    })
}

function isIn(note: ProfileNote, place: Pick<ProfileUsage, 'store' | 'layer'>): boolean {
  const found = profileStoreOf(note, note.layer)
  return found?.store === place.store && found.layer === place.layer
}

/** What a store is called where people and agents read of it. */
export function profileTitle({ store, layer }: Pick<ProfileUsage, 'store' | 'layer'>): string {
  if (store === 'user') return 'User profile'
  return layer === 'global' ? 'Pinned memory' : 'Pinned memory of this project'
}

/** `[73% — 1,612/2,200 chars]`. More than 100% says that files were pinned past us. */
export function profilePressure({ chars, maxChars }: Pick<ProfileUsage, 'chars' | 'maxChars'>): string {
  return `[${Math.floor((100 * chars) / maxChars)}% — ${withCommas(chars)}/${withCommas(maxChars)} chars]`
}

/** Title and pressure of one store. */
export function profileHeader(usage: ProfileUsage): string {
  return `${profileTitle(usage)} ${profilePressure(usage)}`
}

function withCommas(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
}
