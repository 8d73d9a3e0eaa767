/**
 * Notes that say how to live with a fault. Such a note outlives the repair, and then it hides real failures (BL-91): it is
 * shown with a word about that, whoever wrote it.
 */
import type { AnchorVerdict } from './anchor.ts'
import { isOfToday } from './freshness.ts'
import type { Language } from './language.ts'

/** Says by itself that it is not for good. */
const TEMPORARY =
  /\b(?:work-?arounds?|worked around|stop-?gap|(?:temporary|quick|ugly) (?:fix|hack)|(?:for now|until (?:it|this|that|the \w+) (?:is|gets) (?:fixed|repaired|solved)))\b|绕过|权宜|临时(?:方案|办法|解决|处理|措施)|(?:暂时|暂且|先)(?:忽略|跳过|不管|无视|屏蔽|关掉|禁用)|修好(?:之)?前/iu
/** Says to pass over something … */
const PASS_OVER =
  /\b(?:ignor(?:e|ed|ing|able)|skip(?:ped|ping)?|disregard|pass over|re-?run|retry|just re-?try|harmless|expected|safe to (?:ignore|skip))\b|忽略|跳过|不用管|不必管|无视|重跑|重试|不用理/iu
/** … that failed. */
const FAULT =
  /\b(?:errors?|fail(?:s|ed|ing|ures?)?|flak(?:y|es|iness)|exit(?:s|ed)?(?: (?:code|status|with))? \d+|exit code|time-?outs?|timed out|warnings?|crash(?:es|ed)?|broken|red|non-?zero|hangs?|segfaults?)\b|报错|错误|失败|超时|警告|崩溃|退出码|不稳定|挂掉|卡住/iu
/** The opposite: not to pass it over. */
const FORBIDS =
  /\b(?:never|not|don'?t|do not|must not|no longer|cannot|without)\b[^.;,]{0,24}\b(?:ignor|skip|disregard|pass over|re-?run|retry|work)|(?:不要|不能|不可|不得|别|勿|禁止|切勿)[^，。；]{0,6}(?:忽略|跳过|无视|绕过|重跑|重试|屏蔽)/iu

/** Longest text that is looked through, in UTF-16 units: notes are short, and a long one is no single advice. */
const MAX_UNITS = 16_384

export function isWorkaround(text: string): boolean {
  return text
    .slice(0, MAX_UNITS)
    .split(/(?<=[.!?])\s+|[。！？\n]+/u)
    .some(
      (sentence) =>
        !FORBIDS.test(sentence) && (TEMPORARY.test(sentence) || (PASS_OVER.test(sentence) && FAULT.test(sentence))),
    )
}

const lines: Readonly<Record<Language, string>> = {
  en: 'A workaround: it may no longer hold. It is no reason to ignore an error; look at what fails now first.',
  zh: '这是临时办法，可能已不再成立；它不是忽略报错的理由：先看现在究竟是什么失败了。',
}

export interface WorkaroundNote {
  readonly text: string
  readonly updated: string | null
  readonly verdicts: readonly AnchorVerdict[]
}

/** Null for a note that is none, and for one of today of which something was looked up and holds. */
export function workaroundWarning(
  { text, updated, verdicts }: WorkaroundNote,
  nowMs: number,
  language: Language = 'en',
): string | null {
  if (!isWorkaround(text)) return null
  return isOfToday(updated, nowMs) && verdicts.some(({ verdict }) => verdict === 'holds') ? null : lines[language]
}
