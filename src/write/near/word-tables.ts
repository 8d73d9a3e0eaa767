/** Small words of English and Chinese as the comparison of two notes sees them: what turns a sentence round, what bounds it, what says nothing. */

/** Forms that stemming does not bring together. */
const irregular = `
wrote written write|kept keep|ran run|sent send|told tell|found find|chose chosen choose|left leave|gave given give|took taken take
made make|said say|went gone go|came come|got gotten get|began begun begin|broke broken break|built build|bought buy|sold sell
held hold|led lead|lost lose|meant mean|met meet|paid pay|put put|read read|saw seen see|set set|shown show|spoke spoken speak
spent spend|stood stand|stuck stick|taught teach|thought think|understood understand|won win|drew drawn draw|drank drunk drink
drove driven drive|ate eaten eat|fell fallen fall|felt feel|flew flown fly|forgot forgotten forget|grew grown grow|hid hidden hide
knew known know|laid lay|lay lie|lain lie|lent lend|rang rung ring|rose risen rise|shut shut|slept sleep|threw thrown throw|woke woken wake
wore worn wear|dealt deal|fed feed|frozen froze freeze|hung hang|learnt learn|stopped stop|children child|people person|men man|women woman
better good|best good|worse bad|worst bad|longest long|shorter short|further far|dying die|lying lie|tied tie|died die|used use
analyses analysis|indices index|indexes index|criteria criterion|vertices vertex|halves half|lives live|leaves leave
`

export const baseForms: ReadonlyMap<string, string> = new Map(
  irregular
    .trim()
    .split(/[|\n]/)
    .flatMap((line) => {
      const forms = line.split(' ')
      const base = forms.at(-1) ?? ''
      return forms.map((form) => [form, base] as const)
    }),
)

/** Say nothing that could be lost, or nothing that the rest does not say. */
export const lightWords: ReadonlySet<string> = new Set(
  `a an the this that these those it its he she they them their his her him i me my mine we us our ours you your yours
  is are was were be been being am has have had having do does did doing done will would shall should must ought can could
  of to in into on onto at by for with within from as and or so than that which who whom whose what where there here how why
  also too just still already yet even indeed really simply actually basically please remember note keep-in-mind always ever
  use used using user users person people someone somebody anybody anyone everybody everyone all any each every s t
  via per about if when whenever while whether but however though although because since therefore hence thus
  want wants like would get gets got go goes going come comes let lets make sure ensure thing things way ways case cases
  now currently today presently again very quite own same up out off over under them such some one ones need needs needed
  set sets rule rules both well otherwise else e g i e etc vs matter regardless strictly gladly kindly mind apply applies happen happens`
    .split(/\s+/)
    .filter(Boolean),
)

/**
 * Say what sort of thing is meant, or that it is there: a note says as much without them ("YAML files", "starts at 9:30",
 * "the port number"). They count only where the known note has the opposite.
 */
export const weakWords: ReadonlySet<string> = new Set(
  `file files page tool system time times date day place number value item name info information entry field record thing
  start starts begin begins take takes stay stays lie lies sit sits run runs live lives hold holds stand stands remain remains follow follows
  call called say says look looks see find found put goes give given follow work works handle handles serve serves
  project team service environment version part kind type sort area topic full whole first simple folder directory
  文件夹 目录 文件 时间 日期 地方 地点 位置 名字 名称 数值 值 内容 东西 事项 环境 项目 团队 服务 版本 部分 类型 开始 起 位于 放在 放 见 看 在于 找 查 叫做 说明 定为 定在 安排 举行 总共 一共 共 整个 先 收 做法 方式 办法`
    .split(/\s+/)
    .filter(Boolean),
)

/** Turn the clause round in which they stand. */
export const negators: ReadonlySet<string> = new Set(
  `not never no none nor neither cannot cant dont doesnt didnt isnt arent wasnt werent wont wouldnt shouldnt mustnt couldnt hasnt
  havent hadnt aint without avoid refrain forbidden forbid forbids banned ban prohibited prohibit disallowed nobody nothing stop
  reject`
    .split(/\s+/)
    .filter(Boolean),
)

