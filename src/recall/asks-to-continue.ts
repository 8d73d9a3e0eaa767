/**
 * Whether a question asks to go on where the work stopped (spec R5). Only then does age weigh heavily: the same decay
 * over every question was measured to be harmful. Pure; never throws.
 */

/** The words that ask, and nothing of what is asked about: they are taken out before the rest is searched. */
const asking: readonly RegExp[] = [
  /\b(?:(?:let'?s|can we|please|to) )?(?:continue|carry on|go on|resume|pick(?:ing)? (?:it )?up)(?: (?:with|from|at|again))* (?:where|what) (?:we|i|you)(?:'d| had| have| were| was)? ?(?:left off|left|stopped|were(?: at)?|doing|working on)?(?: last time| before| yesterday)?/gi,
  /\bwhere (?:did|had|have|were|are|was) (?:we|i|you) ?(?:leave off|left off|leave (?:it|things)|stop|stopped|get to|at|up to|last time)?(?=[\s?.!,]|$)/gi,
  /\bwhat (?:were|was|are|have) (?:we|i|you) (?:been )?(?:working on|doing|up to|in the middle of)(?: last time| before)?/gi,
  /(?:我们|咱们|你|我)?(?:上次|上回|之前|刚才|昨天)?(?:我们|咱们|你|我)?(?:做|说|聊|写|改|讲|弄|干|进行|讨论|推进)到(?:哪里|哪儿|哪|什么地方|什么程度)(?:了|啦)?/g,
  /(?:请|我们|咱们)?(?:继续|接着|接上|延续)(?:做|聊|说)?(?:上次|上回|之前|昨天|刚才)(?:的|停下的|没做完的|没完成的)?/g,
  /(?:我们|咱们|我)?(?:上次|上回|之前|刚才|昨天)(?:我们|咱们|我)?(?:在|正在)(?:做|聊|弄|干|讨论|忙)(?:些)?什么/g,
]

export interface Continuing {
  /** The question without the words that ask to continue. */
  readonly rest: string
}

/** Null when it does not ask to go on. */
export function asksToContinue(question: string): Continuing | null {
  const rest = asking.reduce((text, pattern) => text.replace(pattern, ' '), question)
  return rest === question ? null : { rest: rest.replace(/\s+/g, ' ').trim() }
}

const DAY_MS = 86_400_000
const HALF_LIFE_DAYS = 7

/** 1 now, half after seven days; undated counts as one of 0.01. */
export function continuingFactor(time: string | null, nowMs: number): number {
  const thenMs = time === null ? Number.NaN : Date.parse(time)
  if (Number.isNaN(thenMs)) return 0.01
  return 0.5 ** (Math.max(0, nowMs - thenMs) / (HALF_LIFE_DAYS * DAY_MS))
}
