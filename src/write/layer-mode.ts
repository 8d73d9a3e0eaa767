/** What a layer's mode (spec W11) says to a write. */
import { type Config, isShared, type Layer, modeOf, type Rejection } from '../domain/index.ts'
import { layerClosed, teamReadOnly } from './rejections.ts'

/** The refusal when the layer takes no writes at all, else null. */
export function closedLayer(layer: Layer, config: Config): Rejection | null {
  if (isShared(layer)) return teamReadOnly()
  const mode = modeOf(layer, config)
  return mode === 'off' || mode === 'read-only' ? layerClosed(layer.name, mode) : null
}
