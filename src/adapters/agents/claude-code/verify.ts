/** What is wrong with our wiring, in sentences for `status` and `doctor`. Never throws, changes nothing. */
import type { WiringOptions } from '../../../domain/index.ts'
import { isLooseJson, memberOf, parseSettings } from '../../settings/json-text.ts'
import { readSettingsFile } from '../../settings/settings-file.ts'
import { goneProblems, MCP_NAME } from '../../shared/commands.ts'
import { hookProblems, sentences } from '../../shared/verify-hooks.ts'
import { mcpState } from './mcp-entry.ts'
import { placesOf } from './settings-places.ts'

const again = 'run `keepsake install claude-code` again'

export async function verifyWiring(options: WiringOptions): Promise<readonly string[]> {
  const { settings, state } = placesOf(options)
  const found = [
    await sentences(() => hookProblems(settings, again, (text) => switchProblems(settings, text))),
    await sentences(() => stateProblems(state)),
  ]
  return [...new Set(found.flat())]
}

function switchProblems(path: string, text: string): readonly string[] {
  const isOff = memberOf(parseSettings(text, path), 'disableAllHooks')?.value === true
  return [
    ...(isOff ? [`${path} switches all hooks off (disableAllHooks)`] : []),
    ...(isLooseJson(text) ? [`${path} has comments or trailing commas; Claude Code then ignores the whole file`] : []),
  ]
}

async function stateProblems(path: string): Promise<readonly string[]> {
  const { text } = await readSettingsFile(path)
  const { owner, text: entry } = mcpState(text, path)
  if (owner === 'ours') return goneProblems(mcpWords(entry), again)
  return owner === 'none'
    ? [`${path} has no MCP server "${MCP_NAME}": ${again}`]
    : [`The MCP server "${MCP_NAME}" in ${path} is not the one that Keepsake installs`]
}

function mcpWords(entry: string): readonly string[] {
  const node = parseSettings(entry, 'server')
  const words = [
    memberOf(node, 'command')?.value,
    ...(memberOf(node, 'args')?.children ?? []).map(({ value }) => value),
  ]
  return words.filter((word): word is string => typeof word === 'string')
}
