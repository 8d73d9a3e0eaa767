/** What every command gets: the memory (opened when first asked for), where to print, and what the machine is like. */
import type { Surroundings } from '../config.ts'
import type { Memory } from '../domain/index.ts'

export interface GlobalOptions {
  readonly home?: string
  readonly json?: boolean
}

export interface CliContext {
  readonly surroundings: Surroundings
  readonly cwd: string
  readonly version: string
  /** Folder of the built files (hook.js, cli.js, worker.js). */
  readonly distribution: string
  readonly signal: AbortSignal
  /** Opens the memory of this run once. */
  memory(options: GlobalOptions): Promise<Memory>
  home(options: GlobalOptions): string
  /** Text or, with `--json`, one JSON document on standard output. */
  print(options: GlobalOptions, json: unknown, text: () => string): void
  /** Progress and remarks on standard error. */
  remark(line: string): void
  readInput(): Promise<string>
  /** Asks a yes/no question at a terminal; true when there is no terminal to ask. */
  confirm(question: string): Promise<boolean>
  /** True when a person can be asked. */
  isTerminal(): boolean
  exit(code: number): void
}
