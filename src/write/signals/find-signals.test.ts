import { describe, expect, it } from 'vitest'
import { findSignals, type SignalKind } from './find-signals.ts'

const kinds = (text: string, answersProposal = false) =>
  [...new Set(findSignals(text, { answersProposal }).map((signal) => signal.kind))].sort()

describe('findSignals', () => {
  it.each<[SignalKind, string]>([
    ['correction', "that's wrong, the header is missing"],
    ['correction', 'you misunderstood me'],
    ['correction', 'no, use pnpm'],
    ['correction', 'redo it'],
    ['correction', '不对，重新来'],
    ['correction', '不是这样'],
    ['correction', '你理解错了'],
    ['correction', '別這樣做'],
    ['correction', '别再用 var 了'],
    ['correction', '改用 yarn'],
    ['reinforcement', 'yes exactly'],
    ['reinforcement', "that's what I wanted"],
    ['reinforcement', '就是这样'],
    ['reinforcement', '完全正确'],
    ['reinforcement', '繼續保持'],
    ['preference', 'I really prefer tabs'],
    ['preference', 'my favourite shell is fish'],
    ['preference', '我更喜欢深色主题'],
    ['preference', '我討厭彈窗'],
    ['identity', "I'm a nurse"],
    ['identity', 'my job is teaching'],
    ['identity', '我是后端工程师'],
    ['identity', '我在醫院上班'],
    ['goal', 'I plan to retire in May'],
    ['goal', '我的目标是一年内上线'],
    ['decision', "let's go with Redis"],
    ['decision', 'we decided to drop IE'],
    ['decision', '最后决定用 SQLite'],
    ['decision', '就用这个方案'],
    ['keep', 'please remember that the pool closes at six'],
    ['keep', 'note for later: the key is under the mat'],
    ['keep', 'save this for later please'],
    ['keep', '记住，周五不发版'],
    ['keep', '帮我记一下：会议室在三楼'],
    ['keep', '幫我記一下會議室'],
    ['keep', '覚えておいてください'],
    ['from-now-on', 'from now on answer in French'],
    ['from-now-on', 'always for me: short answers'],
    ['from-now-on', 'going forward, squash the commits'],
    ['from-now-on', '以后都用中文回复'],
    ['from-now-on', '默认用暗色'],
    ['from-now-on', '以後一律走代理'],
    ['from-now-on', 'ab jetzt bitte kurz'],
  ])('finds %s in %s', (kind, text) => {
    expect(kinds(text)).toContain(kind)
  })

  it.each<[SignalKind, string]>([
    ['keep', 'do you remember the password policy?'],
    ['keep', 'I remember that day'],
    ['keep', "I can't remember the name"],
    ['keep', '你还记得吗'],
    ['from-now-on', 'it should always have been called that'],
    ['from-now-on', 'never mind'],
    ['from-now-on', 'it has never worked'],
    ['from-now-on', '以后再说吧'],
    ['from-now-on', '两天以后看'],
    ['from-now-on', '上线以后再看日志'],
    ['from-now-on', '默认值是三'],
    ['reinforcement', '对账单发我'],
    ['reinforcement', '对'],
    ['reinforcement', 'right'],
    ['correction', '不对外开放'],
    ['correction', '别人的代码'],
    ['identity', '他说我是否同意'],
  ])('does not find %s in %s', (kind, text) => {
    expect(kinds(text)).not.toContain(kind)
  })

  it('takes a bare 对 or yes as reinforcement only when it answers a proposal', () => {
    for (const text of ['对', '對', '对。', 'yes', 'right!']) {
      expect(kinds(text)).toEqual([])
      expect(kinds(text, true)).toEqual(['reinforcement'])
    }
    expect(kinds('对接文档在哪', true)).toEqual([])
  })

  it('lets a correction silence reinforcement in the same message', () => {
    expect(kinds('yes exactly. no wait, that is wrong')).toEqual(['correction'])
    expect(kinds('完全正确，不对，这里弄错了')).toEqual(['correction'])
  })

  it('reports cue and span', () => {
    expect(findSignals('well, from now on use tabs')).toEqual([
      { kind: 'from-now-on', cue: 'en-from-now-on', start: 6, end: 17 },
    ])
  })

  it("takes the user's own tables", () => {
    const tables = [{ kind: 'keep' as const, cues: [{ id: 'mine', pattern: 'zapamiętaj' }] }]
    expect(findSignals('Zapamiętaj: drzwi', { tables })).toEqual([{ kind: 'keep', cue: 'mine', start: 0, end: 10 }])
    expect(findSignals('Zapamiętaj: drzwi')).toEqual([])
  })

  it('stays fast on hostile text', () => {
    const start = performance.now()
    for (const text of ['I really '.repeat(20_000), '每次'.repeat(20_000), 'no '.repeat(40_000)]) findSignals(text)
    expect(performance.now() - start).toBeLessThan(2_000)
  })
})
