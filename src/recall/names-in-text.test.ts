import { describe, expect, it } from 'vitest'
import { createNameFinder, isUsableName } from './names-in-text.ts'

const names = (name: string | string[], text: string, others: string[] = []) =>
  createNameFinder([name].flat(), others)(text).length

describe('createNameFinder [R10]', () => {
  it.each<[string, string, number]>([
    ['Ana', 'Ana reviews the parser', 1],
    ['Ana', "Ana's plan; ask ana or ANA", 3],
    ['Ana', 'a banana, an analysis, Anatol and manana', 0],
    ['Ana', 'Aña schreibt, Áná auch', 2],
    ['Ana Souza', 'Ana Souza and ana_souza and AnaSouza', 3],
    ['Ana Souza', 'Ana. Souza left', 0],
    ['Ana Souza', 'Ana met Souza', 0],
    ['Ana', '王小明和Ana在上海', 1],
    ['小王', '小王负责部署', 1],
    ['小王', '和小王一起', 1],
    ['小王', '《小王子》讲的是什么', 0],
    ['阿芙', '项目章由阿芙保管', 1],
    ['老欧', '归老欧，挂了就呼他', 1],
    ['高山', '高山流水是一首曲子', 0],
    ['王小明', '王小明和 Ana 负责', 1],
    ['玛丽·居里', '玛丽·居里的论文', 1],
    ['node.js', 'We use Node.js 24', 1],
    ['C++', 'The C++ part, not C', 1],
    ['k8s', 'k8s-prod runs', 1],
    ['Will', 'Will wrote it and it will stay', 1],
    ['Go', 'Go is used; go ahead', 1],
    ['May', 'we may ask May', 1],
  ])('%j in %j: %d', (name, text, count) => {
    expect(names(name, text)).toBe(count)
  })

  it('a longer name of somebody else is not the shorter one inside it', () => {
    expect(names(['Ana Souza', 'Ana'], 'Ana Lima pays; Ana asks', ['Ana Lima', 'Ana'])).toBe(1)
    expect(names('王小', '王小明负责', ['王小明'])).toBe(0)
  })

  it.each(['', ' ', 'a', '王', '!!', '🎉', 'x'])('%j cannot be looked for', (name) => {
    expect(isUsableName(name)).toBe(false)
    expect(names(name, `a 王 ${name} x`)).toBe(0)
  })
})
