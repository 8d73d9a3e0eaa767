/** The place of a session as one capture knows it: made once for each folder and mode, its notes read once. */
import type { LayerMode } from '../domain/index.ts'
import type { CaptureRun, KnownPlace } from './capture-run.ts'

export async function placeFor(run: CaptureRun, cwd: string | null, mode: LayerMode): Promise<KnownPlace> {
  const key = JSON.stringify([mode, cwd])
  const known = run.places.get(key)
  if (known) return known
  const place: KnownPlace = { place: await run.dependencies.placeOf(cwd, mode), existing: null, finder: null }
  run.places.set(key, place)
  return place
}

export async function existingIn(place: KnownPlace): Promise<NonNullable<KnownPlace['existing']>> {
  place.existing ??= await place.place.existing()
  return place.existing
}
