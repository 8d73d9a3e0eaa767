/**
 * How alike texts about different things look to a model, and whether it knows a language at all: an English model finds
 * any two Chinese sentences the same. Measured once for each model with sentences made for it, so that no figure of a
 * model has to be written down, and none of a data set is.
 */
import type { Embedder, EmbedOptions } from './embedder.ts'

/** Similarities of texts about different things: their mean, and how far they lie around it. */
export interface Spread {
  readonly mean: number
  readonly deviation: number
}

export interface Likeness {
  readonly dimensions: number
  /** Null: the model does not tell a related pair from an unrelated one in this kind of script. */
  readonly spaced: Spread | null
  readonly unspaced: Spread | null
}

type Pair = readonly [question: string, statement: string]

const SPACED: readonly Pair[] = [
  ['Which package manager does this project use?', 'Dependencies are installed with pnpm, never with npm.'],
  ['When is the birthday of my daughter?', 'Lena was born on the third of May.'],
  ['How do I deploy the website?', 'Pushing a tag builds the pages and uploads them to the server.'],
  ['What does Tom like to eat?', 'His favourite dish is mushroom risotto.'],
  ['Where did we go on holiday?', 'Last summer the family spent two weeks at a lake in Sweden.'],
  ['Why did the tests fail?', 'A race between two workers broke the build last night.'],
  ['Who repairs my car?', 'The garage of Mr Novak looks after the Volvo.'],
  ['Should answers be short?', 'Keep replies brief, without a summary at the end.'],
  ['Which book did I finish?', 'The novel about the lighthouse was read to the last page.'],
  ['How is the database backed up?', 'A copy of Postgres is stored every night at two.'],
  ['What is her job?', 'Mira teaches physics at a school in Oslo.'],
  ['Can I play the piano?', 'Music lessons began in March, on an old keyboard.'],
]

const UNSPACED: readonly Pair[] = [
  ['这个项目用什么包管理器？', '依赖只能用 pnpm 安装，不要用 npm。'],
  ['我女儿的生日是哪天？', '莉娜出生于五月三日。'],
  ['网站怎么发布？', '推送标签后会自动构建页面并上传到服务器。'],
  ['汤姆喜欢吃什么？', '他最爱的菜是蘑菇烩饭。'],
  ['我们去哪里度假了？', '去年夏天全家在瑞典的湖边住了两周。'],
  ['测试为什么失败了？', '昨晚两个进程互相竞争，构建坏了。'],
  ['谁修我的车？', '那辆沃尔沃由诺瓦克先生的车行保养。'],
  ['回答要简短吗？', '回复请简洁，结尾不要总结。'],
  ['我读完了哪本书？', '那本关于灯塔的小说已经看到最后一页。'],
  ['数据库怎么备份？', '每天凌晨两点会保存一份 Postgres 副本。'],
  ['她做什么工作？', '米拉在奥斯陆的一所学校教物理。'],
  ['我会弹钢琴吗？', '三月开始上音乐课，用的是一台旧键盘。'],
]

/** Rejects when the model cannot be used. */
export async function measureLikeness(embedder: Embedder, signal?: AbortSignal): Promise<Likeness> {
  const pairs = [...SPACED, ...UNSPACED]
  const texts = async (at: 0 | 1, use: EmbedOptions['use']) =>
    (
      await embedder.embed(
        pairs.map((pair) => pair[at]),
        { use, ...(signal ? { signal } : {}) },
      )
    ).map(unitOf)
  const [questions, statements] = [await texts(0, 'query'), await texts(1, 'document')]
  const of = (start: number, end: number) => spreadOf(questions.slice(start, end), statements.slice(start, end))
  return {
    dimensions: statements[0]?.length ?? 0,
    spaced: of(0, SPACED.length),
    unspaced: of(SPACED.length, pairs.length),
  }
}

function spreadOf(questions: readonly Float32Array[], statements: readonly Float32Array[]): Spread | null {
  const related: number[] = []
  const unrelated: number[] = []
  for (const [row, question] of questions.entries())
    for (const [column, statement] of statements.entries())
      (row === column ? related : unrelated).push(productOf(question, statement))
  const mean = meanOf(unrelated)
  const deviation = Math.sqrt(meanOf(unrelated.map((value) => (value - mean) ** 2)))
  return meanOf(related) > mean + deviation && Number.isFinite(deviation) ? { mean, deviation } : null
}

function unitOf(vector: Float32Array): Float32Array {
  const length = Math.sqrt(productOf(vector, vector))
  return vector.map((value) => value / length)
}

function productOf(left: Float32Array, right: Float32Array): number {
  return left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0)
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