/** Chinese words with a sign of negation in them that do not negate, and those that do; the longest wins. */
export const chineseNotNegating = `
不过 不同 不仅 不但 不断 不久 不错 不管 不论 无论 不只 差不多 不然 不如 无非 特别 分别 别的 别人 级别 类别 识别 区别 性别 鉴别 非常 未来 未必 没关系 没问题
不一样 不一致 对不起 不好意思 来不及 不动产 无线 无人 无障碍 不锈 不止 莫非
`
  .trim()
  .split(/\s+/)

export const chineseNegators = `
不要 不能 不可以 不可 不得 不准 不许 不会 不应该 不应 不该 不再 不必 不需要 不用 不允许 禁止 严禁 避免 切勿 请勿 勿 别 不 没有 没 无需 无须 无 未 并非 非 从不 从来不 绝不 决不 杜绝 拒绝 谢绝 不是
`
  .trim()
  .split(/\s+/)

export const chineseLight = `
的 了 着 过 在 是 就 都 也 要 请 会 应 应该 应当 需 需要 须 必须 务必 一定 总是 始终 一律 统一 统统 全部 全都 所有 每次 任何 凡是 凡 用户 本人 自己 我 我们 你 您 他 她 它 他们 咱们 大家 这 那 这个 那个 这些 那些 其 该
有 来 去 把 给 到 从 向 为 为了 被 让 将 与 和 跟 或 或者 等 等等 及 以及 以 之 于 则 还 仍 仍然 仍旧 依旧 依然 照旧 还是 记住 记得 注意 请注意 今后 从现在起 从今以后 目前 现在 进行 做 弄 搞 才 又 再 再次 每 每个 每位 每条 每份 里 里面 上面 下面 内 中 中的 当 时 时候 的时候 而 且 并 并且 而且 但 但是
可 可以 能 能够 个 一个 一下 一些 种 地 得 所 那么 这样 那样 这里 那里 哪 呢 吧 啊 吗 嘛 呀 好 就是 都是 均 皆 即 即可 如 比如 对 对于 关于 由 上 下 叫 说 名 位 条 份 件 次 直接 因此 所以 因为 由于 比 比较 更 很 太 十分 有关 相关 情况 一直 事 事情 东西 里头 之间 当中 后面 前面 先 最 麻烦 否则 不然 这一块 这块 方面 一块 时
`
  .trim()
  .split(/\s+/)

/** A mark must stand on both sides: it narrows, widens or bounds what is said. */
export type Mark = 'only' | 'exception' | 'condition' | 'optional' | 'hedge' | 'min' | 'max' | 'over' | 'plan' | 'past'

export const markPatterns: readonly (readonly [Mark, RegExp])[] = [
  [
    'min',
    /\b(?:at least|no (?:less|fewer) than|not (?:less|fewer) than|a minimum of|minimum|min\.?(?= \d)|or more)\b|至少|最少|最低|最短|起码|不少于|不低于|不得少于|不得低于|以上|下限|起步/gu,
  ],
  [
    'max',
    /\b(?:at most|at the most|no (?:more|longer|later) than|not (?:more|longer|exceed)(?: than)?|never (?:more|longer) than|must not exceed|never exceed|a maximum of|maximum|max\.?|up to|(?:below|under|fewer than|less than|within)(?= (?:a |an )?[\d\p{Nd}])|or (?:less|fewer)|(?:limited|capped) (?:to|at)|limit (?:of|is))(?!\w)|最多|至多|最大|最高|最长|(?:不|别|勿|不要|不得|不能|不可|不会|不应|不可以|不许)(?:超过|超出|多于|大于|高于|长于|晚于)|以内|以下|之内|上限|封顶|限/gu,
  ],
  [
    'over',
    /\b(?:(?:more|longer|larger|bigger|greater|higher) than|over(?= \d)|above(?= \d)|exceeds?|exceeding)\b|超过|超出|多于|大于|高于/gu,
  ],
  [
    'exception',
    /\b(?:unless|except|excepting|excluding|exempt|apart from|other than|with the exception of|exception)\b|除非|除了|除外|例外|以外|之外/gu,
  ],
  ['condition', /\b(?:if|in case|provided that|as long as)\b|如果|若是|假如|要是|只要|一旦/gu],
  ['only', /\b(?:only|solely|exclusively|nothing but|just the)\b|仅仅|仅限|仅|只有|只能|只用|只在|只(?!要)|唯一/gu],
  [
    'optional',
    /\b(?:optional|optionally|need not|not (?:required|necessary|mandatory)|no need|may(?= \w)(?! \d)|might)\b|可选|随意|不必|无需|无须|不需要/gu,
  ],
  [
    'plan',
    /\b(?:plan(?:s|ned|ning)? to|intend(?:s|ed)? to|going to|considering|thinking (?:about|of)|hopes? to)\b|打算|考虑|拟|有意/gu,
  ],
  [
    'past',
    /\b(?:until|till|formerly|previously|former|no longer)\b|(?<!\b(?:is|are|be|been|was|were|get) )\bused to\b|直到|为止|曾经|曾|原来|原先|不再/gu,
  ],
  [
    'hedge',
    /\b(?:sometimes|usually|mostly|often|maybe|perhaps|probably|generally|rarely|seldom|most|some|few|many|several)\b|有时|偶尔|通常|一般|大多|往往|可能|也许|很少|大多数|大部分|部分|少数|多数|某些|有些/gu,
  ],
]

