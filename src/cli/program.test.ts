import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { withNestedHelp } from './program.ts'

const program = new Command('keepsake')
program.command('remember')
for (const group of ['review', 'config']) program.command(group).command('approve')

describe('help for a command inside a command', () => {
  it.each([
    ['help review approve', 'review approve --help'],
    ['help config set', 'config set --help'],
    ['help review', 'help review'],
    ['help', 'help'],
    ['remember help me', 'remember help me'],
    ['help remember a thing', 'help remember a thing'],
    ['help nope approve', 'help nope approve'],
  ])('%s', (words, expected) => {
    expect(withNestedHelp(['node', 'cli.js', ...words.split(' ')], program)).toEqual([
      'node',
      'cli.js',
      ...expected.split(' '),
    ])
  })
})
