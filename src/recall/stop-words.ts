/** Words of a question that say nothing about what is asked for. They are kept in rows, so that phrases can hold them. */

const english = `
a about above after again all also am an and any are as at be because been before being below between both but by can
cannot cant come could couldnt did didnt do does doesnt doing done dont down during each either else ever every few for
from further get gets getting go goes going got had hadnt has hasnt have havent having he hed hell her here hers herself
hes him himself his how hows i id if ill im in into is isnt it its itself ive just kind know let lets like lot
made make makes many may maybe me might mine more most much must my myself neither no nor not now of off ok okay on once
one only onto or other others our ours ourselves out over own per perhaps please quite rather really s said same say
says see she shed should shouldnt shell shes so some something sort still such t tell than thank thanks that thats the
their theirs them themselves then there theres these they theyd theyll theyre theyve thing things think this those
though through to too under until up upon us used very was wasnt way we wed well went were werent weve what whatever
whats when whens where wheres whether which while who whom whos whose why will with within without wont would wouldnt
yes yet you youd youll your youre yours yourself yourselves youve
`
const chinesePhrases = `
帮我 请帮 帮忙 请问 请你 麻烦 告诉我 告诉 我想 我要 我们 你们 他们 她们 它们 咱们 大家 自己 我的 你的 他的 她的
什么 为什么 怎么 怎么样 怎样 如何 哪个 哪些 哪里 哪儿 哪位 哪天 谁的 多少 几个 几时 什么时候 是否 是不是 有没有 能不能
可不可以 会不会 要不要 可以 能够 应该 需要 一下 一个 一些 一点 一样 一种 这个 那个 这些 那些 这样 那样 这里 那里 这是 那是
之前 以前 曾经 上次 还是 或者 以及 而且 但是 因为 所以 如果 然后 关于 对于 已经 还有 没有 不是 就是 知道 记得 觉得 请给
的话 来着 是什么 给我 让我 下来 起来 出来 好的 好吧 谢谢 感谢 辛苦 你好 您好 不用 行吗 好吗
です ます ください とは です か でした ました なに どこ いつ だれ
무엇 어떻게 언제 어디 해줘 알려줘
`
const chineseCharacters = '的了吗嘛呢吧啊呀哦哈么是在我你您他她它们这那哪谁把被就也都很和与或个着过请吧及又再'

/** Lower case, apostrophes taken out. */
export const englishStopWords: ReadonlySet<string> = new Set(english.split(/\s+/).filter(Boolean))

/** Longest first, so that a longer phrase hides a shorter one. Simplified characters, as `foldText` gives. */
export const stopPhrases: readonly string[] = [...new Set(chinesePhrases.split(/\s+/).filter(Boolean))].sort(
  (left, right) => right.length - left.length,
)

export const functionCharacters: ReadonlySet<string> = new Set(chineseCharacters)
