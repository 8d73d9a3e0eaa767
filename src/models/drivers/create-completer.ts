/** From the settings `models.small` and `models.large` to a driver. Nothing is loaded or started before the first question. */
import { type ModelProvider, parseModelName } from '../../domain/index.ts'
import { MemoryError } from '../../errors.ts'
import type { Completer } from '../completer.ts'
import { createAgentCli } from './agent-cli.ts'
import { ollamaAddress } from './ollama-address.ts'
import { createOllama } from './ollama-completer.ts'
import { createSdkCompleter } from './sdk-completer.ts'
import { type LoadPackage, loadPackage } from './take-package.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface CompleterSurroundings {
  /** Addresses and keys are read from here when they are needed, and never kept. */
  readonly environment: Environment
  /** Where a program of an agent runs: in a folder of its own, with nothing in it. */
  readonly temporaryDirectory: string
  /** For tests. */
  readonly load?: LoadPackage
}

/** Throws CONFIG_INVALID for a text that names none. */
export function createCompleter(text: string, around: CompleterSurroundings): Completer {
  const name = parseModelName(text)
  const { environment, load = loadPackage } = around
  if (name === null)
    throw new MemoryError('CONFIG_INVALID', `${JSON.stringify(text)} names no language model`, {
      hint: "See 'keepsake config'.",
      data: { key: 'models' },
    })
  if (name.kind === 'agent') return createAgentCli({ ...name, ...around })
  const { provider, model } = name
  if (provider === 'ollama') return createOllama({ model, address: ollamaAddress(environment.OLLAMA_HOST) })
  return createSdkCompleter({ id: text, model, ...sdkOf(provider, text, environment) }, load)
}

type SdkProvider = Exclude<ModelProvider, 'ollama'>

function sdkOf(provider: SdkProvider, id: string, environment: Environment) {
  const of = (...variables: string[]) => variables.map((each) => environment[each]).find(Boolean)
  const needed = (...variables: string[]): string => {
    const value = of(...variables)
    if (value !== undefined) return value
    throw new MemoryError('MODEL_UNAVAILABLE', `The model ${id} needs ${variables.join(' or ')} in the environment`, {
      hint: 'Set it where Keepsake and your agent are started; it is read when it is needed, and never kept.',
      data: { model: id },
    })
  }
  switch (provider) {
    case 'anthropic':
      return {
        package: '@ai-sdk/anthropic',
        create: 'createAnthropic',
        settings: () => ({
          ...(of('ANTHROPIC_API_KEY') ? {} : { authToken: of('ANTHROPIC_AUTH_TOKEN') }),
          ...(of('ANTHROPIC_AUTH_TOKEN') && !of('ANTHROPIC_API_KEY') ? {} : { apiKey: needed('ANTHROPIC_API_KEY') }),
          ...baseOf(of('ANTHROPIC_BASE_URL'), '/v1'),
        }),
        holdsToSchema: true,
      }
    case 'openai':
      return {
        package: '@ai-sdk/openai',
        create: 'createOpenAI',
        // The protocol that gateways in front of OpenAI speak too.
        method: 'chat',
        settings: () => ({ apiKey: needed('OPENAI_API_KEY'), ...baseOf(of('OPENAI_BASE_URL'), '') }),
        holdsToSchema: true,
      }
    case 'google':
      return {
        package: '@ai-sdk/google',
        create: 'createGoogleGenerativeAI',
        settings: () => ({
          apiKey: needed('GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'),
          ...baseOf(of('GOOGLE_GEMINI_BASE_URL'), '/v1beta'),
        }),
        holdsToSchema: true,
      }
    case 'openai-compatible':
      return {
        package: '@ai-sdk/openai-compatible',
        create: 'createOpenAICompatible',
        settings: () => ({
          name: 'openai-compatible',
          baseURL: needed('KEEPSAKE_MODELS_URL'),
          apiKey: of('KEEPSAKE_MODELS_API_KEY'),
        }),
        // Some of these servers refuse a question that names a schema.
        holdsToSchema: false,
      }
  }
}

/** With or without the version at its end, as other programs want the same variable. */
function baseOf(address: string | undefined, version: string): { readonly baseURL?: string } {
  if (address === undefined) return {}
  const plain = address.replace(/\/+$/, '')
  return { baseURL: plain.endsWith(version) ? plain : `${plain}${version}` }
}
