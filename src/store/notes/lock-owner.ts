/**
 * Who holds a lock, and whether that process is provably gone. A process is named by pid and start time within one
 * boot and one pid namespace of one machine; anything that cannot be proved counts as alive (never by age).
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { systemCode } from '../../errors.ts'
import { sha256 } from '../../util/index.ts'

export interface LockOwner {
  readonly pid: number
  /** Start time as the system tells it; null where it does not. */
  readonly start: string | null
  readonly boot: string | null
  /** Pid namespace, null where there are none. */
  readonly namespace: string | null
  /** Host name, with a digest of the machine id where there is one. */
  readonly host: string
}

/** What the system says about processes. */
export interface ProcessTable {
  readonly host: string
  /** True when `host` holds a machine id: then the same host with another boot was restarted. */
  readonly hostIsUnique: boolean
  readonly boot: string | null
  readonly namespace: string | null
  readonly pid: number
  /** Start time; `gone` when no such process runs; null when it runs and the start time is not told. */
  startOf(pid: number): string | 'gone' | null
}

/** `elsewhere`: another machine or namespace, which only a heartbeat can judge. */
export type OwnerState = 'alive' | 'gone' | 'elsewhere'

export function selfAsOwner(table: ProcessTable): LockOwner {
  const start = table.startOf(table.pid)
  return {
    pid: table.pid,
    start: start === 'gone' ? null : start,
    boot: table.boot,
    namespace: table.namespace,
    host: table.host,
  }
}

export function stateOfOwner(owner: LockOwner, table: ProcessTable): OwnerState {
  if (owner.host !== table.host) return 'elsewhere'
  if (owner.boot !== table.boot)
    return owner.boot !== null && table.boot !== null && table.hostIsUnique ? 'gone' : 'elsewhere'
  if (owner.namespace !== table.namespace) return 'elsewhere'
  const start = table.startOf(owner.pid)
  if (start === 'gone') return 'gone'
  if (start === null || owner.start === null) return 'alive'
  return start === owner.start ? 'alive' : 'gone'
}

/** The table of this machine. Reads a few small files (Linux) or runs `sysctl` (macOS) once. */
export function systemProcessTable(): ProcessTable {
  const machine = readText('/etc/machine-id')
  return {
    host: machine ? `${hostname()}#${sha256(machine).slice(0, 12)}` : hostname(),
    hostIsUnique: machine !== null,
    boot: readText('/proc/sys/kernel/random/boot_id') ?? (process.platform === 'darwin' ? macBootId() : null),
    namespace: readLink('/proc/self/ns/pid'),
    pid: process.pid,
    startOf,
  }
}

function startOf(pid: number): string | 'gone' | null {
  if (!isRunning(pid)) return 'gone'
  if (process.platform === 'win32') return null
  const stat = readText(`/proc/${pid}/stat`)
  if (stat !== null) return startFromStat(stat)
  return process.platform === 'linux' ? null : startFromPs(pid)
}

/** Signal 0 asks without sending; a refusal means that the process exists and belongs to someone else. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return systemCode(error) !== 'ESRCH'
  }
}

/** Field 22 of /proc/<pid>/stat; the name in field 2 may hold spaces and brackets. A zombie writes nothing any more. */
export function startFromStat(stat: string): string | 'gone' | null {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (fields[0] === 'Z' || fields[0] === 'X') return 'gone'
  return fields[19] ?? null
}

function startFromPs(pid: number): string | null {
  return runSmall('ps', ['-o', 'lstart=', '-p', String(pid)])
}

function macBootId(): string | null {
  return runSmall('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid'])
}

function runSmall(command: string, argumentList: readonly string[]): string | null {
  try {
    const environment = { LC_ALL: 'C', TZ: 'UTC', PATH: '/bin:/usr/bin' }
    const output = execFileSync(command, argumentList, { env: environment, timeout: 2_000, stdio: 'pipe' })
    return output.toString('utf8').trim() || null
  } catch {
    // No such tool or no such process: unknown, which counts as alive.
    return null
  }
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim() || null
  } catch {
    // Another platform, or not permitted: unknown.
    return null
  }
}

function readLink(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch {
    // Another platform, or not permitted: unknown.
    return null
  }
}