/** Says that what was known still holds: who looked, and when, adds nothing to it. */
export const confirmingWords =
  /\b(?:still|unchanged|as before|confirmed|confirm|verified|re-?checked|checked|remains?|holds|stays)\b|仍|还是|依旧|依然|照旧|没变|没有变|没动|不变|照常|核对过|确认过|检查过|确认了|核实/u

/** The part of a confirmation that tells of the look itself. */
export const lookingWords =
  /\b(?:checked|re-?checked|verified|confirmed|asked|looked|measured|double-?checked|says|said|tested)\b|核对|确认|检查|核实|核过|问过|看过|量过|测过|查过|没变|没动|没有变|不变/u

/** Says that something is otherwise than before. */
export const changingWords =
  /\b(?:from now on|as of|no longer|any ?more|instead|changed|changes|moved|moves|switched|switch|replaced|replaces|renamed|now|new|since|has left|took over|takes over|raised|lowered|extended|postponed|cancelled|canceled|turned out|became|becomes)\b|改|换|调整|调成|调到|不再|以后|今后|现在|新的|取消|推迟|延期|提前|提高|降低|升级|搬到|接手|接替|变成|变为/u

/** Words of one line exclude each other: where a note holds several, what is said of one is not said of the other. */
export const families: readonly (readonly string[])[] = `
monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekend|weekday
english|chinese|german|french|japanese|spanish|italian|russian|korean|portuguese|arabic
production|staging|test environment|development environment|local|remote
morning|afternoon|evening|night
daily|weekly|monthly|quarterly|yearly|hourly
import|export
upload|download
read|write
open|close
start|finish
input|output
client|server
frontend|backend
before|after
enable|disable
install|uninstall
left|right
top|bottom
front|back
inside|outside
north|south|east|west
red|green|blue|black|white|yellow
public|private|internal|external
ascending|descending
buy|sell
borrow|lend|return
send|receive
uppercase|lowercase
single quotes|double quotes
tab|space
small|big
new|old
fast|slow
first|last
breakfast|lunch|dinner
unit test|integration test|e2e|smoke test|load test|acceptance test|regression
weekly report|monthly report|daily report
entrance|exit
create|update|delete
mother|father|wife|husband|child|friend|neighbour|boss|colleague
`
  .trim()
  .split('\n')
  .map((line) => line.split('|'))

/** What one does with a thing when nothing more is said of the doing: "write commit messages in …", "drink no coffee". */
export const plainDoings: ReadonlySet<string> = new Set(
  'write drink eat keep ask ask-for put add make give try provide hold send do 写 喝 吃 放 加 做 发 给 写成'
    .split(' ')
    .map((word) => word.replace('-', ' ')),
)

/** Whose it is, when it is not one's own. */
export const kinWords: ReadonlySet<string> = new Set(
  `mother mom mum father dad brother sister wife husband son daughter child kid parent uncle aunt cousin friend neighbour neighbor boss
  manager colleague partner girlfriend boyfriend 妈妈 母亲 爸爸 父亲 哥哥 弟弟 姐姐 妹妹 妻子 太太 老婆 丈夫 老公 儿子 女儿 孩子 朋友 邻居 老板 上司 同事 同学 室友`
    .split(/\s+/)
    .filter(Boolean),
)

/** Begin a part of a sentence that says when the rest holds. */
export const restrictingWords =
  /^(?:when|whenever|while|if|in case|during|unless|except|once|for|after|before|until|on|in|at)\b|时$|的时候$|^(?:如果|若|当|遇到|除非|只要|一旦|对于)/u
