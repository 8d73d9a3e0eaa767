/** The two files that hold our entries: how each is checked, and how our part is found, put in and taken out. */
import type { WiringOptions } from '../../../domain/index.ts'
import {
  addEntry,
  checkSettings,
  checkState,
  type Edited,
  mcpState,
  ownHooks,
  removeHooks,
  removeMcp,
} from './own-entries.ts'
import { hookHandler, MCP_NAME, mcpEntry, placesOf, wiredEvents } from './settings-places.ts'

export interface Part {
  readonly path: string
  readonly check: (text: string, file: string) => void
  readonly hasOurs: (text: string) => boolean
  readonly isWired: (text: string, options: WiringOptions) => boolean
  readonly add: (start: Edited, options: WiringOptions) => Edited
  readonly remove: (start: Edited, created: readonly string[]) => Edited
  readonly installed: string
}

/** Every object and list that an install may make. */
export const everyContainer: readonly string[] = [
  'hooks',
  ...wiredEvents.map((event) => `hooks.${event}`),
  'mcpServers',
]

/** Settings first, then the state file. */
export function partsOf(options: WiringOptions): readonly Part[] {
  const { settings, state } = placesOf(options)
  return [
    {
      path: settings,
      check: checkSettings,
      hasOurs: (text) => ownHooks(text, settings).length > 0,
      isWired: (text) => hooksAreWired(text, settings, options),
      add: (start) =>
        wiredEvents.reduce(
          (edited, event) =>
            addEntry(edited, settings, {
              keys: ['hooks', event],
              value: { hooks: [hookHandler(options.hookCommand, event)] },
              append: true,
            }),
          start,
        ),
      remove: (start, created) => removeHooks(start, settings, created),
      installed: `hooks for ${wiredEvents.join(', ')}`,
    },
    {
      path: state,
      check: checkState,
      hasOurs: (text) => mcpState(text, state).owner === 'ours',
      isWired: (text) => {
        const { owner, text: entry } = mcpState(text, state)
        return owner === 'other' || (owner === 'ours' && isSameJson(entry, mcpEntry(options.mcpCommand)))
      },
      add: (start) =>
        addEntry(start, state, { keys: ['mcpServers', MCP_NAME], value: mcpEntry(options.mcpCommand), append: false }),
      remove: (start, created) => removeMcp(start, state, created),
      installed: `MCP server "${MCP_NAME}"`,
    },
  ]
}

function hooksAreWired(text: string, file: string, options: WiringOptions): boolean {
  const own = ownHooks(text, file)
  return (
    own.length === wiredEvents.length &&
    wiredEvents.every((event) =>
      own.some((each) => each.event === event && isSameJson(each.text, hookHandler(options.hookCommand, event))),
    )
  )
}

function isSameJson(text: string, value: unknown): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(value)
  } catch {
    // Our entry with a comment in it: rewritten.
    return false
  }
}
