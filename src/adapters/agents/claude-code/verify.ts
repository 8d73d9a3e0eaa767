/** What is wrong with our wiring, in sentences for `status` and `doctor`. Never throws, changes nothing. */

import { stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import type { WiringOptions } from '../../../domain/index.ts'
import { messageOf } from '../../../errors.ts'
import { isLooseJson, memberOf, parseSettings } from '../../settings/json-text.ts'
import { readSettingsFile } from '../../settings/settings-file.ts'
import { checkSettings, mcpState, ownHooks } from './own-entries.ts'
import { MCP_NAME, placesOf, wiredEvents } from './settings-places.ts'

const again = 'run `keepsake install claude-code` again'

export async function verifyWiring(options: WiringOptions): Promise<readonly string[]> {
  const { settings, state } = placesOf(options)
  const found = [await sentences(() => settingsProblems(settings)), await sentences(() => stateProblems(state))]
  return [...new Set(found.flat())]
}

async function sentences(look: () => Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    return await look()
  } catch (error) {
    // What stands in the way of looking is itself the finding.
    return [messageOf(error)]
  }
}

async function settingsProblems(path: string): Promise<readonly string[]> {
  const { text } = await readSettingsFile(path)
  checkSettings(text, path)
  const own = ownHooks(text, path)
  const missing = wiredEvents.filter((event) => !own.some((each) => each.event === event))
  const isOff = memberOf(parseSettings(text, path), 'disableAllHooks')?.value === true
  return [
    ...(missing.length > 0 ? [`${path} has no hook of Keepsake for ${missing.join(', ')}: ${again}`] : []),
    ...(isOff ? [`${path} switches all hooks off (disableAllHooks)`] : []),
    ...(isLooseJson(text) ? [`${path} has comments or trailing commas; Claude Code then ignores the whole file`] : []),
    ...(await goneProblems(own.flatMap((each) => commandWords(each.text)))),
  ]
}

async function stateProblems(path: string): Promise<readonly string[]> {
  const { text } = await readSettingsFile(path)
  const { owner, text: entry } = mcpState(text, path)
  if (owner === 'ours') return goneProblems(mcpWords(entry))
  return owner === 'none'
    ? [`${path} has no MCP server "${MCP_NAME}": ${again}`]
    : [`The MCP server "${MCP_NAME}" in ${path} is not the one that Keepsake installs`]
}

/** The words of a handler's command line, as `shellWord` quotes them. */
function commandWords(handler: string): readonly string[] {
  const line = memberOf(parseSettings(handler, 'hook'), 'command')?.value
  if (typeof line !== 'string') return []
  return [...line.matchAll(/'((?:[^']|'\\'')*)'|(\S+)/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll("'\\''", "'") ?? plain ?? '',
  )
}

function mcpWords(entry: string): readonly string[] {
  const node = parseSettings(entry, 'server')
  const words = [
    memberOf(node, 'command')?.value,
    ...(memberOf(node, 'args')?.children ?? []).map(({ value }) => value),
  ]
  return words.filter((word): word is string => typeof word === 'string')
}

/** The programs that our entries name and that are gone: a Node that was updated away, a package that was moved. */
async function goneProblems(words: readonly string[]): Promise<readonly string[]> {
  const problems: string[] = []
  for (const path of new Set(words.filter((word) => isAbsolute(word) && /(?:\.[cm]?js|node(?:\.exe)?)$/.test(word)))) {
    const found = await stat(path).catch(() => null) // Missing is the finding.
    if (!found) problems.push(`${path} is not there any more: ${again}`)
  }
  return problems
}
