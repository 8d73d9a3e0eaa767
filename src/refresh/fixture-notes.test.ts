import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { agents } from '../adapters/index.ts'
import { saysCorrection } from '../write/index.ts'
import { foldFacts } from './conversation-facts.ts'
import { factSections, newestLine } from './fact-sections.ts'
import { formatNote, sectionsFrom } from './note-document.ts'

const fixtures = join(import.meta.dirname, '../../test/fixtures/transcripts')

async function factsOf(agent: string, name: string) {
  const fold = foldFacts(0, { isCorrection: (content) => saysCorrection(content), isForgotten: () => false })
  for await (const batch of agents[agent]!.reader.read(join(fixtures, agent, `${name}.jsonl`))) fold.add(batch)
  return fold.facts()
}

function noteOf(facts: Awaited<ReturnType<typeof factsOf>>): string {
  const bullets = factSections(facts)
  const head = { session: 'a:b', updated: '2026-11-20T00:00:00Z', transcript: '/t', since: 0, readTo: 9, askedTo: 0 }
  return formatNote({ head, sections: sectionsFrom((section) => ({ facts: bullets[section], told: '' })) })
}

/** What a person would write in ten lines: knows Markdown and the labels, nothing of Keepsake. */
function askNote(note: string) {
  const section = (name: string) => new RegExp(`^# ${name}$([\\s\\S]*?)(?=^# |(?![\\s\\S]))`, 'm').exec(note)?.[1] ?? ''
  const labelled = (label: string) => new RegExp(`^- ${label}: (.*)$`, 'm').exec(note)?.[1] ?? null
  return {
    task: labelled('Task'),
    state: labelled('State'),
    nextStep: labelled('Next step'),
    files: [...section('Files and Functions').matchAll(/^- `([^`]+)`/gm)].map(([, path]) => path),
    lastError: labelled('Last error'),
    lastCommand: labelled('Last command'),
    corrections: [...section('Errors & Corrections').matchAll(/Correction: "(.*)"$/gm)].map(([, words]) => words),
  }
}

describe('a note without a model [F1]', () => {
  it('of a conversation with Claude Code answers a script', async () => {
    expect(askNote(noteOf(await factsOf('claude-code', 'first-light')))).toMatchInlineSnapshot(`
      {
        "corrections": [
          "Yes please. And no, don't use npm in this repository, use pnpm: npm rewrites the lockfile and then CI fails.",
        ],
        "files": [
          "CONTRIBUTING.md",
          "vitest.setup.ts",
          "src/cache.ts",
        ],
        "lastCommand": "\`git add vitest.setup.ts && git commit -qm "Start the station once per file: 212 starts cost 38 s" && git log --oneline -1\` → exit 0",
        "lastError": null,
        "nextStep": ""Three steps are left: the schema and its migration, moving \`src/predict.ts\` and \`src/export.ts\` over, and one test with two writers at once."",
        "state": "the agent has answered and waits for the user; it said last: "Three steps are left: the schema and its migration, moving \`src/predict.ts\` and \`src/export.ts\` over, and one test with two writers at once."",
        "task": ""The test suite takes 40 seconds. Can you find out why?"",
      }
    `)
  })

  it('of one in Chinese', async () => {
    expect(askNote(noteOf(await factsOf('claude-code', 'first-light-zh')))).toMatchInlineSnapshot(`
      {
        "corrections": [
          "改吧。不对，这个仓库不要用 npm，要用 pnpm：npm 会改写锁文件，CI 就会失败。",
        ],
        "files": [
          "CONTRIBUTING.md",
          "vitest.setup.ts",
          "src/cache.ts",
        ],
        "lastCommand": "\`git add vitest.setup.ts && git commit -qm "潮位站每个文件只启动一次：原来启动 212 次，多花 38 秒" && git log --oneline -1\` → exit 0",
        "lastError": null,
        "nextStep": ""还剩三步：表结构和迁移，把 \`src/predict.ts\` 与 \`src/export.ts\` 换过去，再加一个两个进程同时写的测试。"",
        "state": "the agent has answered and waits for the user; it said last: "还剩三步：表结构和迁移，把 \`src/predict.ts\` 与 \`src/export.ts\` 换过去，再加一个两个进程同时写的测试。"",
        "task": ""测试要跑 40 秒，帮我看看慢在哪里？"",
      }
    `)
  })

  it('of one with Codex', async () => {
    expect(askNote(noteOf(await factsOf('codex', 'first-light')))).toMatchInlineSnapshot(`
      {
        "corrections": [
          "Yes. And no, don't use console.log in this repository, use the logger: the output of the command is parsed.",
        ],
        "files": [
          "src/export.ts",
          "docs/export.md",
        ],
        "lastCommand": "\`cat src/export.ts src/cache.ts\` → exit 0",
        "lastError": null,
        "nextStep": ""Two steps are left: the Parquet writer, and a test that reads one year back."",
        "state": "the agent has answered and waits for the user; it said last: "Two steps are left: the Parquet writer, and a test that reads one year back."",
        "task": ""The export takes 9 seconds. Can you find out why?"",
      }
    `)
  })

  it('names the newest session in one line', async () => {
    const lines = [await factsOf('claude-code', 'first-light'), await factsOf('codex', 'first-light')].map(newestLine)
    expect(lines).toMatchInlineSnapshot(`
      [
        "The test suite takes 40 seconds. Can you find out why?; next: Three steps are left: the schema and its migration, moving \`src/predict.ts\` and \`src/export.ts\` over, a…",
        "The export takes 9 seconds. Can you find out why?; next: Two steps are left: the Parquet writer, and a test that reads one year back.",
      ]
    `)
  })

  it('the whole note is as it was looked at', async () => {
    await expect(noteOf(await factsOf('claude-code', 'first-light'))).toMatchFileSnapshot(
      '../../test/fixtures/session-notes/first-light.md',
    )
  })
})
