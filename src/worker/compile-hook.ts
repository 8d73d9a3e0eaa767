/**
 * Makes the compiled form of the hook's parts, once for each version of Node: at `install`, and by the worker when Node
 * was updated. The hook is run over a small home of its own below the temporary folder, so that the functions that real
 * hooks use are among those that are kept.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Surroundings } from '../config.ts'
import { homeFiles } from '../domain/index.ts'
import { messageOf } from '../errors.ts'
import { rehearseHook, wantsCompiledHook } from '../hooks/keep-compiled.ts'
import { createMemory } from '../index.ts'

/** What people write down: rules and facts, both languages, with and without a reason. */
const rehearsed = [
  {
    type: 'feedback',
    pin: true,
    name: 'Package manager',
    text: 'Use pnpm here, never npm: the lock file is for pnpm.',
  },
  { type: 'feedback', name: '回答语言', text: '请用中文回答，代码注释写英文。' },
  { type: 'user', name: 'Role', text: 'Works on the billing service and reviews its database migrations.' },
  { type: 'project', name: 'Deployment', text: 'Deploys go out on Tuesday.\n\n**Why:** the vendor is reachable then.' },
  { type: 'project', name: '发布流程', text: '发布之前先跑迁移测试，然后在 `src/release.ts:12` 更新版本号。' },
  { type: 'reference', name: 'Dashboard', text: 'Errors are at https://status.example.org/billing.' },
] as const

const transcript = [
  { type: 'user', uuid: 'u1', message: { role: 'user', content: 'How do we deploy?' } },
  { type: 'assistant', uuid: 'a1', message: { role: 'assistant', content: [{ type: 'text', text: 'On Tuesday.' }] } },
]

/** A sentence when it cannot be made, else null. Never throws: without it a hook is slower and otherwise the same. */
export async function compileHook(folder: string, around: Surroundings): Promise<string | null> {
  if (!wantsCompiledHook(folder)) return null
  try {
    const root = mkdtempSync(join(around.temporaryDirectory, 'keepsake-rehearsal-'))
    await rehearse(folder, root, around).finally(() => rmSync(root, { recursive: true, force: true }))
    return null
  } catch (error) {
    return `The compiled form of the hook could not be made: ${messageOf(error)}`
  }
}

async function rehearse(folder: string, root: string, around: Surroundings): Promise<void> {
  const place = { home: join(root, 'home'), cwd: join(root, 'code'), transcript: join(root, 'session.jsonl') }
  await makeHome(place, { ...around, environment: {}, userHome: root })
  const input = (fields: object) => ({ session_id: 's', cwd: place.cwd, transcript_path: place.transcript, ...fields })
  await rehearseHook({
    folder,
    ...place,
    environment: around.environment,
    agent: 'claude-code',
    events: [
      ['SessionStart', input({ source: 'startup' })],
      ['UserPromptSubmit', input({ prompt: 'Which package manager do we use, and when do we deploy?' })],
      ['UserPromptSubmit', input({ prompt: '发布之前要做什么？' })],
      ['Stop', input({})],
    ],
  })
}

async function makeHome(
  { home, cwd, transcript: file }: { home: string; cwd: string; transcript: string },
  around: Surroundings,
): Promise<void> {
  mkdirSync(join(cwd, '.git'), { recursive: true })
  mkdirSync(home, { mode: 0o700 })
  writeFileSync(join(home, homeFiles.config), '{"worker": false, "history": false}\n')
  writeFileSync(file, `${transcript.map((row) => JSON.stringify(row)).join('\n')}\n`)
  const memory = await createMemory({ home, cwd, surroundings: around })
  try {
    for (const note of rehearsed) await memory.remember({ ...note, layer: 'project' })
  } finally {
    await memory.close()
  }
}
