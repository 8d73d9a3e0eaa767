/**
 * The parts of the hook bundle (`hook-*.cjs` beside the entry), each loaded with the compiled form that an earlier
 * process left beside it: compiling them costs a hook more than all of its own work. What is compiled is never trusted
 * further than the part itself: it lies in the same folder, its name says for which content (a part's name has its
 * hash), which V8 and which processor it was made, and its check sum must be right, since V8 itself looks at no more
 * than version, flags and length. Absent, stale or damaged: the part is compiled as ever.
 */

import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Script } from 'node:vm'

/** The part that the entry asks for; it brings in the others. Its name has no hash, so it has no compiled form. */
export const HOOK_ENTRY_PART = 'hook-process.cjs'

/** With it, the process leaves the compiled form of the parts when it ends. */
export const KEEP_COMPILED_FLAG = '--keep-compiled'

const CHECKSUM_BYTES = 32

export interface HookParts {
  /** What a part exports. Parts load each other through this too. */
  load(name: string): unknown
  /** Leaves the compiled form of every loaded part, functions that ran included. Throws what the disk throws. */
  keepCompiled(): void
}

interface Part {
  readonly script: Script
  /** Where its compiled form lies. Null: it has none. */
  readonly compiled: string | null
  readonly module: { exports: unknown }
}

type PartFunction = (exports: unknown, require: (name: string) => unknown, module: object, filename: string) => void

export function createHookParts(folder: string): HookParts {
  const parts = new Map<string, Part>()
  const load = (name: string): unknown => {
    const known = parts.get(name)
    if (known) return known.module.exports
    const file = join(folder, name)
    const part = readPart(file, name === HOOK_ENTRY_PART ? null : compiledFile(file))
    parts.set(name, part)
    const evaluate = part.script.runInThisContext() as PartFunction // The script is the function expression below.
    const require = (wanted: string) => (wanted.startsWith('./') ? load(wanted.slice(2)) : createRequire(file)(wanted))
    evaluate(part.module.exports, require, part.module, file)
    return part.module.exports
  }
  return {
    load,
    keepCompiled() {
      for (const { compiled, script } of parts.values())
        if (compiled !== null) keep(compiled, script.createCachedData())
    },
  }
}

function readPart(file: string, compiled: string | null): Part {
  const source = `(function(exports,require,module,__filename){${readFileSync(file, 'utf8')}\n})`
  const cachedData = compiled === null ? undefined : readCompiled(compiled)
  // V8 passes over what it cannot use.
  return { script: new Script(source, { filename: file, cachedData }), compiled, module: { exports: {} } }
}

/** Where the compiled form of a part lies. */
export function compiledFile(part: string): string {
  return `${part}.${process.versions.v8}-${process.arch}.compiled`
}

/** Undefined when there is none, or not the whole of it. */
function readCompiled(file: string): Buffer | undefined {
  try {
    const bytes = readFileSync(file)
    const data = bytes.subarray(CHECKSUM_BYTES)
    return checksum(data).equals(bytes.subarray(0, CHECKSUM_BYTES)) ? data : undefined
  } catch {
    // Not made yet, or not readable: without it the hook only takes longer.
    return undefined
  }
}

/** Most events have this module of Node loaded anyway; others that make check sums would be one more. */
function checksum(data: Uint8Array): Buffer {
  return createHash('sha256').update(data).digest()
}

/** Whole or not at all, since another hook may read it at this moment. */
function keep(file: string, data: Buffer): void {
  const temporary = `${file}.${process.pid}`
  try {
    const descriptor = openSync(temporary, 'wx', 0o644)
    try {
      writeSync(descriptor, Buffer.concat([checksum(data), data]))
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}
