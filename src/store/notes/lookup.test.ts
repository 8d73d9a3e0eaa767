import { describe, expect, it } from 'vitest'
import { findNotes } from './lookup.ts'

const note = (id: string, file: string, name: string) => ({ id, file, name })

const tea = note('01JD0000000000000000000A1B', 'user_tea.md', 'I like tea')
const morning = note('01JD0000000000000000000A1C', 'user_tea-morning.md', 'I like tea in the morning')
const nested = note('01JE0000000000000000000B22', 'work/project_release.md', 'Release plan')
const twin = note('01JF0000000000000000000C33', 'home/project_release.md', 'Release Plan!')
const chinese = note('01JG0000000000000000000D44', 'feedback_构建.md', '构建命令')
const notes = [tea, morning, nested, twin, chinese]

describe('BL-32 findNotes', () => {
  it.each<[string, string, { id: string } | { id: string }[] | null]>([
    ['a whole id', tea.id, tea],
    ['a whole id in lower case', tea.id.toLowerCase(), tea],
    ['a unique prefix of 6', '01JE00', nested],
    ['a unique prefix in lower case', '01jf000', twin],
    ['a shared prefix of 8', '01JD0000', [tea, morning]],
    ['a shared prefix of 25', '01JD0000000000000000000A1', [tea, morning]],
    ['a prefix of 5', '01JE0', null],
    ['a prefix of 2', 'a1', null],
    ['nothing', '', null],
    ['white space', '  \n', null],
    ['a per cent sign', '%', null],
    ['a star', '*', null],
    ['a star after a prefix', '01JE00*', null],
    ['a wildcard name', 'I like%', null],
    ['a truncated id with an ending', '01JE00…', null],
    ['an exact name that another name begins with', 'I like tea', tea],
    ['a part of a name', 'like', null],
    ['a name by its slug', 'i LIKE tea!', tea],
    ['two names of one slug', 'release-plan', [nested, twin]],
    ['the exact one of two names of one slug', 'Release Plan!', twin],
    ['a Chinese name', '构建命令', chinese],
    ['a file name', 'user_tea.md', tea],
    ['a file name without ending', 'user_tea-morning', morning],
    ['a file in a folder', 'work/project_release.md', nested],
    ['a file in a folder without ending', './home/project_release', twin],
    ['a file name that two folders have', 'project_release.md', [nested, twin]],
    ['a path outside', '../user_tea.md', null],
    ['an absolute path', '/etc/passwd', null],
    ['a regular expression', '.*', null],
    ['a control character', '\u{0}', null],
  ])('%s', (_, reference, expected) => {
    const found = findNotes(reference, notes)
    if (expected === null) expect(found).toBeNull()
    else expect(found).toEqual(Array.isArray(expected) ? { candidates: expected } : { match: expected })
  })

  it('names that differ only behind the cut of a file name are different names', () => {
    const long = '支付系统的对账任务每天凌晨三点开始运行并且在失败时通知值班'
    const [zhang, li] = [`${long}的张三`, `${long}的李四`].map((name, index) =>
      note(`01JL000000000000000000000${index}`, `project_${index}.md`, name),
    )
    expect(findNotes(`${long}的张三！`, [zhang, li] as never[])).toEqual({ match: zhang })
  })

  it('compares in one normal form', () => {
    const accented = note('01JH0000000000000000000E55', 'user_cafe\u{301}.md', 'cafe\u{301}')
    expect(findNotes('café', [accented])).toEqual({ match: accented })
    expect(findNotes('user_café', [accented])).toEqual({ match: accented })
  })

  it('the same name in two layers: both are candidates', () => {
    const copy = { ...tea, id: '01JK0000000000000000000F66' }
    expect(findNotes('I like tea', [tea, copy])).toEqual({ candidates: [tea, copy] })
  })
})
