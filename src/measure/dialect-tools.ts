/** What the measured model can do: search and open memory as any client of the MCP server, and look into the working tree. */

import { escapeFenced, fence, safeText } from '../guard/index.ts'
import type { AgentTool } from '../models/index.ts'
import { cutMarkdown } from '../util/index.ts'
import type { ToolUseInRun } from './dialect-score.ts'

/** UTF-8 bytes of one file, and paths of one listing. */
const MAX_FILE_BYTES = 8_000
const MAX_FILE_LINES = 400
const MAX_LISTED = 200

/** The tools of a tree, given as its files. */
export function treeTools(tree: Readonly<Record<string, string>>): AgentTool[] {
  const path = { type: 'string', description: 'Path below the root of the project, such as src/main.ts.' }
  const parameters = { type: 'object', properties: { path }, additionalProperties: false }
  return [
    {
      name: 'list_files',
      description: 'List the files of the project, or those below one folder of it.',
      parameters,
      run: async (input) => listed(tree, pathIn(input)),
    },
    {
      name: 'read_file',
      description: 'Read one file of the project.',
      parameters: { ...parameters, required: ['path'] },
      run: async (input) => contentOf(tree, pathIn(input)),
    },
  ]
}

/** The same tools, each call written down. */
export function watched(tools: readonly AgentTool[], uses: ToolUseInRun[]): AgentTool[] {
  return tools.map((tool) => ({
    ...tool,
    run: async (input, signal) => {
      const result = await tool.run(input, signal)
      uses.push({ tool: tool.name, input, result })
      return result
    },
  }))
}

function listed(tree: Readonly<Record<string, string>>, folder: string): string {
  const paths = Object.keys(tree)
    .filter((each) => folder === '' || each.startsWith(`${folder}/`))
    .sort()
  if (paths.length === 0) return `There is nothing below ${shown(folder)}.`
  const more = paths.length > MAX_LISTED ? `\n${paths.length - MAX_LISTED} more are not listed.` : ''
  return `${fence('quoted', paths.slice(0, MAX_LISTED).join('\n'))}${more}`
}

function contentOf(tree: Readonly<Record<string, string>>, path: string): string {
  const text = Object.hasOwn(tree, path) ? tree[path] : undefined
  if (text === undefined) return `There is no file ${shown(path)}.`
  const cut = cutMarkdown(text, { maxLines: MAX_FILE_LINES, maxBytes: MAX_FILE_BYTES })
  return `${fence('quoted', safeText(cut, 'file').text)}${cut.length < text.length ? '\nThe rest is not shown.' : ''}`
}

function shown(path: string): string {
  return escapeFenced(JSON.stringify(path))
}

/** Of the input of these tools; empty is the root. */
export function pathIn(input: unknown): string {
  const path = typeof input === 'object' && input !== null && 'path' in input ? input.path : ''
  return typeof path === 'string' ? path.replace(/^(?:\.?\/)+|\/+$|^\.$/g, '') : ''
}
