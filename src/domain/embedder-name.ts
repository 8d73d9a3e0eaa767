/** How the setting `embedder` names a sentence encoder. Hooks check settings too, so nothing is loaded here. */

export type EmbedderName =
  | { readonly kind: 'use-lite' }
  /** `place`: a folder (absolute or `~/…`) or the name of a model; only with `download` is anything fetched. */
  | { readonly kind: 'transformers'; readonly place: string; readonly download: boolean }
  | { readonly kind: 'openai' | 'ollama' | 'openai-compatible'; readonly model: string }

/** Multilingual, 384 numbers, 120 MB in its quantised form. */
export const DEFAULT_TRANSFORMERS_MODEL = 'Xenova/multilingual-e5-small'

export const embedderForms = [
  'use-lite',
  'transformers',
  'transformers:<folder or model>',
  'transformers+download:<model>',
  'ollama:<model>',
  'openai:<model>',
  'openai-compatible:<model>',
] as const

/** Null for what names none. */
export function parseEmbedderName(text: string): EmbedderName | null {
  const [, kind = '', rest = ''] = /^([a-z+-]+)(?::(\S(?:.*\S)?))?$/.exec(text) ?? []
  // A line break or another control character is in no name.
  if (kind === '' || /\p{Cc}/u.test(rest)) return null
  switch (kind) {
    case 'use-lite':
      return rest === '' && !text.includes(':') ? { kind } : null
    case 'transformers':
    case 'transformers+download': {
      const download = kind === 'transformers+download'
      const place = rest === '' && !text.includes(':') ? DEFAULT_TRANSFORMERS_MODEL : rest
      return place === '' || (download && !isHubName(place)) || !(isFolder(place) || isHubName(place))
        ? null
        : { kind: 'transformers', place, download }
    }
    case 'openai':
    case 'ollama':
    case 'openai-compatible':
      return rest === '' ? null : { kind, model: rest }
    default:
      return null
  }
}

export function isFolder(place: string): boolean {
  return /^(?:\/|~\/|[A-Za-z]:[\\/])/.test(place)
}

function isHubName(place: string): boolean {
  return /^[\w.-]+\/[\w.-]+$/.test(place) && !place.includes('..')
}
