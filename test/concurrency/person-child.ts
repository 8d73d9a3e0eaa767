/**
 * A person with a shell: `node child.mjs <every ms> <file>…` appends one line to each file, again and again, without
 * any lock, until stdin ends. Prints `lines <count>`.
 */
import { appendFileSync } from 'node:fs'
import { argv, stdin, stdout } from 'node:process'

const [, , everyMs = '20', ...files] = argv
let count = 0
const timer = setInterval(() => {
  for (const file of files) appendFileSync(file, `by hand ${count}\n`)
  count++
}, Number(everyMs))

stdin.resume()
stdin.on('end', () => {
  clearInterval(timer)
  stdout.write(`lines ${count}\n`)
})
