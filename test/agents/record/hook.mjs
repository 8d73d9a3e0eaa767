// Stands for our hook while a fixture is recorded: gives the block of the conversation, nothing else.
import { readFileSync } from 'node:fs'

const [, , event, block] = process.argv
const { source } = JSON.parse(readFileSync(0, 'utf8'))
if (event === 'SessionStart' && source !== 'resume')
  console.log(
    JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: readFileSync(block, 'utf8') } }),
  )
