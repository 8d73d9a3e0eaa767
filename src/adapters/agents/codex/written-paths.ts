/**
 * Files that a call of Codex's tools writes. Codex changes files by patches: as a tool of their own, in a shell command,
 * or inside code; wherever a patch stands, its headings name the files. Other shell commands are not guessed, but told.
 */
import { join } from 'node:path'
import type { ToolCall } from '../../shared/row-content.ts'
import { isRow, type Row, textAt } from '../../shared/rows.ts'

const patchStart = '*** Begin Patch'
const patchedFile = /^\*\*\* (?:(?:Add|Update) File|Move to): (.+?)\s*$/gm

/** Files that one patch may name; more than any real one. */
const MAX_FILES = 1_000

/** Paths as the call names them, below its folder when it has one. */
export function writtenPaths(call: ToolCall): readonly string[] {
  const folder = folderOf(call)
  return textsIn(call.input)
    .flatMap((text) => (text.includes(patchStart) ? [...text.matchAll(patchedFile)] : []))
    .slice(0, MAX_FILES)
    .map(([, path = '']) => (folder === null || path.startsWith('/') ? path : join(folder, path)))
}

/** The folder in which the call works, when it names one. */
export function folderOf({ input }: ToolCall): string | null {
  return textAt(input, 'workdir') ?? textAt(input, 'working_directory')
}

/** What a shell is to run: under one of three names, as text or as words. A patch is a change of files, not a command. */
export function commandOf({ name, input }: ToolCall): string | null {
  if (!shellTools.has(name)) return null
  const given = input.cmd ?? input.command
  const command = Array.isArray(given) ? withoutShell(given.map(String)) : given
  return typeof command === 'string' && !command.includes(patchStart) ? command : null
}

const shellTools = new Set(['exec_command', 'shell', 'shell_command', 'local_shell', 'container.exec'])

/** `bash -lc "npm test"` is `npm test`. */
function withoutShell(words: readonly string[]): string {
  const [program = '', option = '', command] = words
  const isShell = /(?:^|\/)(?:ba|z|da)?sh$/.test(program) && /^-l?c$/.test(option)
  return isShell && command !== undefined && words.length === 3 ? command : words.join(' ')
}

/** The texts of an input: its own, and those of the lists in it (words of a command). */
function textsIn(input: Row): string[] {
  const texts = Object.values(input).flatMap((value) => (Array.isArray(value) ? value : [value]))
  return texts.filter((text): text is string => typeof text === 'string')
}

/** Paths that a finished change of files leaves written: not what it deleted, and the new name of what it moved. */
export function changedPaths(changes: unknown): readonly string[] {
  if (!isRow(changes)) return []
  return Object.entries(changes)
    .slice(0, MAX_FILES)
    .flatMap(([path, change]) => {
      const kind = isRow(change) ? change : {}
      return kind.type === 'delete' || 'delete' in kind ? [] : [textAt(kind, 'move_path') ?? path]
    })
}
