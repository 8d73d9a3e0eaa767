import { describe, expect, it } from 'vitest'
import { extractNotes } from './extract-notes.ts'
import { conversation, type Hit } from './testing.ts'

const hits: readonly Hit[] = [
  // asked to keep
  ['Remember that our fiscal year starts in October.', 'project', ['fiscal year', 'October']],
  ['pls remember: the blue cable in rack 4 must stay plugged in', 'project|feedback', ['blue cable', 'rack 4']],
  ['can you remember that the door code changes every Monday?', 'project', ['door code', 'Monday']],
  ['Note for later: invoices over 5000 EUR need two signatures.', 'project', ['5000', 'two signatures']],
  [
    'Save this for next time: the label printer needs firmware 3.2, newer ones lose the margins.',
    'project',
    ['label printer', '3.2'],
  ],
  ['The attic sensor reports in Fahrenheit, keep that in mind.', 'project', ['attic sensor', 'Fahrenheit']],
  [
    "Please don't forget that Ines is vegetarian when you plan the dinners",
    'user|project|feedback',
    ['Ines', 'vegetarian'],
  ],
  ['记住，测试环境的数据库每晚会被清空', 'project', ['测试环境', '清空']],
  ['帮我记一下：大阪分店的营业时间是十点到八点', 'project', ['大阪分店', '十点到八点']],
  ['幫我記住，供應商的報價都是未稅價', 'project', ['報價', '未稅']],
  ['这个要记下来：三号打印机只能用 A4 纸', 'project', ['三号打印机', 'A4']],
  ['能帮我记住我的学号是双号班的吗', 'user', ['双号班']],
  ['メモしておいてください。共有フォルダの容量は五十ギガまでです。', 'project|reference', ['共有フォルダ', '五十ギガ']],
  ['Merk dir bitte: die Heizung im Keller darf nie ganz aus.', 'project|feedback', ['Heizung', 'Keller']],
  ['pls 记住 the weekly sync 只开三十分钟', 'project', ['weekly sync', '三十分钟']],
  // corrections with the right form
  ['no, use pnpm not npm in this repo', 'feedback', ['pnpm', 'npm']],
  ["No, don't use unittest, use pytest.", 'feedback', ['unittest', 'pytest']],
  [
    'wrong. We write dates day first here, never month first. Applies to all the letters you draft.',
    'feedback',
    ['day first', 'month first'],
  ],
  ['Stop using em dashes. Use commas instead, always.', 'feedback', ['em dashes', 'commas']],
  ["It's Wójcik, not Wojcik. Always keep the accent when you mention her.", 'feedback', ['Wójcik', 'Wojcik']],
  ['不对，这个仓库用 yarn，不要用 npm', 'feedback', ['yarn', 'npm']],
  ['别用 moment，改用 dayjs，以后都这样', 'feedback', ['moment', 'dayjs']],
  ['不是「使用者」，應該用「用戶」，以後文件都照這樣寫', 'feedback', ['使用者', '用戶']],
  ['金额别用浮点数，要用整数分。所有接口都要这样', 'feedback', ['浮点', '整数分']],
  ['いいえ、今後は必ずですます調で書いてください', 'feedback', ['ですます調']],
  ['Nein, ab jetzt bitte Komma als Dezimaltrenner, nicht Punkt', 'feedback', ['Komma', 'Punkt']],
  // standing rules
  ['From now on, answer in bullet points only.', 'feedback', ['bullet points']],
  ['Always run the linter before you hand me a patch.', 'feedback', ['linter', 'patch']],
  ['never force-push to shared branches', 'feedback', ['force-push', 'shared branches']],
  ['Going forward please cite the page number with each quote.', 'feedback', ['page number']],
  ['Whenever you change the schema, update the ER diagram too.', 'feedback', ['schema', 'ER diagram']],
  ['House rule: no meetings before ten.', 'feedback', ['meetings', 'ten']],
  ['We never deploy on Fridays.', 'feedback|project', ['deploy', 'Friday']],
  ['Every email you draft for me should end with my phone number.', 'feedback', ['email', 'phone number']],
  ['Make it the default that charts start at zero.', 'feedback', ['charts', 'zero']],
  ['no abbreviations in variable names, ever', 'feedback', ['abbreviations', 'variable names']],
  ['in this project we use tabs, please stick to tabs', 'feedback', ['tabs']],
  ['every time you touch the billing code, ask me before committing', 'feedback', ['billing code', 'ask me']],
  ['以后回答都用繁体中文', 'feedback', ['繁体中文']],
  ['今後提交訊息一律用英文', 'feedback', ['提交訊息', '英文']],
  ['从现在开始，每个函数都要写注释', 'feedback', ['函数', '注释']],
  ['每次改完接口都要更新文档', 'feedback', ['接口', '文档']],
  ['我们组从来不用存储过程', 'feedback|project', ['存储过程']],
  ['凡是涉及金额的改动都要先给我看', 'feedback', ['金额', '给我看']],
  ['测试数据里永远不要出现真实手机号', 'feedback', ['测试数据', '手机号']],
  ['这个项目里不要引入新的依赖，规矩是先开 issue 讨论', 'feedback', ['依赖', 'issue']],
  ['以后 commit message 都写 English，别写中文', 'feedback', ['commit message', 'English']],
  ['資料は必ずPDFで送るようにしてください', 'feedback', ['PDF']],
  ['Künftig bitte alle Preise netto angeben.', 'feedback', ['Preise', 'netto']],
  // preferences
  ['I like vitest over jest, use it by default', 'feedback', ['vitest', 'jest']],
  ['我喜欢用 vitest 而不是 jest，以后帮我生成测试时默认用 vitest', 'feedback', ['vitest', 'jest']],
  ['I prefer short answers without summaries.', 'feedback|user', ['short answers']],
  ["I'd rather have plain SQL than an ORM, in general", 'feedback|user', ['SQL', 'ORM']],
  ['I prefer trains to planes whenever you plan something for me', 'feedback|user', ['trains', 'planes']],
  ['My preferred editor is Helix.', 'user|feedback', ['Helix']],
  ['I like my commit messages short', 'feedback|user', ['commit messages', 'short']],
  ['我更喜欢简洁的回答，不要长篇大论', 'feedback|user', ['简洁']],
  ['我習慣先看結論再看細節', 'feedback|user', ['結論', '細節']],
  ['我讨厌弹窗，以后页面里都别用', 'feedback|user', ['弹窗']],
  ['我不吃香菜', 'user', ['香菜']],
  ['我对海鲜过敏，订餐的时候注意', 'user', ['海鲜', '过敏']],
  ['I prefer dark theme, 平时截图也用 dark 的', 'feedback|user', ['dark']],
  // identity
  ["I'm a pediatric nurse on night shifts", 'user', ['nurse', 'night']],
  ['I work as a court interpreter, mostly Polish', 'user', ['interpreter']],
  ["I'm the only designer on the team.", 'user', ['designer']],
  ["I've been writing COBOL for thirty years", 'user', ['COBOL', 'thirty years']],
  ["I'm based in Nairobi", 'user', ['Nairobi']],
  ['I run a small pottery studio with two employees', 'user', ['pottery']],
  ["I'm new to Kubernetes, so explain the terms", 'user', ['Kubernetes']],
  ["I'm colour-blind, red and green look the same", 'user', ['colour-blind']],
  ["I'm learning Danish and I have an exam in spring", 'user', ['Danish']],
  ['我是中学物理老师', 'user', ['物理老师']],
  ['我是做数据标注的，不懂代码', 'user', ['数据标注']],
  ['我在成都一家医院上班', 'user', ['成都', '医院']],
  ['我主要负责结算模块', 'user', ['结算']],
  ['我叫周敏，叫我小敏就行', 'user', ['周敏']],
  ['其实我是学法律的，刚转行', 'user', ['法律']],
  ['我是 freelance illustrator，主要画绘本', 'user', ['illustrator']],
  ['私は小学校の教師です', 'user', ['教師']],
  ['Ich bin Krankenpfleger und arbeite nachts', 'user', ['Krankenpfleger']],
  // decisions
  ['We decided to keep the monolith because nobody can staff three services.', 'project', ['monolith', 'staff']],
  ["We're going with Stripe instead of Adyen, their sandbox is better.", 'project', ['Stripe', 'Adyen']],
  [
    'Decision: the mobile app stays on React Native. Flutter was ruled out, no one knows Dart.',
    'project',
    ['React Native', 'Flutter'],
  ],
  ['The board agreed to postpone the hiring until the funding round closes.', 'project', ['hiring', 'funding']],
  ["we've chosen SQLite for the cache since it needs no server", 'project', ['SQLite', 'server']],
  ["We won't support IE because the library dropped it", 'project', ['IE']],
  ['我们决定用 Kafka，因为要回放消息', 'project', ['Kafka', '回放']],
  ['会上定了，二期不做多语言，预算不够', 'project', ['多语言', '预算']],
  ['最後選了 Vue，因為團隊只有一個人會 React', 'project', ['Vue', 'React']],
  ['结论是先不上微服务，人手不够', 'project', ['微服务', '人手']],
  ['跟老板敲定了，今年不换供应商', 'project', ['供应商']],
  ['we 决定 drop 掉 Windows 版, 因为没人用', 'project', ['Windows', '没人用']],
  // dates and owners
  ['The grant deadline is next Tuesday at noon.', 'project', ['2026-06-16', 'grant deadline']],
  ['Release 3.4 ships on July 2nd', 'project', ['3.4', 'July 2']],
  ['our data center migration starts in two weeks', 'project', ['2026-06-24', 'migration']],
  ['My passport expires at the end of next month', 'project|user', ['2026-07-31', 'passport']],
  ['Priya owns the checkout flow.', 'project', ['Priya', 'checkout']],
  ['The platform team is responsible for the ingress rules', 'project', ['platform team', 'ingress']],
  ['下周四验收，之前别动主分支', 'project', ['2026-06-18', '验收']],
  ['后天封版，封版以后只修严重问题', 'project', ['2026-06-12', '封版']],
  ['这个月底合同到期', 'project', ['2026-06-30', '到期']],
  ['支付网关由小林负责', 'project', ['小林', '支付网关']],
  ['數據組負責報表的口徑', 'project', ['數據組', '報表']],
  ['7月3日下午答辩', 'project', ['7月3日', '答辩']],
  ['来週の金曜が締切です', 'project', ['2026-06-19', '締切']],
  ['Die Abgabe ist nächsten Freitag', 'project', ['2026-06-19', 'Abgabe']],
  // where to look
  ['The runbooks live in Confluence under "Night Desk"', 'reference', ['Confluence', 'Night Desk']],
  ['our error dashboards are at https://sentry.quillmoor.example/teams/web', 'reference', ['sentry.quillmoor.example']],
  ['Check the Linear project "Harbor" first when I ask about bugs', 'reference', ['Linear', 'Harbor']],
  ['the design tokens come from https://tokens.dapplefield.example', 'reference', ['tokens.dapplefield.example']],
  ['API docs moved to https://docs.ternwick.example/v3', 'reference', ['docs.ternwick.example']],
  ['接口文档都放在语雀的“开放平台”里', 'reference', ['语雀', '开放平台']],
  ['日志要去 Kibana 查，地址是 https://logs.yunque.example', 'reference', ['logs.yunque.example']],
  ['设计稿在 Figma 的「商家端」文件里，改样式前先去那边看', 'reference', ['Figma', '商家端']],
  ['會議紀錄都存在 Google Drive 的「週會」資料夾', 'reference', ['Google Drive', '週會']],
  ['排班表在飞书的 "值守" 群', 'reference', ['飞书', '值守']],
  // workarounds and quirks
  ['Until the vendor fixes their API, retry twice on a 502.', 'project|feedback', ['vendor', '502']],
  ['As long as the old VPN is down, use the jump box lark-2.', 'project|feedback|reference', ['VPN', 'lark-2']],
  [
    'Workaround for the export crash: switch off the thumbnail cache.',
    'project|feedback',
    ['export crash', 'thumbnail cache'],
  ],
  ['等官方发布 2.1 再升级，现在先锁在 2.0.3', 'project|feedback', ['2.1', '2.0.3']],
  ['上游修好之前，临时用轮询代替推送', 'project|feedback', ['上游', '轮询']],
  ['staging is read-only every Sunday', 'project', ['read-only', 'Sunday']],
  ['每天凌晨两点数据库备份，这时候会很慢', 'project', ['凌晨两点', '备份']],
  ['We can only restart the cluster between 4 and 5 am', 'project|feedback', ['cluster', '4 and 5']],
]

describe('extractNotes keeps', () => {
  it.each(hits)('%s', (message, types, contains) => {
    const notes = extractNotes(conversation(message))
    expect(notes.map(({ type }) => type)).toEqual([expect.stringMatching(new RegExp(`^(?:${types})$`))])
    const [note] = notes
    for (const words of contains) expect(note?.body).toContain(words)
    expect(note?.evidence).toEqual([2])
    expect(note?.replaces).toBeNull()
    expect(note?.name).not.toBe('')
    expect(note?.name).not.toContain('\n')
    expect(note?.description).not.toContain('\n')
  })
})
