import { describe, expect, it } from 'vitest'
import type { AnchorVerdict } from './anchor.ts'
import { isWorkaround, workaroundWarning } from './workaround.ts'

describe('isWorkaround (BL-91)', () => {
  it.each([
    ['The runner sometimes exits 1, ignore'],
    ['The e2e job sometimes fails on the first try; just re-run it'],
    ['Workaround: start the dev server twice'],
    ['Skip the flaky checkout test on CI'],
    ['Certificate warnings of the staging proxy are harmless, ignore them'],
    ['For now the cache is switched off by hand'],
    ['CI 偶尔会报错，先忽略'],
    ['检查脚本偶尔失败，重跑一次即可'],
    ['登录接口超时暂时跳过'],
    ['用旧证书绕过网关校验'],
    ['临时办法：把端口改成 8081'],
  ])('is one: %s', (text) => {
    expect(isWorkaround(text)).toBe(true)
  })

  it.each([
    ['Never ignore a failing test, whoever says it is flaky'],
    ["Don't skip the error path in reviews"],
    ['Skip the preamble and answer at once'],
    ['Ignore generated files when linting'],
    ['Errors of the parser carry a line number'],
    ['Deploy failures go to Mira'],
    ['Use pnpm, never npm'],
    ['不要忽略测试失败'],
    ['切勿绕过代码评审'],
    ['失败时返回错误码 3'],
    ['跳过开场白，直接回答'],
    [''],
  ])('is none: %s', (text) => {
    expect(isWorkaround(text)).toBe(false)
  })
})

describe('workaroundWarning (BL-91)', () => {
  const nowMs = Date.parse('2026-11-29T09:00:00Z')
  const text = 'The runner sometimes exits 1, ignore'
  const of = (verdict: AnchorVerdict['verdict']): AnchorVerdict[] => [
    { kind: 'path', anchor: 'ci/run.sh', verdict, detail: null },
  ]
  it.each<[string, string | null, AnchorVerdict[], boolean]>([
    ['an old one', '2026-11-17T09:00:00Z', [], true],
    ['an old one whose file is there: that says nothing about the fault', '2026-11-17T09:00:00Z', of('holds'), true],
    ['an undated one', null, of('holds'), true],
    ['one of today that cannot be checked', '2026-11-29T08:00:00Z', of('not checkable'), true],
    ['one of today whose file is gone', '2026-11-29T08:00:00Z', of('gone'), true],
    ['one of today that holds', '2026-11-29T08:00:00Z', of('holds'), false],
  ])('%s', (_, updated, verdicts, warned) => {
    expect(workaroundWarning({ text, updated, verdicts }, nowMs) !== null).toBe(warned)
  })

  it('speaks of no error away, in either language', () => {
    const asked = { text, updated: null, verdicts: [] }
    expect(workaroundWarning(asked, nowMs)).toContain('may no longer hold. It is no reason to ignore an error')
    expect(workaroundWarning(asked, nowMs, 'zh')).toContain('不是忽略报错的理由')
    expect(workaroundWarning({ ...asked, text: 'Use pnpm' }, nowMs)).toBeNull()
  })
})
