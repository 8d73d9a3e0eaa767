/** What is wrong with our wiring, in sentences for `status` and `doctor`. Never throws, changes nothing. */
import { stat } from 'node:fs/promises'
import type { WiringOptions } from '../../../domain/index.ts'
import { isLooseJson } from '../../settings/json-text.ts'
import { readSettingsFile } from '../../settings/settings-file.ts'
import { goneProblems, HOOK_MARK, MCP_NAME, shellWords } from '../../shared/commands.ts'
import { hookProblems, sentences } from '../../shared/verify-hooks.ts'
import { askForHooks, findCodex, type ListedHook } from './hook-trust.ts'
import { mcpState, mcpWords } from './mcp-block.ts'
import { type Places, placesOf } from './places.ts'

const again = 'run `keepsake install codex` again'
const waits = 'Codex waits for your trust in the hooks of Keepsake'
const silent = 'Codex did not say whether its hooks are trusted: look at /hooks in Codex'
const request = 'open Codex, type /hooks and trust them; until then it skips them without a word'

export async function verifyWiring(options: WiringOptions): Promise<readonly string[]> {
  const places = placesOf(options)
  const hooks = await sentences(() => hookProblems(places.hooks, again, (text) => looseProblems(places.hooks, text)))
  const server = await sentences(() => serverProblems(places.config))
  // Codex is asked only about hooks that are there to be trusted.
  const trust = hooks.length > 0 ? [] : await sentences(() => trustProblems(places, options))
  return [...new Set([...hooks, ...server, ...trust])]
}

/** Trust is the person's to give; the wiring waits for nothing else. */
export function asksPerson(problem: string): boolean {
  return problem.startsWith(waits) || problem === silent
}

function looseProblems(path: string, text: string): readonly string[] {
  return isLooseJson(text) ? [`${path} has comments or trailing commas; Codex then ignores the whole file`] : []
}

async function serverProblems(path: string): Promise<readonly string[]> {
  const { text } = await readSettingsFile(path)
  const state = mcpState(text, path)
  if (state.owner === 'ours') return goneProblems(mcpWords(state), again)
  return state.owner === 'none'
    ? [`${path} has no MCP server "${MCP_NAME}": ${again}`]
    : [`The MCP server "${MCP_NAME}" in ${path} is not the one that Keepsake installs`]
}

/** Nothing where Codex is not found: it may be installed where only the person's own shell looks. */
async function trustProblems({ folder, hooks }: Places, options: WiringOptions): Promise<readonly string[]> {
  const executable = await findCodex(options.environment)
  if (executable === null) return []
  const isThere = await stat(folder).then((found) => found.isDirectory())
  const environment = { ...options.environment, HOME: options.environment.HOME ?? options.userHome, CODEX_HOME: folder }
  const listed = isThere ? await askForHooks({ executable, folder, environment }) : null
  if (listed === null) return [silent]
  const own = listed.filter(isOwnHook)
  if (own.length === 0)
    return [
      `Codex does not know the hooks in ${hooks}; are they switched off ([features] hooks = false in its config.toml)?`,
    ]
  const waiting = own.filter(({ trust }) => trust !== 'trusted' && trust !== 'managed')
  const off = own.filter(({ enabled }) => !enabled)
  return [
    ...(waiting.length > 0 ? [`${waits} (${eventsOf(waiting)}): ${request}`] : []),
    ...(off.length > 0 ? [`Hooks of Keepsake are switched off in Codex (${eventsOf(off)}): see /hooks`] : []),
  ]
}

function isOwnHook({ command }: ListedHook): boolean {
  return shellWords(command).includes(HOOK_MARK)
}

function eventsOf(hooks: readonly ListedHook[]): string {
  return [...new Set(hooks.map(({ event }) => event))].join(', ')
}
