/**
 * Every step of the write protocol at which a process may die, by name. Production passes
 * `noCrashPoints`; tests pass an object that kills the process, throws, or plays a person at a chosen point.
 * What `hit` throws is treated like a failure of the step that follows.
 */

export const crashPoints = [
  'lock-prepared',
  'lock-taken',
  'takeover-claimed',
  'takeover-done',
  'displaced-linked',
  'temp-written',
  'temp-synced',
  'renamed',
  'directory-synced',
  'tail-pending',
  'tail-carried',
  'tail-recorded',
  'conflict-kept',
  'index-written',
  'file-removed',
  'before-unlock',
] as const

export type CrashPoint = (typeof crashPoints)[number]

export interface CrashPoints {
  hit(point: CrashPoint): void | Promise<void>
}

export const noCrashPoints: CrashPoints = { hit: () => {} }
