/**
 * The git program for the working tree of a person: a clean environment, nothing of its settings that would run another
 * program or reach the network, and an end when the signal says so. It only reads, and takes no lock.
 */
import { spawn } from 'node:child_process'
import { gitEnvironment } from '../../store/notes/git-history-process.ts'
import type { Repository } from '../../store/notes/git-repository.ts'

export interface GitAnswer {
  readonly output: Buffer
  /** False when it was stopped, said too much, or ended with an error. */
  readonly isWhole: boolean
  readonly exit: number | null
}

export interface GitQuestion {
  readonly git: string
  readonly repository: Repository
  /** Folder below the working tree that paths are relative to. */
  readonly folder: string
  readonly signal: AbortSignal
  /** Written to the program when it is there: it may start before we know what to ask. */
  readonly input?: Promise<string>
  readonly maxOutputBytes?: number
}

const MAX_OUTPUT_BYTES = 33_554_432

/** A repository that a stranger prepared can name programs in its own settings: none of those is reached from here. */
const settings = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.quotePath=false',
  'core.untrackedCache=false',
  'protocol.allow=never',
  'log.showSignature=false',
  'log.mailmap=false',
  'diff.ignoreSubmodules=all',
  'submodule.recurse=false',
  'grep.fallbackToNoIndex=false',
].flatMap((each) => ['-c', each])

/** Never throws: what went wrong is an answer that is not whole. */
export function askGit(argumentList: readonly string[], question: GitQuestion): Promise<GitAnswer> {
  const { git, repository, folder, signal, input, maxOutputBytes = MAX_OUTPUT_BYTES } = question
  const place = ['--no-pager', `--git-dir=${repository.gitDirectory}`, `--work-tree=${repository.workingTree}`]
  return new Promise((resolve) => {
    if (signal.aborted) return resolve({ output: Buffer.alloc(0), isWhole: false, exit: null })
    const child = spawn(git, [...place, ...settings, ...argumentList], {
      cwd: folder,
      env: gitEnvironment(),
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
    })
    const pieces: Buffer[] = []
    let bytes = 0
    let isStopped = false
    const finish = (exit: number | null) => {
      signal.removeEventListener('abort', stop)
      resolve({ output: Buffer.concat(pieces), isWhole: exit === 0 && !isStopped, exit: isStopped ? null : exit })
    }
    // What was said so far counts; the program's own end is not waited for.
    const stop = () => {
      isStopped = true
      child.kill('SIGKILL')
      child.stdout.destroy()
      finish(null)
    }
    child.stdout.on('data', (piece: Buffer) => {
      pieces.push(piece.subarray(0, maxOutputBytes - bytes))
      bytes += piece.length
      if (bytes > maxOutputBytes) stop()
    })
    child.once('error', () => finish(null))
    child.once('close', finish)
    // A program that ends before it read everything closes the pipe; its exit says why.
    child.stdin.on('error', () => undefined)
    signal.addEventListener('abort', stop, { once: true })
    if (input === undefined) child.stdin.end()
    else input.then((text) => child.stdin.end(text))
  })
}
