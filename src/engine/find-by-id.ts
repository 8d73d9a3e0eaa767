/** What waits and has an id: found by the whole of it, else by its start, else by its end; never by a part in the middle. */

/** Fewer characters name nothing. */
export const MIN_REFERENCE = 6

export function findById<Item extends { readonly id: string }>(reference: string, all: readonly Item[]): Item[] {
  const wanted = String(reference).trim().toUpperCase()
  if (wanted.length < MIN_REFERENCE) return []
  const exact = all.filter(({ id }) => id === wanted)
  if (exact.length > 0) return exact
  return all.filter(({ id }) => id.startsWith(wanted) || id.endsWith(wanted))
}

/** The end of each id, as short as it is unique. Ids of one moment differ at their end only. */
export function shortIdsOf(all: readonly { readonly id: string }[]): ReadonlyMap<string, string> {
  const ids = all.map(({ id }) => id)
  return new Map(
    ids.map((id) => {
      let length = MIN_REFERENCE
      while (length < id.length && ids.some((other) => other !== id && other.endsWith(id.slice(-length)))) length++
      return [id, id.slice(-length)]
    }),
  )
}
