/**
 * The dialects by name. An agent without one of its own is spoken to in `plain`; `library` is `plain` for a host that
 * reads the answers before anybody sees them, and so may ask for a list of the notes they used.
 */
import { noteTypes, notToSave, typeGuide } from '../../domain/index.ts'
import { readPrompt } from '../../util/index.ts'
import claudeCode from '../templates/start-claude-code.en.md'
import codex from '../templates/start-codex.en.md'
import facts from '../templates/start-facts.en.md'
import hermes from '../templates/start-hermes.en.md'
import plain from '../templates/start-plain.en.md'
import type { Dialect } from './dialect.ts'

const CITE = 'Mark: end an answer that used notes with their ids, one a line, in <keepsake-cite></keepsake-cite>.'
const OPEN = 'Mark: what you open counts as used.'

const dialects = {
  plain: { template: plain, parts: { mark: OPEN } },
  library: { template: plain, parts: { mark: CITE } },
  'claude-code': { template: claudeCode, parts: {} },
  codex: { template: codex, parts: {} },
  hermes: { template: hermes, parts: {} },
  /** Over notes as facts (`facts/`). */
  facts: { template: facts, parts: { mark: OPEN } },
} as const

export type DialectName = keyof typeof dialects

export const dialectNames: readonly string[] = Object.keys(dialects)

/** Whether an agent has a dialect of its own. */
export function isDialect(agent: string): agent is DialectName {
  return Object.hasOwn(dialects, agent)
}

/** The dialect in which an agent is spoken to. */
export function dialectOf(agent: string): Dialect {
  const name = isDialect(agent) ? agent : 'plain'
  const { template, parts } = dialects[name]
  const types = noteTypes.map((type) => `- ${type}: ${typeGuide[type]}`).join('\n')
  const { version, text } = readPrompt(template, { types, notToSave, ...parts })
  return { name, version, language: 'en', guidance: text }
}
