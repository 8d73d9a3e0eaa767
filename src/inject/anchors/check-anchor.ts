import type { Anchor } from './anchor.ts'
import type { Check, Outcome } from './check.ts'
import { checkPath } from './check-path.ts'

export function checkAnchor(anchor: Anchor, check: Check): Promise<Outcome> {
  switch (anchor.kind) {
    case 'path':
      return checkPath(anchor, check)
  }
}
