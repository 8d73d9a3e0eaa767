/** The agents that Keepsake was put into, looked at as a whole: one check each, for `doctor`. Never throws. */
import type { AgentWiring, Check, WiringOptions } from '../domain/index.ts'
import { readReceipt } from './settings/receipt.ts'

/** Agents without a receipt of an install are not looked at: nobody asked for them. */
export async function wiredChecks(
  agents: Readonly<Record<string, { readonly wiring: AgentWiring }>>,
  options: WiringOptions,
): Promise<readonly Check[]> {
  const checks: Check[] = []
  for (const [name, { wiring }] of Object.entries(agents)) {
    if (!(await readReceipt(options.keepsakeHome, name))) continue
    const problems = await wiring.verify(options)
    checks.push({
      name: `agent ${name}`,
      state: problems.length > 0 ? 'broken' : 'ok',
      detail: problems.join('; ') || 'wired as installed',
      hint: null,
    })
  }
  return checks
}
