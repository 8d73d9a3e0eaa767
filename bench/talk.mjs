// Notes as a person's are, in two languages, and fifty turns of a conversation that is now and then about them. Note `n` is
// the same on every machine; its subject is in no other note, so that a question about it has one right answer.
const subjects =
  'billing export|login page|search index|nightly backup|invoice mail|image upload|payment webhook|release notes|mobile build|rate limiter|customer import|audit log|feature flags|password reset|report scheduler|session store|map tiles|price list|tax table|warehouse sync'.split(
    '|',
  )
const chineseSubjects =
  '账单导出|登录页面|搜索索引|夜间备份|发票邮件|图片上传|支付回调|发布说明|移动端构建|限流器'.split('|')
const places = 'Oslo Lima Kyoto Turin Accra Porto Quito Bergen Tampa Leeds Dalian Nara'.split(' ')
const chinesePlaces = '大连 苏州 泉州 厦门 宁波 烟台 珠海 青岛'.split(' ')
const people = 'Mira Tomas Ines Jonas Priya Leo Noor Ana'.split(' ')
const chinesePeople = '小林 老周 阿岚 陈工'.split(' ')

const english = [
  ({ subject, where }) => [
    'feedback',
    `Run the ${subject} of ${where} with the dry-run switch before the real one`,
    'Two customers got their files twice in March.',
    'Ask before leaving the switch out, also for a single customer.',
  ],
  ({ subject, where, who }) => [
    'project',
    `${who} owns the ${subject} of ${where} until the end of the quarter`,
    'The team moved to the new office and shares the on-call week.',
    `Changes go to ${who} for review; the channel is too slow.`,
  ],
  ({ subject, where, number }) => [
    'project',
    `The ${subject} of ${where} waits ${number} seconds for the upstream before it gives up`,
    'A shorter wait dropped requests whenever the upstream was deployed.',
    'Raise it together with the time-out of the gateway, never alone.',
  ],
  ({ subject, where }) => [
    'reference',
    `The dashboard of the ${subject} of ${where} lies in the operations folder, second tab`,
    'The one that search finds first is of the old cluster.',
    'Look there before reading logs.',
  ],
]
const chinese = [
  ({ subject, where }) => [
    'feedback',
    `${where}的${subject}上线前先跑一遍冒烟测试`,
    '三月有两个客户收到了重复的文件。',
    '哪怕只改一行也要跑，跳过之前先问我。',
  ],
  ({ subject, where, who }) => [
    'project',
    `${where}的${subject}由${who}负责到季度末`,
    '团队换了办公室，值班也重新排过。',
    `改动请${who}评审，不要只发在群里。`,
  ],
]

/** Every fifth note is Chinese. */
export function naturalNote(index) {
  const isChinese = index % 5 === 4
  const [things, towns, names, forms] = isChinese
    ? [chineseSubjects, chinesePlaces, chinesePeople, chinese]
    : [subjects, places, people, english]
  const round = Math.floor(index / (things.length * towns.length))
  const subject = things[index % things.length]
  const where = `${towns[Math.floor(index / things.length) % towns.length]}${round === 0 ? '' : ` ${round + 1}`}`
  const who = names[index % names.length]
  const [type, fact, why, how] = forms[index % forms.length]({ subject, where, who, number: 5 + (index % 40) })
  const name = isChinese ? `${where}${subject} ${index}` : `${where} ${subject} ${index}`
  const [because, apply] = type === 'reference' ? ['', ''] : [`\n\n**Why:** ${why}`, `\n\n**How to apply:** ${how}`]
  return { name, type, text: `${fact}.${because}${apply}${type === 'reference' ? ` ${why} ${how}` : ''}` }
}

const work = [
  'The failing test is back, can you look at the stack trace first?',
  'ok, go on',
  'Split that function, it is too long to read.',
  '这个报错是什么意思？',
  'Rename the variable, and run the linter again.',
  'Why does the loop stop after the first element?',
  'thanks, that works',
  '把这段注释改短一点',
  'Write a unit test for the empty list, please.',
  'Show me the diff before you commit anything.',
]

/** What the user says in turn `n` of a home of `count` notes: every fifth turn asks about a note. */
export function saidIn(turn, count) {
  if (turn % 5 !== 2 || count === 0) return work[turn % work.length]
  const index = (turn * 37) % count
  const { name } = naturalNote(index)
  return index % 5 === 4
    ? `${name.replace(/ \d+$/, '')}有什么要注意的？`
    : `What do I have to know about the ${name.replace(/ \d+$/, '')}?`
}

export const ANSWER =
  'I looked at the files that you named and changed the two functions in question. The tests of that folder pass; the others were not touched. Tell me whether the names read well to you, then I go on with the next part.'
export const TURNS = 50
