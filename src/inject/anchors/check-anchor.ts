import type { Anchor } from './anchor.ts'
import type { Check, Outcome } from './check.ts'
import { checkCommand } from './check-command.ts'
import { checkConfig } from './check-config.ts'
import { checkLine } from './check-line.ts'
import { checkPath } from './check-path.ts'
import { checkRef } from './check-ref.ts'
import { checkSymbol } from './check-symbol.ts'
import { checkVersion } from './check-version.ts'

export function checkAnchor(anchor: Anchor, check: Check): Promise<Outcome> {
  switch (anchor.kind) {
    case 'path':
      return checkPath(anchor, check)
    case 'line':
      return checkLine(anchor, check)
    case 'symbol':
      return checkSymbol(anchor, check)
    case 'command':
      return checkCommand(anchor, check)
    case 'config':
      return checkConfig(anchor, check)
    case 'version':
      return checkVersion(anchor, check)
    case 'ref':
      return checkRef(anchor, check)
  }
}
