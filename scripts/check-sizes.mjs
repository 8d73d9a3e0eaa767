#!/usr/bin/env node
// House sizes: files at most 500 lines (tests 800), functions at most 80. Exits 1 and names what is over.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

const limits = { file: 500, test: 800, surface: 120, function: 80 }

const filesBelow = (directory) =>
  readdirSync(directory).flatMap((name) => {
    const path = join(directory, name)
    if (name === 'fixtures' || name === 'node_modules') return []
    return statSync(path).isDirectory() ? filesBelow(path) : /\.(ts|mjs)$/.test(name) ? [path] : []
  })

/** Lines of a function without those of functions in it, which count on their own: many small methods are no long one. */
function longFunctions(path, text) {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const lineAt = (position) => file.getLineAndCharacterOfPosition(position).line
  const found = []
  const nameOf = ({ name, parent }) => name?.getText(file) ?? parent.name?.getText(file) ?? 'a function'
  // Gives the lines that are counted already.
  const visit = (node) => {
    let within = 0
    ts.forEachChild(node, (child) => {
      within += visit(child)
    })
    if (!ts.isFunctionLike(node) || !node.body) return within
    const lines = lineAt(node.end) - lineAt(node.getStart(file)) + 1
    if (lines - within > limits.function) found.push(`${nameOf(node)} (${lines - within} lines)`)
    return lines - 1
  }
  visit(file)
  return found
}

const over = ['src', 'test', 'scripts', 'examples'].flatMap(filesBelow).flatMap((path) => {
  const text = readFileSync(path, 'utf8')
  const lines = text.split('\n')
  const isTest = path.endsWith('.test.ts') || path.startsWith('test/') || path.startsWith('src/testing/')
  const limit = isTest ? limits.test : /^src\/(cli\/commands|mcp\/tools)\//.test(path) ? limits.surface : limits.file
  const reports = lines.length > limit ? [`${path}: ${lines.length} lines (at most ${limit})`] : []
  return isTest
    ? reports
    : [...reports, ...longFunctions(path, text).map((each) => `${path}: ${each}, at most ${limits.function}`)]
})
if (over.length > 0) {
  console.error(over.join('\n'))
  process.exit(1)
}
console.log('sizes ok')
