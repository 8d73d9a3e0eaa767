/**
 * Attributes that have one value at a time: where somebody lives, who owns a service, what is pinned to which version.
 * What may have several values (likes, knows, uses) is not here: two of them contradict nobody.
 */
import type { Claim } from './claims.ts'
import { tokensOf, weightOf, wordKey } from './statement.ts'

interface Rule {
  /** What it is called in the key; null: the words of the group `attribute`. */
  readonly attribute: readonly string[] | null
  readonly pattern: RegExp
}

const nouns =
  'owner|lead|leader|manager|contact|maintainer|reviewer|e-?mail|phone(?: number)?|birthday|time ?zone|office|role|job title|deadline|due date|address|region|version|port|default [a-z]+|package manager|code owner|on-call'
const chineseNouns =
  '负责人|联系人|对接人|维护者|邮箱|电话|手机号|生日|时区|职位|角色|截止日期|截止时间|地址|端口|版本|默认[\\p{Script=Han}]{1,4}|包管理器|主管|经理|上级'
const become = '(?:现在|目前|以后)?(?:是|为|改成了?|改为了?|换成了?|调成了?|：|:)'

const rules: readonly Rule[] = [
  {
    attribute: null,
    pattern: new RegExp(
      `^(?:the |our )?(?<attribute>${nouns}) (?:of|for|at|in) (?<subject>.+?) (?:is|was|=) (?<value>.+)$`,
      'iu',
    ),
  },
  {
    attribute: null,
    pattern: new RegExp(`^(?<subject>.+?)(?:'s|’s) (?<attribute>${nouns}) (?:is|was|=) (?<value>.+)$`, 'iu'),
  },
  { attribute: ['home'], pattern: /^(?<subject>.+?) (?:now )?(?:lives?|is living|is based) in (?<value>.+)$/iu },
  { attribute: ['employer'], pattern: /^(?<subject>.+?) (?:now )?works? (?:at|for) (?<value>.+)$/iu },
  { attribute: ['manager'], pattern: /^(?<subject>.+?) (?:now )?reports? to (?<value>.+)$/iu },
  { attribute: ['host'], pattern: /^(?<subject>.+?) (?:is|are) (?:now )?hosted (?:on|at|by|with) (?<value>.+)$/iu },
  {
    attribute: ['home', 'host', 'place'],
    pattern: /^(?<subject>.+?) (?:has |have )?moved (?:over )?to (?<value>.+)$/iu,
  },
  {
    attribute: ['place'],
    pattern: /^(?<subject>.+?) (?:is|are) (?:now )?(?:kept|stored|filed|tracked) (?:in|on|at) (?<value>.+)$/iu,
  },
  { attribute: ['pin'], pattern: /^(?<subject>.+?) (?:is|are) (?:now )?pinned (?:to|at) (?<value>.+)$/iu },
  { attribute: ['owner'], pattern: /^(?<subject>.+?) (?:is|are) (?:now )?(?:owned|led|maintained) by (?<value>.+)$/iu },
  {
    attribute: ['owner'],
    pattern: /^(?<value>\p{Lu}\S*(?: \p{Lu}\S*)?) (?:now )?(?:owns|leads|maintains) (?<subject>.+)$/u,
  },
  {
    attribute: null,
    pattern: new RegExp(`^(?<subject>.+?)的?(?<attribute>${chineseNouns})${become}(?<value>.+)$`, 'u'),
  },
  { attribute: ['home'], pattern: /^(?<subject>.+?)(?:现在|目前)?(?:住在|搬到了?|搬去了?)(?<value>.+)$/u },
  { attribute: ['employer'], pattern: /^(?<subject>.+?)(?:现在|目前)?在(?<value>.+?)(?:工作|上班|任职)$/u },
  {
    attribute: null,
    pattern:
      /^(?<subject>.+?)(?:现在|以后|目前)?改?由(?<value>.+?)(?<attribute>负责|保管|审|审核|维护|对接|接手|管理)$/u,
  },
  {
    attribute: ['place'],
    pattern: /^(?<subject>.+?)(?:现在|以后|都|改)?(?:放在|放到|存放在|保存在|部署在|部署到|托管在)(?<value>.+)$/u,
  },
]

/** Words that end a value: what follows says when or why. */
const afterValue =
  /[，,;；（(]|\s+(?:since|because|as of|from|until|instead|now|on \d|in \d|again|and writes?)\b|\s+\d{4}-\d\d.*$|，?因为/u
const MAX_VALUE_LENGTH = 40

export function attributeClaims(sentence: string): Claim[] {
  return rules.flatMap(({ attribute, pattern }): Claim[] => {
    const { subject = '', value = '', attribute: said = '' } = pattern.exec(sentence)?.groups ?? {}
    const about = tokensOf(subject)
    const cut = value.split(afterValue)[0]?.trim() ?? ''
    const held = tokensOf(cut)
    if (weightOf(about) < 1 || cut.length > MAX_VALUE_LENGTH || wordKey(held) === '') return []
    if ([...about, ...held].some(({ kind }) => kind === 'not')) return []
    return (attribute ?? [wordKey(tokensOf(said))]).map((name) => ({
      kind: 'value' as const,
      key: `value ${name} of ${wordKey(about)}`,
      value: wordKey(held),
      quote: sentence,
    }))
  })
}
