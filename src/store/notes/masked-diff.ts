/** The difference of two versions as it may be shown: masked before it is compared, so that a secret over several lines is seen whole. */
import { redact } from '../../guard/index.ts'
import { unifiedDiff } from './history-diff.ts'
import type { Version } from './history-port.ts'

export function maskedDiff(before: Version | null, after: Version | null): string[] {
  return unifiedDiff(masked(before), masked(after))
}

function masked(version: Version | null): Uint8Array | null {
  return version && new TextEncoder().encode(redact(new TextDecoder().decode(version.bytes)).text)
}
