#!/usr/bin/env node
// Plays the main job of Keepsake through its public command line, in a temporary home:
// one conversation is captured, a few notes appear, the next conversation starts with them.
//
//   npm start                          the bundled conversation
//   npm start -- --transcript FILE     any other conversation of Claude Code
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const here = dirname(fileURLToPath(import.meta.url))
const cli = resolve(here, '../../dist/cli.js')
const { transcript, keep } = readParameters()
const root = realpathSync(mkdtempSync(join(tmpdir(), 'keepsake-demo-')))
const home = join(root, '.keepsake')
const project = join(root, 'tidepool')
const bold = process.stdout.isTTY ? (text) => `\u001b[1m${text}\u001b[0m` : (text) => text
let failed = false

function readParameters() {
  try {
    const { values } = parseArgs({
      options: { transcript: { type: 'string' }, keep: { type: 'boolean', default: false } },
    })
    return { ...values, transcript: values.transcript ? resolve(process.env.INIT_CWD ?? '.', values.transcript) : null }
  } catch (error) {
    console.error(`${error.message}\n  npm start -- [--transcript FILE] [--keep]`)
    process.exit(2)
  }
}

/** Runs one command as a person would type it, and shows both. */
function keepsake(parameters, { input, quiet = false, mayFail = false } = {}) {
  if (!quiet)
    console.log(
      bold(
        `\n$ keepsake ${parameters.map((each) => (/[^\w./:-]/.test(each) ? JSON.stringify(each) : each)).join(' ')}`,
      ),
    )
  const environment = { ...process.env, HOME: root, KEEPSAKE_HOME: home }
  const run = spawnSync(process.execPath, [cli, ...parameters], {
    cwd: project,
    env: environment,
    input: input ?? '',
    encoding: 'utf8',
  })
  if (run.status !== 0 && !mayFail) failed = true
  if (!quiet) console.log(`${run.stdout}${run.stderr}`.trimEnd().replaceAll(home, '~/.keepsake').replaceAll(root, '~'))
  return run.stdout
}

function step(number, title, why) {
  console.log(bold(`\n${'─'.repeat(72)}\n${number}. ${title}`))
  if (why) console.log(why)
}

/** The conversation as if it had been held in the demo's own project folder. */
function prepare() {
  mkdirSync(join(project, '.git/objects'), { recursive: true })
  mkdirSync(join(project, '.git/refs/heads'), { recursive: true })
  writeFileSync(join(project, '.git/HEAD'), 'ref: refs/heads/main\n')
  mkdirSync(home, { mode: 0o700 })
  // The hooks of the demo would start a background worker that outlives it.
  writeFileSync(join(home, 'config.json'), '{"worker": false}\n')
  const source = transcript ?? resolve(here, '../../test/fixtures/transcripts/claude-code/first-light.jsonl')
  const file = join(root, 'conversation.jsonl')
  let text
  try {
    text = readFileSync(source, 'utf8')
  } catch (error) {
    console.error(
      `Cannot read ${source}: ${error.message}\n  npm start -- --transcript FILE takes a transcript of Claude Code (.jsonl).`,
    )
    rmSync(root, { recursive: true, force: true })
    process.exit(3)
  }
  writeFileSync(
    file,
    text.replace(/"cwd":"(?:[^"\\]|\\.)*"/g, () => `"cwd":${JSON.stringify(project)}`),
  )
  return file
}

function hook(event, input) {
  const out = keepsake(['hook', 'claude-code', event], {
    input: JSON.stringify({ hook_event_name: event, session_id: 'next', cwd: project, ...input }),
    quiet: true,
  })
  return out === '' ? '' : JSON.parse(out).hookSpecificOutput.additionalContext
}

function spoken() {
  // Without any SQLite the notes work and conversations wait: the answer is then an error document.
  const { sessions = [] } = JSON.parse(keepsake(['sessions', 'list', '--json'], { quiet: true, mayFail: true }))
  const shown = sessions[0]
  if (!shown) return []
  const { messages } = JSON.parse(keepsake(['sessions', 'show', shown.id, '--limit', '500', '--json'], { quiet: true }))
  return messages
    .filter(({ role }) => role !== 'tool')
    .map(({ role, content }) => `${role === 'user' ? 'you  ' : 'agent'}  ${content.replace(/\s+/g, ' ').slice(0, 110)}`)
}

function main() {
  const file = prepare()
  console.log(
    bold('Keepsake, first light') +
      `\nEverything happens in ${root}, ${keep ? 'which stays (--keep)' : 'which is removed at the end'}. No network, no key, no model.`,
  )

  step(
    1,
    'A conversation with Claude Code is captured',
    'After each turn a hook does this by itself. The words are kept (secrets masked); what lasts becomes notes.',
  )
  const report = keepsake(['capture', file])
  const lines = spoken()
  if (lines.length > 0)
    console.log(
      `\nWhat was said, as Keepsake keeps it (${lines.length} messages, tools left out here):\n` +
        lines
          .slice(0, 14)
          .map((line) => `  ${line}`)
          .join('\n') +
        (lines.length > 14 ? `\n  … and ${lines.length - 14} more` : ''),
    )

  step(2, 'The notes are plain Markdown files that you own')
  keepsake(['list'])
  const { notes } = JSON.parse(keepsake(['list', '--json'], { quiet: true }))
  if (notes[0])
    console.log(
      `\n${bold(`$ cat ${notes[0].file.replace(home, '~/.keepsake')}`)}\n${readFileSync(notes[0].file, 'utf8').trimEnd()}`,
    )

  step(
    3,
    'The next conversation starts with them',
    'This is what the SessionStart hook gives to the agent, once, within a fixed budget:',
  )
  console.log(
    hook('SessionStart', { source: 'startup' })
      .split('\n')
      .map((line) => `  │ ${line}`)
      .join('\n'),
  )

  step(4, 'A question is recalled')
  const question = transcript ? (notes[0]?.description ?? 'what did we decide') : 'why not npm?'
  keepsake(['recall', question, '--limit', '3'])

  step(5, 'A fact is forgotten, and does not come back')
  if (notes[0]) {
    keepsake(['forget', notes[0].id, '--yes'])
    console.log('\nThe same conversation, read once more from the start:')
    copyFileSync(file, join(root, 'again.jsonl'))
    keepsake(['capture', join(root, 'again.jsonl')])
    keepsake(['list'])
  } else console.log('Nothing was kept from this conversation, so there is nothing to forget.')

  console.log(bold(`\n${'─'.repeat(72)}\nUse it for real`))
  console.log(
    '  npm install -g .                 put `keepsake` on your PATH\n  keepsake install claude-code     hooks and MCP, taken out again by `uninstall`\n  keepsake status                  what is kept, and whether it works',
  )
  return report
}

try {
  main()
} finally {
  if (keep) console.log(`\nKept: ${root}`)
  else rmSync(root, { recursive: true, force: true })
}
if (failed) {
  console.error('\nA step failed; see above.')
  process.exit(1)
}
