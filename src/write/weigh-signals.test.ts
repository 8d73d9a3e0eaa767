import { describe, expect, it } from 'vitest'
import type { ContextMessage } from './capture-run.ts'
import { type ShownNote, trustStepsOf } from './weigh-signals.ts'

const shown: readonly ShownNote[] = [
  { id: 'npm', name: 'package manager', type: 'feedback', description: 'Install packages with npm in this repository' },
  { id: 'deploy', name: 'deploys', type: 'project', description: 'Deploys go out on Fridays at noon' },
  { id: 'zh', name: '包管理', type: 'feedback', description: '这个仓库安装依赖用 npm' },
]

function said(lines: readonly string[], notes = shown) {
  const messages = lines.map((line, at): ContextMessage => {
    const [, role = '', content = ''] = /^(user|assistant|tool): ([\s\S]*)$/.exec(line) ?? []
    return {
      id: `m${at}`,
      role: role === 'user' || role === 'assistant' ? role : 'tool',
      content,
      toolName: null,
      time: `2026-05-12T10:0${at}:00.000Z`,
      hash: `h${at}`,
      nativeId: `m${at}`,
      writtenTime: null,
    }
  })
  const steps = trustStepsOf({ messages, from: 0, session: 's', shown: notes, cues: [], now: 0 })
  return steps.map(({ note, signal }) => `${note} ${signal}`)
}

describe('what was said about a note that was shown [W9] [R10]', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    [
      'a correction',
      ['assistant: I install the packages with npm.', "user: no, that's wrong, we use pnpm, not npm"],
      ['npm misled'],
    ],
    [
      'another one',
      ['assistant: The deploy goes out on Friday at noon.', 'user: that is not right, deploys moved to Tuesdays'],
      ['deploy misled'],
    ],
    ['one in Chinese', ['assistant: 我用 npm 安装依赖。', 'user: 不对，这个仓库安装依赖不用 npm'], ['zh misled']],
    [
      'praise',
      [
        'assistant: I installed the packages with npm in this repository.',
        "user: perfect. that's exactly what I wanted",
      ],
      ['npm helped'],
    ],
    ['praise in Chinese', ['assistant: 依赖已经用 npm 安装到这个仓库。', 'user: 对，就是这样'], ['zh helped']],
    [
      'a bare yes to a proposal',
      ['assistant: Shall I install the packages with npm in this repository?', 'user: yes'],
      ['npm helped'],
    ],
    ['a bare 对 to a proposal', ['assistant: 要不要在这个仓库用 npm 安装依赖？', 'user: 对'], ['zh helped']],
    [
      'both in one message',
      ['assistant: I installed the packages with npm.', "user: yes exactly, but npm is wrong here, that's wrong"],
      ['npm misled'],
    ],
  ])('%s', (_, lines, steps) => {
    expect(said(lines)).toEqual(steps)
  })

  it.each<[string, readonly string[]]>([
    [
      'a bare yes that answers nothing',
      ['assistant: The packages are installed with npm in this repository.', 'user: yes'],
    ],
    ['a bare 对 that answers nothing', ['assistant: 依赖已经用 npm 安装到这个仓库。', 'user: 对']],
    ['a correction of something else', ['assistant: I made the header blue.', 'user: wrong, the header must be red']],
    ['a correction that names nothing', ['assistant: I install the packages with npm.', 'user: wrong. try again']],
    ['praise for something else', ['assistant: The header is blue.', "user: perfect. that's exactly what I wanted"]],
    [
      'words of the assistant',
      ['user: next', "assistant: that's wrong, npm does not install the packages of this repository"],
    ],
    ['words of a tool', ['user: install the packages', "tool: that's wrong, npm cannot install packages"]],
  ])('none: %s', (_, lines) => {
    expect(said(lines)).toEqual([])
  })

  it('a note that was not shown is not weighed', () => {
    const lines = ['assistant: I install the packages with npm.', "user: no, that's wrong, we use pnpm, not npm"]
    expect(said(lines, [])).toEqual([])
  })
})
