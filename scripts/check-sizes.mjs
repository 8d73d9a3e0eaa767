#!/usr/bin/env node
// House sizes: files at most 500 lines (tests 800), functions at most 80. Exits 1 and names what is over.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const limits = { file: 500, test: 800, surface: 120, function: 80 }

const filesBelow = (directory) =>
  readdirSync(directory).flatMap((name) => {
    const path = join(directory, name)
    if (name === 'fixtures' || name === 'node_modules') return []
    return statSync(path).isDirectory() ? filesBelow(path) : /\.(ts|mjs)$/.test(name) ? [path] : []
  })

/** Longest function by indentation: a line that opens a function and the first line that closes at its indent. */
function longFunctions(lines) {
  const found = []
  lines.forEach((line, start) => {
    const match =
      /^(\s*)(?:export )?(?:async )?(?:function\*? (\w+)|(?:const )(\w+) = (?:async )?(?:\([^)]*\)|\w+)(?:: [^=]+)? =>|(?:async )?(\w+)\([^)]*\)(?:: [^{]+)?) ?\{$/.exec(
        line,
      )
    if (!match || /^\s*(if|for|while|switch|catch)\b/.test(line)) return
    const close = `${match[1]}}`
    const end = lines.findIndex((each, index) => index > start && each.startsWith(close))
    if (end - start > limits.function) found.push(`${match[2] ?? match[3] ?? match[4]} (${end - start + 1} lines)`)
  })
  return found
}

const over = ['src', 'test', 'scripts', 'examples'].flatMap(filesBelow).flatMap((path) => {
  const lines = readFileSync(path, 'utf8').split('\n')
  const isTest = path.endsWith('.test.ts') || path.startsWith('test/') || path.startsWith('src/testing/')
  const limit = isTest ? limits.test : /^src\/(cli\/commands|mcp\/tools)\//.test(path) ? limits.surface : limits.file
  const reports = lines.length > limit ? [`${path}: ${lines.length} lines (at most ${limit})`] : []
  return isTest
    ? reports
    : [...reports, ...longFunctions(lines).map((each) => `${path}: ${each}, at most ${limits.function}`)]
})
if (over.length > 0) {
  console.error(over.join('\n'))
  process.exit(1)
}
console.log('sizes ok')
