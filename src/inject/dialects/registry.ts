/**
 * The dialects by name. An agent without one of its own is spoken to in `plain`; `library` is `plain` for a host that
 * reads the answers before anybody sees them, and so may ask for a list of the notes they used.
 */
import { type Language, noteTypes, type ProfileUsage, saveGuides } from '../../domain/index.ts'
import { readPrompt } from '../../util/index.ts'
import claudeCode from '../templates/start-claude-code.en.md'
import claudeCodeZh from '../templates/start-claude-code.zh.md'
import codex from '../templates/start-codex.en.md'
import codexZh from '../templates/start-codex.zh.md'
import facts from '../templates/start-facts.en.md'
import factsZh from '../templates/start-facts.zh.md'
import hermes from '../templates/start-hermes.en.md'
import hermesZh from '../templates/start-hermes.zh.md'
import plain from '../templates/start-plain.en.md'
import plainZh from '../templates/start-plain.zh.md'
import type { Dialect } from './dialect.ts'
import { hermesHeading } from './hermes.ts'
import { words } from './words.ts'

type Template = Readonly<Record<Language, string>>

interface Form extends Partial<Pick<Dialect, 'restFirst' | 'betweenEntries'>> {
  readonly template: Template
  /** How the use of a note is marked, where the template leaves that open. */
  readonly mark?: Template
  readonly storeHeading?: (usage: ProfileUsage, language: Language) => string
  /** It wraps other lines than the others do. */
  readonly isView?: boolean
}

/** Asked of everybody whose use of a note shows by itself. */
const openMark: Template = { en: 'Mark: what you open counts as used.', zh: '标记：打开过的算用过。' }

const plainTemplate: Template = { en: plain, zh: plainZh }

const forms = {
  plain: { template: plainTemplate, mark: openMark },
  library: {
    template: plainTemplate,
    mark: {
      en: 'Mark: end an answer that used notes with their ids or names, one a line:\n<keepsake-cite>\nID\n</keepsake-cite>',
      zh: '标记：回答用到了笔记，就在末尾列出它们的 id 或名称，一行一个：\n<keepsake-cite>\nID\n</keepsake-cite>',
    },
  },
  'claude-code': { template: { en: claudeCode, zh: claudeCodeZh } },
  codex: { template: { en: codex, zh: codexZh }, restFirst: true },
  hermes: { template: { en: hermes, zh: hermesZh }, betweenEntries: '§', storeHeading: hermesHeading },
  /** Over notes as facts, which are chosen and composed by themselves (`facts/`). */
  facts: { template: { en: facts, zh: factsZh }, mark: openMark, isView: true },
} satisfies Readonly<Record<string, Form>>

export type DialectName = keyof typeof forms

export const dialectNames: readonly string[] = Object.keys(forms)

/** Whether an agent has a dialect of its own. */
export function isDialect(agent: string): agent is DialectName {
  return Object.hasOwn(forms, agent)
}

/** The dialect in which an agent is spoken to. */
export function dialectOf(agent: string, language: Language = 'en'): Dialect {
  const name = isDialect(agent) ? agent : 'plain'
  const form: Form = forms[name]
  const { types, notToSave } = saveGuides[language]
  const { version, text } = readPrompt(form.template[language], {
    types: noteTypes.map((type) => `- ${type}: ${types[type]}`).join('\n'),
    notToSave,
    ...(form.mark ? { mark: form.mark[language] } : {}),
  })
  return {
    name,
    version,
    language,
    guidance: text,
    words: words[language],
    restFirst: form.restFirst ?? false,
    betweenEntries: form.betweenEntries ?? null,
    storeHeading: (usage) => form.storeHeading?.(usage, language) ?? words[language].store(usage),
  }
}

/** Those that wrap the same notes, for what each is charged alike. */
export function dialectsIn(language: Language): readonly Dialect[] {
  const alike = Object.entries<Form>(forms).filter(([, { isView }]) => !isView)
  return alike.map(([name]) => dialectOf(name, language))
}
