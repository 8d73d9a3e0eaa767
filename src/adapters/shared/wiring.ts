/**
 * Puts Keepsake into an agent's own settings and takes it out again. Only entries with our mark are added, changed or
 * removed; everything else keeps its bytes, no switch of the client is ever touched. Uninstall gives back the very bytes
 * where nobody else wrote meanwhile, else it takes out our entries and leaves the rest.
 */
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { AgentWiring, WiringChange, WiringOptions } from '../../domain/index.ts'
import { hasCode } from '../../errors.ts'
import { sha256 } from '../../util/index.ts'
import { type Splice, undoSplices } from '../settings/json-edit.ts'
import { dropReceipt, type FileReceipt, keepBackup, readReceipt, writeReceipt } from '../settings/receipt.ts'
import {
  bytesOf,
  readSettingsFile,
  removeSettingsFile,
  type SettingsFile,
  writeSettingsFile,
} from '../settings/settings-file.ts'

/** How often a file that the running client rewrites is read anew. */
const MAX_ATTEMPTS = 5

/** A text with the edits that led to it. */
export interface Edited {
  readonly text: string
  readonly steps: readonly (readonly Splice[])[]
  /** Containers made on the way, as dotted keys. */
  readonly created: readonly string[]
}

/** What an earlier install did to a file; null when there is no receipt of it. */
export type EarlierInstall = Pick<FileReceipt, 'steps' | 'created'> | null

/** One file that holds entries of ours: how it is checked, and how our part is found, put in and taken out. */
export interface Part {
  readonly path: string
  /** What we put there, in words. */
  readonly installed: string
  /** Throws AGENT_SETTINGS_INVALID for a file that we do not understand. */
  check(text: string): void
  hasOurs(text: string): boolean
  isWired(text: string): boolean
  add(start: Edited): Edited
  remove(text: string, earlier: EarlierInstall): string
  /** Nothing is left in a file that we had made. */
  isEmpty(text: string): boolean
  /** Why a file is left alone though it holds nothing of ours. */
  leftAlone?(text: string): string | null
  /** More to say about an install into this text. */
  remark?(text: string): string
}

/** Wiring of one agent from its files, in the order in which they are written. */
export function createWiring(agent: {
  readonly name: string
  readonly partsOf: (options: WiringOptions) => readonly Part[]
  readonly verify: AgentWiring['verify']
  readonly asksPerson?: AgentWiring['asksPerson']
}): AgentWiring {
  return {
    install: (options) => withRetries(() => install(agent.name, agent.partsOf(options), options)),
    uninstall: (options) => withRetries(() => uninstall(agent.name, agent.partsOf(options), options)),
    verify: agent.verify,
    asksPerson: agent.asksPerson,
  }
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

async function install(
  agent: string,
  parts: readonly Part[],
  options: WiringOptions,
): Promise<readonly WiringChange[]> {
  const receipt = await readReceipt(options.keepsakeHome, agent)
  const plans: Plan[] = []
  for (const part of parts) plans.push(await planInstall(part, receiptOf(receipt?.files, part)))
  if (options.dryRun || plans.every(({ change }) => change.action === 'unchanged'))
    return plans.map(({ change }) => change)

  const files = plans.flatMap(({ receipt: each }) => (each ? [each] : []))
  for (const { file, receipt: each } of plans)
    if (file.exists && each?.before === file.hash) await keepBackup(options.keepsakeHome, agent, file)
  await writeReceipt(options.keepsakeHome, { agent, files })
  await carryOut(plans)
  return plans.map(({ change }) => change)
}

function receiptOf(files: readonly FileReceipt[] | undefined, part: Part): FileReceipt | null {
  return files?.find(({ path }) => path === part.path) ?? null
}

async function planInstall(part: Part, old: FileReceipt | null): Promise<Plan> {
  const file = await readSettingsFile(part.path)
  part.check(file.text)
  const leftAlone = part.leftAlone?.(file.text) ?? null
  if (leftAlone !== null || part.isWired(file.text)) {
    const detail = leftAlone ?? `${part.installed}: as installed`
    const change = { file: part.path, action: 'unchanged' as const, detail }
    return { part, file, text: file.text, change, receipt: old, removes: false }
  }
  const bare = withoutOurs(part, file, old)
  const edited = part.add({ text: bare.text, steps: [], created: [] })
  const detail = `${part.installed}${part.remark?.(bare.text) ?? ''}`
  return {
    part,
    file,
    text: edited.text,
    change: { file: part.path, action: file.exists ? 'changed' : 'created', detail },
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
  return { text: part.remove(file.text, old), existed: old?.existed ?? file.exists, exact: false }
}

async function uninstall(
  agent: string,
  parts: readonly Part[],
  options: WiringOptions,
): Promise<readonly WiringChange[]> {
  const receipt = await readReceipt(options.keepsakeHome, agent)
  const plans: Plan[] = []
  for (const part of parts) plans.push(await planUninstall(part, receiptOf(receipt?.files, part)))
  if (options.dryRun) return plans.map(({ change }) => change)
  await carryOut(plans)
  if (receipt) await dropReceipt(options.keepsakeHome, receipt)
  return plans.map(({ change }) => change)
}

async function planUninstall(part: Part, old: FileReceipt | null): Promise<Plan> {
  const file = await readSettingsFile(part.path)
  part.check(file.text)
  const bare = withoutOurs(part, file, old)
  const removes = file.exists && old !== null && !old.existed && part.isEmpty(bare.text)
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
