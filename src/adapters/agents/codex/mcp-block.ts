/**
 * Our MCP server in Codex's `config.toml`: a block of text at the end of the file, known by a variable of its environment.
 * It is written as Codex itself prints it, because Codex reprints all servers when the person adds one; a comment of ours
 * would not survive that. Everything else in the file keeps its bytes.
 */
import type { WiringOptions } from '../../../domain/index.ts'
import { applySplices, type Splice, styleOf } from '../../settings/json-edit.ts'
import { invalidSettings } from '../../settings/json-text.ts'
import { parseToml, type TomlStatement, tomlString } from '../../settings/toml-text.ts'
import { MCP_MARK, MCP_NAME } from '../../shared/commands.ts'
import type { EarlierInstall, Part } from '../../shared/wiring.ts'

const servers = 'mcp_servers'

export function mcpPart(file: string, options: WiringOptions): Part {
  const pairs = pairsFor(options.mcpCommand)
  return {
    path: file,
    installed: `MCP server "${MCP_NAME}"`,
    check: (text) => void parseToml(text, file),
    hasOurs: (text) => mcpState(text, file).owner === 'ours',
    isWired: (text) => {
      const { owner, statements } = mcpState(text, file)
      return owner === 'ours' && pairs.every(({ keys, value }) => valueAt(statements, keys) === value)
    },
    leftAlone: (text) =>
      mcpState(text, file).owner === 'other'
        ? `an MCP server "${MCP_NAME}" that is not ours is there already: left alone`
        : null,
    add: (start) => {
      assertOpen(start.text, file)
      const splices = [{ at: start.text.length, removed: '', inserted: blockAfter(start.text, pairs) }]
      return { text: applySplices(start.text, splices), steps: [...start.steps, splices], created: start.created }
    },
    remove: (text, earlier) => removeServer(text, file, earlier),
    isEmpty: (text) => text.trim() === '',
  }
}

export interface McpState {
  readonly owner: 'none' | 'ours' | 'other'
  /** All of our server's entry, also what Codex added to it (approvals of tools). */
  readonly statements: readonly TomlStatement[]
}

/** The server with our name: ours (by its mark), another's, or none. */
export function mcpState(text: string, file: string): McpState {
  const statements = parseToml(text, file).filter(({ keys }) => keys[0] === servers && keys[1] === MCP_NAME)
  if (statements.length === 0) return { owner: 'none', statements }
  const isMarked = statements.some(
    ({ keys, value }) =>
      (keys[2] === 'env' && keys[3] === MCP_MARK && value === tomlString('codex')) ||
      (keys[2] === 'env' && keys.length === 3 && value.includes(MCP_MARK)),
  )
  return { owner: isMarked ? 'ours' : 'other', statements }
}

/** Words of the command that our server is started with, as far as they can be read. */
export function mcpWords(state: McpState): readonly string[] {
  const command = valueAt(state.statements, ['command'])
  const rest = valueAt(state.statements, ['args'])
  return [command, rest].flatMap((value) => {
    try {
      const parsed: unknown = JSON.parse(value ?? 'null')
      return (Array.isArray(parsed) ? parsed : [parsed]).filter((word): word is string => typeof word === 'string')
    } catch {
      // Written by hand in a form that is TOML's alone: nothing can be said about it.
      return []
    }
  })
}

interface Pair {
  readonly keys: readonly string[]
  readonly value: string
}

function pairsFor([command = '', ...rest]: readonly string[]): readonly Pair[] {
  return [
    { keys: ['command'], value: tomlString(command) },
    { keys: ['args'], value: `[${rest.map(tomlString).join(', ')}]` },
    { keys: ['env', MCP_MARK], value: tomlString('codex') },
  ]
}

function valueAt(statements: readonly TomlStatement[], keys: readonly string[]): string | null {
  const path = [servers, MCP_NAME, ...keys].join('\n')
  return statements.find((each) => each.kind === 'pair' && each.keys.join('\n') === path)?.value ?? null
}

function blockAfter(text: string, pairs: readonly Pair[]): string {
  const lines = [
    `[${servers}.${MCP_NAME}]`,
    ...pairs.filter(({ keys }) => keys.length === 1).map(({ keys, value }) => `${keys[0]} = ${value}`),
    '',
    `[${servers}.${MCP_NAME}.env]`,
    ...pairs.filter(({ keys }) => keys.length === 2).map(({ keys, value }) => `${keys[1]} = ${value}`),
    '',
  ]
  const { lineEnd } = styleOf(text)
  const before = text === '' ? '' : text.endsWith('\n') ? lineEnd : `${lineEnd}${lineEnd}`
  return before + lines.join(lineEnd)
}

/** A table of ours must be able to stand in the file. */
function assertOpen(text: string, file: string): void {
  for (const { kind, keys, start } of parseToml(text, file)) {
    const isClosed = (kind === 'pair' && keys.length === 1) || (kind === 'list-table' && keys.length === 1)
    if (isClosed && keys[0] === servers)
      throw invalidSettings(
        file,
        text,
        start,
        `"${servers}" is written so that no server can be added; write [${servers}.<name>] tables`,
      )
  }
}

function removeServer(text: string, file: string, earlier: EarlierInstall): string {
  if (mcpState(text, file).owner !== 'ours') return text
  const inserted = earlier?.steps.at(-1)?.at(-1)?.inserted ?? ''
  return withoutInserted(text, inserted) ?? withoutStatements(text, mcpState(text, file).statements)
}

/** The text without the very block that we had added, null when it is not there once and whole. */
function withoutInserted(text: string, inserted: string): string | null {
  const at = inserted === '' ? -1 : text.indexOf(inserted)
  if (at < 0 || text.indexOf(inserted, at + 1) >= 0) return null
  const [before, after] = [text.slice(0, at), text.slice(at + inserted.length)]
  // What Codex added to our server must not stay behind without it.
  if (mcpState(before + after, '').statements.length > 0) return null
  const isApart = before === '' || after === '' || before.endsWith('\n')
  return isApart ? before + after : before + styleOf(text).lineEnd + after
}

/** Takes out the lines of our entry, and the blank line before each of its tables. */
function withoutStatements(text: string, statements: readonly TomlStatement[]): string {
  const splices: Splice[] = statements.map(({ kind, start, end }) => {
    const blank = kind === 'pair' ? '' : (/(?<=^|\n)[ \t]*\r?\n$/.exec(text.slice(0, start))?.[0] ?? '')
    return { at: start - blank.length, removed: text.slice(start - blank.length, end), inserted: '' }
  })
  return applySplices(text, splices)
}
