/** The commands that agents run for us, and the marks by which our entries are known again, whatever paths stand in them. */
import { stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'

export const HOOK_MARK = '--keepsake'
export const MCP_NAME = 'keepsake'
export const MCP_MARK = 'KEEPSAKE_AGENT'

/** Seconds; the hook gives up by itself after one. */
export const HOOK_TIMEOUT_SECONDS = 10

/**
 * One handler. A command line, because every version of every client runs it; it needs no PATH, and a Node that is gone
 * does not disturb the session.
 */
export function hookHandler(
  hookCommand: readonly string[],
  hook: { readonly agent: string; readonly event: string; readonly timeoutSeconds: number },
) {
  const words = [...hookCommand, hook.agent, hook.event, HOOK_MARK].map(shellWord)
  return { type: 'command', command: `${words.join(' ')} || exit 0`, timeout: hook.timeoutSeconds }
}

/** Quoted for a POSIX shell when it has to be; plain words run in every shell. */
export function shellWord(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

/** The words of a command line, as `shellWord` quotes them. */
export function shellWords(line: string): readonly string[] {
  return [...line.matchAll(/'((?:[^']|'\\'')*)'|(\S+)/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll("'\\''", "'") ?? plain ?? '',
  )
}

/** Sentences about programs that our entries name and that are gone: a Node updated away, a package moved. */
export async function goneProblems(words: readonly string[], remedy: string): Promise<readonly string[]> {
  const problems: string[] = []
  for (const path of new Set(words.filter((word) => isAbsolute(word) && /(?:\.[cm]?js|node(?:\.exe)?)$/.test(word)))) {
    const found = await stat(path).catch(() => null) // Missing is the finding.
    if (!found) problems.push(`${path} is not there any more: ${remedy}`)
  }
  return problems
}
