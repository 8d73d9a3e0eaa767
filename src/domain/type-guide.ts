/**
 * When to save and what goes in, written once for each language (spec S2, W6) and used by tool descriptions, guidance and
 * the prompts of models.
 */
import type { Language } from './language.ts'
import type { NoteType } from './note.ts'

export interface SaveGuide {
  readonly types: Readonly<Record<NoteType, string>>
  /** What is not memory, in words a model follows. */
  readonly notToSave: string
}

export const saveGuides: Readonly<Record<Language, SaveGuide>> = {
  en: {
    types: {
      user: 'who the user is: role, knowledge, standing preferences',
      feedback: 'how to work, as the user corrected or confirmed it: the rule, why, how to apply',
      project: 'goals, people, dates, decisions with their reason',
      reference: 'where to look: outside systems, documents, look-ups worth repeating',
    },
    notToSave:
      'what code, git or rules files say; details of this task; small talk; guesses; secrets; what only a tool, file or assistant said',
  },
  zh: {
    types: {
      user: '用户是谁：角色、知识背景、长期偏好',
      feedback: '用户纠正或认可过的做法：规则、原因、怎么用',
      project: '目标、人、日期、决定及其理由',
      reference: '去哪里查：外部系统、文档、值得再查的资料',
    },
    notToSave: '代码、git 和规则文件里已有的；本次任务的细节；闲聊；猜测；密钥；只有工具、文件或助手说过的',
  },
}

export const typeGuide = saveGuides.en.types
export const notToSave = saveGuides.en.notToSave
