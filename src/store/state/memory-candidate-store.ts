/** Tentative statements in memory. */
import { compareUnits } from '../../util/index.ts'
import { type Candidate, type CandidateStore, MAX_CANDIDATES, MAX_SIGHTINGS, type Sighting } from './candidate-store.ts'

/** `onWrite`: called with every change. */
export function createMemoryCandidateStore(onWrite: () => void = () => undefined): CandidateStore {
  let all: readonly Candidate[] = []
  const keep = (candidates: readonly Candidate[]) => {
    onWrite()
    all = candidates.filter(({ sightings }) => sightings.length > 0).toSorted(seenLast)
  }
  const withoutSightings = (isGone: (sighting: Sighting) => boolean) =>
    all.map((each) => ({ ...each, sightings: each.sightings.filter((sighting) => !isGone(sighting)) }))
  return {
    see(candidate, sighting) {
      const known = all.find(({ id }) => id === candidate.id)?.sightings ?? []
      const others = known.filter(
        ({ session, message }) => session !== sighting.session || message !== sighting.message,
      )
      const sightings = [...others, sighting].toSorted(inOrder).slice(-MAX_SIGHTINGS)
      keep([...all.filter(({ id }) => id !== candidate.id), { ...candidate, sightings }])
      all = all.slice(0, MAX_CANDIDATES)
    },
    list: (layers, limit) => all.filter(({ layer }) => layers.includes(layer)).slice(0, limit),
    remove: (ids) => keep(all.filter(({ id }) => !ids.includes(id))),
    bury({ textKey, messages }) {
      keep(withoutSightings(({ message }) => messages.includes(message)).filter((each) => each.textKey !== textKey))
    },
    removeSession: (session) => keep(withoutSightings((sighting) => sighting.session === session)),
    expire: (ms) => keep(all.filter((each) => lastOf(each) >= ms)),
    count: (ms) => all.filter((each) => lastOf(each) >= ms).length,
  }
}

function lastOf({ sightings }: Candidate): number {
  return sightings.at(-1)?.at ?? 0
}

function inOrder(one: Sighting, other: Sighting): number {
  return one.at - other.at || compareUnits(one.message, other.message) || compareUnits(one.session, other.session)
}

function seenLast(one: Candidate, other: Candidate): number {
  return lastOf(other) - lastOf(one) || compareUnits(one.id, other.id)
}
