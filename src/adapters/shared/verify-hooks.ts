/** What is wrong with our hooks in an agent's JSON settings, in sentences. Changes nothing. */
import { messageOf } from '../../errors.ts'
import { memberOf, parseSettings } from '../settings/json-text.ts'
import { readSettingsFile } from '../settings/settings-file.ts'
import { goneProblems, shellWords } from './commands.ts'
import { checkSettings, ownHooks } from './hook-entries.ts'
import { wiredEvents } from './hook-words.ts'

/** What stands in the way of looking is itself the finding: never throws. */
export async function sentences(look: () => Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    return await look()
  } catch (error) {
    return [messageOf(error)]
  }
}

/** `moreAbout` adds what only this client is particular about. */
export async function hookProblems(
  path: string,
  remedy: string,
  moreAbout: (text: string) => readonly string[],
): Promise<readonly string[]> {
  const { text } = await readSettingsFile(path)
  checkSettings(text, path)
  const own = ownHooks(text, path)
  const missing = wiredEvents.filter((event) => !own.some((each) => each.event === event))
  return [
    ...(missing.length > 0 ? [`${path} has no hook of Keepsake for ${missing.join(', ')}: ${remedy}`] : []),
    ...moreAbout(text),
    ...(await goneProblems(
      own.flatMap((each) => commandWords(each.text)),
      remedy,
    )),
  ]
}

function commandWords(handler: string): readonly string[] {
  const line = memberOf(parseSettings(handler, 'hook'), 'command')?.value
  return typeof line === 'string' ? shellWords(line) : []
}
