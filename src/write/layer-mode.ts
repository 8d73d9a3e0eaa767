/** What a layer's mode (spec W11) says to a write. */
import type { Config, Layer, LayerMode, Rejection } from '../domain/index.ts'
import { layerClosed } from './rejections.ts'

const PROJECT_KEY_PREFIX = 'projects/'

/** A project may have a mode of its own; else the mode of its kind of layer. */
export function modeOf(layer: Layer, config: Config): LayerMode {
  if (layer.name === 'global') return config.modes.global
  if (layer.name === 'team') return config.modes.team
  const folder = layer.key.startsWith(PROJECT_KEY_PREFIX) ? layer.key.slice(PROJECT_KEY_PREFIX.length) : layer.key
  return (Object.hasOwn(config.projects, folder) ? config.projects[folder]?.mode : undefined) ?? config.modes.project
}

/** The refusal when the layer takes no writes at all, else null. */
export function closedLayer(layer: Layer, config: Config): Rejection | null {
  const mode = modeOf(layer, config)
  return mode === 'off' || mode === 'read-only' ? layerClosed(layer.name, mode) : null
}
