/**
 * Words that say the model was not asked at all, though they come as its answer (BL-24): a login that ended, a quota, an
 * overload. Agent programs and gateways print them with a success code.
 */
import { endOfJsonValue } from '../util/index.ts'

/** UTF-16 units: such words are short, an answer that only mentions them is longer or begins otherwise. */
const MAX_LENGTH = 400

/** What may stand before it. */
const BEFORE =
  /^[^\p{L}\p{N}]*(?:(?:(?:api |http )?(?:error|status)|http|claude(?: ai| code)?|codex|openai|anthropic|gemini|sorry|unfortunately|warning|the|this|we|your|you|(?:you|we)['’]ve|(?:you|we|has|have)|been|are|is|was|currently|account|organi[sz]ation|server|service|request|model|\d{3})\b[^\p{L}\p{N}]*|(?:抱歉|对不起|很遗憾|错误|提示|警告)[^\p{L}\p{N}]*){0,8}/iu

const OUTAGES: readonly RegExp[] = [
  // The login.
  /(?:failed to authenticate|authentication (?:failed|error|required)|unauthori[sz]ed\b)/i,
  /(?:not|no longer) (?:logged|signed) in\b/i,
  /(?:please )?(?:run \/login|log ?in again|sign ?in again|log ?in to continue|sign ?in to continue)\b/i,
  /(?:please )(?:log ?in|sign ?in)\b/i,
  /(?:invalid|incorrect|missing|expired) (?:api[- ]?key|x-api-key|authentication|credentials|access token)\b/i,
  /(?:oauth |access |refresh |session )?token (?:has )?expired\b/i,
  // The quota.
  /(?:[\w-]+ )?(?:usage|rate|request|token|spending|message|quota)[- ]limit (?:has been |was |is )?(?:reached|exceeded|hit)\b/i,
  /(?:[\w-]+ ){0,2}limit (?:reached|exceeded)\b/i,
  /(?:hit|reached|exceeded|used up|out of|run out of) (?:of )?(?:(?:your|the|its|all) )?(?:[\w-]+ ){0,3}(?:limits?|quota|credits?)\b/i,
  /(?:rate[- ]limited|too many requests)\b/i,
  /(?:rate[- ]limit|quota)(?: has)?(?: been)? ?(?:exceeded|error)\b/i,
  /(?:insufficient (?:quota|credits?|balance|funds)|credit balance is too low)\b/i,
  // The service.
  /(?:overloaded|temporarily unavailable|service unavailable|unavailable right now|internal server error)\b/i,
  /api error:? \d{3}\b/i,
  // The same in Chinese.
  /(?:您|你)?(?:的)?(?:本月|今日|当前|账户|账号|模型|API)?(?:的)?(?:使用)?(?:额度|配额|余额|次数|用量|限额)(?:已|已经)?(?:被)?(?:用完|用尽|耗尽|不足|超出|超限|达到上限|达上限)/,
  /(?:您|你)?(?:的)?(?:请求|访问|调用)(?:次数)?(?:过于|太|过)(?:频繁|多|快)/,
  /(?:您|你)?(?:已|已经)?(?:达到|超出|超过)(?:了)?(?:[\p{Script=Han}]{0,6})?(?:上限|限制|限额|配额)/u,
  /(?:请|需要)(?:先|重新)?(?:登录|登陆|认证|授权)/,
  /(?:认证|鉴权|身份验证|登录|登陆|授权)(?:已)?(?:失败|过期|失效)/,
  /(?:API ?)?(?:密钥|令牌)(?:无效|错误|已?过期|已?失效)/i,
  /(?:服务|模型|系统)(?:器)?(?:当前|暂时|目前)?(?:不可用|繁忙|过载)/,
]

const SOURCE = OUTAGES.map(({ source }) => `(?:${source})`).join('|')
const OUTAGE = new RegExp(`${BEFORE.source}(?:${SOURCE})`, 'iu')

/** True for short words that begin so and hold no JSON value. */
export function saysOutage(text: string): boolean {
  const said = text.trim()
  return said.length > 0 && said.length <= MAX_LENGTH && !holdsValue(said) && OUTAGE.test(said)
}

function holdsValue(text: string): boolean {
  const start = text.search(/[{[]\s*["}\]{[]/)
  return (
    start >= 0 && endOfJsonValue(text, start) > 0 && !/^\{\s*"(?:error|type"\s*:\s*"error)"/.test(text.slice(start))
  )
}
