/**
 * Puts Keepsake into Claude Code's user settings and takes it out again. Only entries with our mark are added, changed
 * or removed; everything else keeps its bytes, no switch of the client is ever touched. Uninstall gives back the very
 * bytes where nobody else wrote meanwhile, else it takes out our entries and leaves the rest.
 */
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { AgentWiring, WiringChange, WiringOptions } from '../../../domain/index.ts'
import { hasCode } from '../../../errors.ts'
import { sha256 } from '../../../util/index.ts'
import { undoSplices } from '../../settings/json-edit.ts'
import { isLooseJson } from '../../settings/json-text.ts'
import { dropReceipt, type FileReceipt, keepBackup, readReceipt, writeReceipt } from '../../settings/receipt.ts'
import {
  bytesOf,
  readSettingsFile,
  removeSettingsFile,
  type SettingsFile,
  writeSettingsFile,
} from '../../settings/settings-file.ts'
import { mcpState } from './own-entries.ts'
import { MCP_NAME, placesOf } from './settings-places.ts'
import { verifyWiring } from './verify.ts'
import { everyContainer, type Part, partsOf } from './wiring-parts.ts'

const AGENT = 'claude-code'

/** How often a file that the running client rewrites is read anew. */
const MAX_ATTEMPTS = 5

export const claudeCodeWiring: AgentWiring = {
  install: (options) => withRetries(() => install(options)),
  uninstall: (options) => withRetries(() => uninstall(options)),
  verify: (options) => verifyWiring(options),
}

interface Plan {
  readonly part: Part
  readonly file: SettingsFile
  readonly text: string
  readonly change: WiringChange
  /** Null when nothing of ours is in the file afterwards. */
  readonly receipt: FileReceipt | null
  readonly removes: boolean
}

async function install(options: WiringOptions): Promise<readonly WiringChange[]> {
  const receipt = await readReceipt(options.keepsakeHome, AGENT)
  const plans: Plan[] = []
  for (const part of partsOf(options)) plans.push(await planInstall(part, options, receiptOf(receipt?.files, part)))
  if (options.dryRun || plans.every(({ change }) => change.action === 'unchanged'))
    return plans.map(({ change }) => change)

  const files = plans.flatMap(({ receipt: each }) => (each ? [each] : []))
  for (const { file, receipt: each } of plans)
    if (file.exists && each?.before === file.hash) await keepBackup(options.keepsakeHome, AGENT, file)
  await writeReceipt(options.keepsakeHome, { agent: AGENT, files })
  await carryOut(plans)
  return plans.map(({ change }) => change)
}

function receiptOf(files: readonly FileReceipt[] | undefined, part: Part): FileReceipt | null {
  return files?.find(({ path }) => path === part.path) ?? null
}

async function planInstall(part: Part, options: WiringOptions, old: FileReceipt | null): Promise<Plan> {
  const file = await readSettingsFile(part.path)
  part.check(file.text, part.path)
  if (part.isWired(file.text, options)) {
    const other = part.path === placesOf(options).state && mcpState(file.text, part.path).owner === 'other'
    const detail = other
      ? `an MCP server "${MCP_NAME}" that is not ours is there already: left alone`
      : `${part.installed}: as installed`
    return {
      part,
      file,
      text: file.text,
      change: { file: part.path, action: 'unchanged', detail },
      receipt: old,
      removes: false,
    }
  }
  const bare = withoutOurs(part, file, old)
  const edited = part.add({ text: bare.text, steps: [], created: [] }, options)
  const loose = isLooseJson(bare.text)
    ? '; this file has comments or trailing commas, which the client itself refuses'
    : ''
  return {
    part,
    file,
    text: edited.text,
    change: { file: part.path, action: file.exists ? 'changed' : 'created', detail: `${part.installed}${loose}` },
    receipt: {
      path: part.path,
      existed: bare.existed,
      folderExisted: old?.folderExisted ?? (await isThere(dirname(file.target))),
      before: bare.existed || bare.text.trim() !== '' ? sha256(bytesOf(file, bare.text)) : null,
      after: sha256(bytesOf(file, edited.text)),
      steps: edited.steps,
      created: edited.created,
    },
    removes: false,
  }
}

/** The text as it would be without us; exactly as it was when nobody else wrote since our install. */
function withoutOurs(
  part: Part,
  file: SettingsFile,
  old: FileReceipt | null,
): { readonly text: string; readonly existed: boolean; readonly exact: boolean } {
  if (old && file.hash === old.after) {
    const undone = old.steps
      .toReversed()
      .reduce<string | null>((text, step) => (text === null ? null : undoSplices(text, step)), file.text)
    if (undone !== null && (old.before === null ? undone.trim() === '' : sha256(bytesOf(file, undone)) === old.before))
      return { text: undone, existed: old.existed, exact: true }
  }
  if (!part.hasOurs(file.text)) return { text: file.text, existed: old?.existed ?? file.exists, exact: false }
  // Without a receipt, what is empty after our entries went is taken for ours.
  const created = old?.created ?? everyContainer
  const text = part.remove({ text: file.text, steps: [], created: [] }, created).text
  return { text, existed: old?.existed ?? file.exists, exact: false }
}

async function uninstall(options: WiringOptions): Promise<readonly WiringChange[]> {
  const receipt = await readReceipt(options.keepsakeHome, AGENT)
  const plans: Plan[] = []
  for (const part of partsOf(options)) plans.push(await planUninstall(part, receiptOf(receipt?.files, part)))
  if (options.dryRun) return plans.map(({ change }) => change)
  await carryOut(plans)
  if (receipt) await dropReceipt(options.keepsakeHome, receipt)
  return plans.map(({ change }) => change)
}

async function planUninstall(part: Part, old: FileReceipt | null): Promise<Plan> {
  const file = await readSettingsFile(part.path)
  part.check(file.text, part.path)
  const bare = withoutOurs(part, file, old)
  const removes = file.exists && old !== null && !old.existed && isEmptyObject(bare.text)
  const action = removes ? 'removed' : bare.text === file.text ? 'unchanged' : bare.exact ? 'restored' : 'changed'
  const details = {
    removed: 'we had made this file',
    unchanged: 'nothing of ours in it',
    restored: 'byte for byte as before',
    changed: 'our entries taken out; what others changed since stays',
  }
  return {
    part,
    file,
    text: bare.text,
    change: { file: part.path, action, detail: details[action] },
    receipt: old,
    removes,
  }
}

function isEmptyObject(text: string): boolean {
  return text.trim() === '' || text.replaceAll(/\s/g, '') === '{}'
}

/** All or nothing: when a later file cannot be written, the earlier ones get their text back. */
async function carryOut(plans: readonly Plan[]): Promise<void> {
  const done: Plan[] = []
  try {
    for (const plan of plans) {
      if (plan.change.action === 'unchanged') continue
      if (plan.removes) await removeSettingsFile(plan.file, { andFolder: plan.receipt?.folderExisted === false })
      else await writeSettingsFile(plan.file, plan.text)
      done.push(plan)
    }
  } catch (error) {
    for (const { file } of done.reverse()) await putBack(file)
    throw error
  }
}

async function putBack(file: SettingsFile): Promise<void> {
  const now = await readSettingsFile(file.path)
  if (file.exists) await writeSettingsFile({ ...now, mode: file.mode }, file.text)
  else if (now.exists) await removeSettingsFile(now, { andFolder: false })
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null // Missing or not to be seen: then it is not ours to remove.
}

/** The running client rewrites its state file at any time; then everything is planned anew. */
async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !hasCode(error, 'NOTE_CHANGED_ON_DISK')) throw error
    }
  }
}
