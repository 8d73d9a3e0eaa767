/** How the settings `models.small` and `models.large` name a language model. Hooks check settings too, so nothing is loaded here. */

export const modelProviders = ['anthropic', 'openai', 'google', 'ollama', 'openai-compatible'] as const
export type ModelProvider = (typeof modelProviders)[number]

/** Programs of agents that can be asked, signed in as they are (spec W18). */
export const agentPrograms = ['claude', 'codex'] as const
export type AgentProgram = (typeof agentPrograms)[number]

export type ModelName =
  | { readonly kind: 'provider'; readonly provider: ModelProvider; readonly model: string }
  /** `model`: null is the one that the program itself is set to. */
  | { readonly kind: 'agent'; readonly program: AgentProgram; readonly model: string | null }

export const modelForms = [
  ...modelProviders.map((provider) => `${provider}:<model>`),
  ...agentPrograms.map((program) => `agent:${program}`),
  ...agentPrograms.map((program) => `agent:${program}:<model>`),
] as const

/** Null for what names none. */
export function parseModelName(text: string): ModelName | null {
  const [, kind = '', rest = ''] = /^([a-z-]+):(\S+)$/.exec(text) ?? []
  // A model goes onto a command line too: it begins with no dash.
  if (rest === '' || /[\p{Cc}\p{Cf}]/u.test(rest) || rest.startsWith('-')) return null
  if (kind === 'agent') {
    const [name, ...parts] = rest.split(':')
    const program = agentPrograms.find((each) => each === name)
    const model = parts.length === 0 ? null : parts.join(':')
    return program && (model === null || /^[\w.][\w.:/@[\]-]*$/.test(model)) ? { kind, program, model } : null
  }
  const provider = modelProviders.find((each) => each === kind)
  return provider ? { kind: 'provider', provider, model: rest } : null
}
