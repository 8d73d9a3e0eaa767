/**
 * What may become of single conversations (spec W11): append-only JSON lines, written by hooks and by `sessions mode`.
 * The last line about a session holds, so a mode stays when the session is resumed. A session that no line names is
 * `auto`.
 */
import { join } from 'node:path'
import { type Clock, homeFiles, isLayerMode, isoSeconds, type LayerMode } from '../domain/index.ts'
import { createFileView } from './file-view.ts'
import { appendJsonLine, readJsonLines } from './json-lines.ts'

export interface SessionMode {
  /** `<agent>:<native id>` */
  readonly session: string
  readonly mode: LayerMode
  readonly cwd: string | null
}

export interface SessionModes {
  modeOf(session: string): LayerMode
  /** Those of these sessions that are off; one look for all of them. */
  offAmong(sessions: readonly string[]): ReadonlySet<string>
  /** Durable when it returns; says nothing twice. */
  set(mode: SessionMode): void
  /** Sessions that are off, and of which what they gave before was not forgotten yet. */
  unsettled(): readonly SessionMode[]
  settle(session: string): void
}

interface Standing extends SessionMode {
  readonly isSettled: boolean
}

export function createSessionModes(options: { readonly home: string; readonly clock: Clock }): SessionModes {
  const file = join(options.home, homeFiles.sessionModes)
  const standing = createFileView(file, readModes, new Map<string, Standing>())
  const append = (line: object) => appendJsonLine(file, { ...line, time: isoSeconds(options.clock.now()) })
  return {
    modeOf: (session) => standing().get(session)?.mode ?? 'auto',
    offAmong(sessions) {
      const known = standing()
      return new Set(known.size === 0 ? [] : sessions.filter((each) => known.get(each)?.mode === 'off'))
    },
    set({ session, mode, cwd }) {
      if ((standing().get(session)?.mode ?? 'auto') !== mode) append({ session, mode, cwd })
    },
    unsettled: () => [...standing().values()].filter(({ mode, isSettled }) => mode === 'off' && !isSettled),
    settle(session) {
      const known = standing().get(session)
      if (known && !known.isSettled) append({ session, mode: known.mode, cwd: known.cwd, settled: true })
    },
  }
}

function readModes(file: string): Map<string, Standing> {
  const modes = new Map<string, Standing>()
  for (const { value } of readJsonLines(file).records) {
    const { session, mode, cwd, settled } = value
    if (typeof session !== 'string' || !isLayerMode(mode)) continue
    modes.set(session, { session, mode, cwd: typeof cwd === 'string' ? cwd : null, isSettled: settled === true })
  }
  return modes
}
