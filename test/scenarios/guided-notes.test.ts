/** What the user says of an answer that followed a note it was shown: the note's trust falls or rises (spec W9, R10). */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Memory } from '../../src/domain/index.ts'
import { createReading, type Reading } from '../support/reading.ts'
import type { Said } from '../support/transcript.ts'
import { writeTranscript } from '../support/transcript.ts'

let it_: Reading
let memory: Memory
beforeEach(async () => {
  it_ = createReading()
  memory = await it_.open()
})
afterEach(() => it_.close())

const english = {
  text: 'Install packages with npm in this repository',
  ask: 'How do I install the packages of this repository?',
  answer: 'I install the packages of this repository with npm.',
}
const chinese = {
  text: '这个仓库安装依赖用 npm',
  ask: '这个仓库怎么安装依赖？',
  answer: '我在这个仓库用 npm 安装依赖。',
}

/** The note is kept, shown by a turn block, followed by the answer, and then the user says something of it. */
async function conversation({ text, ask, answer }: typeof english, user: string, isShown = true) {
  await memory.remember({ text, name: 'The note', type: 'feedback', layer: 'project' })
  const block = await memory.context({ agent: 'claude-code', prompt: ask })
  expect(block.entries).toHaveLength(1)
  const shown: Said[] = isShown ? [{ shown: block.text }] : []
  const file = writeTranscript(it_.shop, [{ user: ask }, ...shown, { assistant: answer }, { user }])
  await memory.capture({ file, agent: 'claude-code' })
  return memory.capture({ file, agent: 'claude-code' })
}
const trust = async () => (await memory.read('The note'))?.trust

describe('what the user says of an answer that followed a note [W9] [R10]', () => {
  it.each([
    [english, "no, that's wrong, we install packages with pnpm, not npm"],
    [english, "that is not right: this repository doesn't use npm"],
    [english, 'no, do not install packages with npm here'],
    [chinese, '不对，这个仓库安装依赖不用 npm'],
    [chinese, '不是这样，这个仓库用 pnpm，不要用 npm'],
  ])('a correction: the note that misled loses trust, once (%#: $1)', async (note, user) => {
    await conversation(note, user)
    expect(await trust()).toEqual({ value: 0.4, helped: 0, misled: 1 })
  })

  it.each([
    [english, "perfect. that's exactly what I wanted"],
    [english, 'yes exactly'],
    [chinese, '对，就是这样'],
    [chinese, '没错'],
    [chinese, '就是这个意思'],
  ])('a confirmation: the note that guided gains trust, once (%#: $1)', async (note, user) => {
    await conversation(note, user)
    expect(await trust()).toEqual({ value: 0.55, helped: 1, misled: 0 })
  })

  it.each([
    [english, 'thanks, what is left?', true],
    [chinese, '谢谢，还剩什么？', true],
    [english, "perfect. that's exactly what I wanted", false],
    [english, "no, that's wrong, we install packages with pnpm, not npm", false],
    [chinese, '对，就是这样', false],
  ])('neither, or a note that was not shown: nothing moves (%#: $1)', async (note, user, isShown) => {
    await conversation(note, user, isShown)
    expect(await trust()).toEqual({ value: 0.5, helped: 0, misled: 0 })
  })
})
