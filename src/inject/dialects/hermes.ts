/** Hermes knows its memory as two bounded blocks, each under a line with its name and its use. */
import { type Language, type ProfileUsage, profilePressure } from '../../domain/index.ts'

const titles: Readonly<Record<Language, Readonly<Record<'user' | 'global' | 'project', string>>>> = {
  en: {
    user: 'USER PROFILE (who the user is)',
    global: 'MEMORY (your notes)',
    project: 'MEMORY (your notes on this project)',
  },
  zh: { user: 'USER PROFILE（用户是谁）', global: 'MEMORY（你的笔记）', project: 'MEMORY（你关于本项目的笔记）' },
}

export function hermesHeading(usage: ProfileUsage, language: Language): string {
  const title = titles[language][usage.store === 'user' ? 'user' : usage.layer]
  return `══ ${title} ${profilePressure(usage)} ══`
}
