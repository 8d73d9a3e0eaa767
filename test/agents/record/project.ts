/** The invented project of a conversation, as a repository with one commit, and the commands that it calls. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Conversation } from './conversation.ts'

export function makeProject(root: string, conversation: Conversation): string {
  const project = join(root, conversation.project)
  for (const [file, text] of Object.entries(conversation.files)) {
    mkdirSync(dirname(join(project, file)), { recursive: true })
    writeFileSync(join(project, file), text)
  }
  const git = (...given: string[]) => execFileSync('git', ['-C', project, ...given])
  git('init', '-q', '-b', conversation.branch)
  git('config', 'user.name', 'Dev')
  git('config', 'user.email', 'dev@example.com')
  git('add', '.')
  git('commit', '-qm', 'Start')
  mkdirSync(join(root, 'bin'))
  for (const [name, seconds] of Object.entries({ npm: '41.20', pnpm: '6.11' })) {
    const lines = [' Test Files  12 passed (12)', '      Tests  212 passed (212)', `   Duration  ${seconds}s`]
    writeFileSync(join(root, 'bin', name), `#!/bin/sh\n${lines.map((line) => `echo '${line}'`).join('\n')}\n`)
    chmodSync(join(root, 'bin', name), 0o755)
  }
  return project
}
