/** What a threat pattern is. */
import { type Expression, madeOnce } from '../expression.ts'

export interface ThreatPattern {
  /** Stable id, told to the writer and shown in `[BLOCKED: …]`. Several patterns may share one. */
  readonly id: string
  readonly view: 'prose' | 'command' | 'raw'
  /**
   * Lower-case pieces; every list must have one that the view holds, else the pattern cannot match and is not run.
   * Most notes run few patterns, and a hook pays for the first run of each.
   */
  readonly needs: readonly (readonly string[])[]
  /** Global, linear: repetitions are bounded or over one class without overlap. */
  readonly pattern: RegExp
  /** "never ignore …", 不要忽略…: a sentence that forbids the attack is none. Default true. */
  readonly negatable?: boolean
  /** False leaves the match alone. `before` and `after` are 120 units of the view on either side. */
  readonly accept?: (match: ThreatMatch) => boolean
}

export interface ThreatMatch {
  readonly found: string
  readonly before: string
  readonly after: string
  /** A blank line follows: what comes after belongs to another paragraph. */
  readonly endsParagraph: boolean
}

/** A pattern whose expression is made when a text first needs it. */
export function lazyPattern(rest: Omit<ThreatPattern, 'pattern'>, written: Expression): ThreatPattern {
  const made = madeOnce(written)
  return {
    ...rest,
    get pattern() {
      return made()
    },
  }
}

/** Up to `count` words inside one sentence, with a space on both sides. */
export function gap(count: number): string {
  return `(?: (?:[^ .!?;]{1,24}|\\.{2,8}|-+)){0,${count}}? `
}

const forbids =
  /(?:\b(?:never|not|cannot|avoid|nobody (?:should|may)|no one (?:should|may)|refuse to|instead of|rather than|against|forbidden to|prohibited to)|n't|\bdont)(?: (?:ever|to|just|simply|let anyone|run|running|use|using|do|call|try|execute|executing|commit|allow|accidentally|directly|blindly))*[ :'`"(]*$|(?:不要|别|勿|不得|不能|不可|不可以|禁止|避免|拒绝|严禁|不准|不许|不应|不该|绝不|绝不能|从不|切勿|请勿|并非)(?:直接|再|去|随便|用|使用|执行|运行|轻易|允许|在日志里|擅自|随意|把|将)*[ :'`"]*$/i

/** True when the words right before a match forbid what it says. */
export function isForbidden(before: string): boolean {
  return forbids.test(before)
}
