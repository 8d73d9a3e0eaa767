/**
 * The template of session notes and the prompt that asks for them: ours, or those that a person put beside the notes
 * (`session-notes/template.md`, `session-notes/prompt.md`). One that cannot be used is named and ours holds. Pure.
 */
import { estimateTokenCount } from 'tokenx'
import { sessionNoteSections } from '../domain/index.ts'
import { redact } from '../guard/index.ts'
import { readPrompt } from '../util/index.ts'
import ownPromptFile from './prompts/session-note.md'
import ownTemplate from './templates/session-note.md'

/** Both stand in every question to a model. */
const MAX_TEMPLATE_TOKENS = 2_000
const MAX_PROMPT_TOKENS = 4_000

export interface NoteWording {
  /** The system prompt, with the template in it. */
  readonly system: string
  /** Lines of the template that are no headings: no part of a note. */
  readonly rules: readonly string[]
  /** Sentences about what a person wrote and that cannot be used. */
  readonly problems: readonly string[]
}

export interface OwnWording {
  readonly template: string | null
  readonly prompt: string | null
}

export function readWording({ template, prompt }: OwnWording): NoteWording {
  const templateProblem = template === null ? null : problemOfTemplate(template)
  const promptProblem = prompt === null ? null : problemOfPrompt(prompt)
  const usedTemplate = template === null || templateProblem !== null ? ownTemplate : mask(template)
  const usedPrompt = prompt === null || promptProblem !== null ? ownPrompt : mask(prompt)
  return {
    system: usedPrompt.replace(PLACE, () => usedTemplate.trim()),
    rules: usedTemplate.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('# ')),
    problems: [
      ...(templateProblem === null ? [] : [`session-notes/template.md is not used: ${templateProblem}`]),
      ...(promptProblem === null ? [] : [`session-notes/prompt.md is not used: ${promptProblem}`]),
    ],
  }
}

const PLACE = '{{template}}'
const ownPrompt = readPrompt(ownPromptFile, { template: PLACE }).text

function mask(text: string): string {
  return redact(text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')).text
}

function problemOfTemplate(template: string): string | null {
  const lines = mask(template).split('\n')
  const headings = lines.filter((line) => line.startsWith('# ')).map((line) => line.slice(2).trim())
  const unknown = headings.find((heading) => !sessionNoteSections.some((name) => name === heading))
  if (unknown !== undefined)
    return `it has a section ${JSON.stringify(unknown.slice(0, 80))}; the ten sections are fixed`
  const missing = sessionNoteSections.find((name) => !headings.includes(name))
  if (missing !== undefined) return `the section "# ${missing}" is missing`
  const misplaced = sessionNoteSections.find((name, at) => headings[at] !== name)
  if (misplaced !== undefined || headings.length > sessionNoteSections.length)
    return `"# ${misplaced ?? headings.at(-1)}" stands twice or in another place; keep the order of the ten sections`
  const empty = sessionNoteSections.find((name) => !hasRule(lines, name))
  if (empty !== undefined) return `"# ${empty}" has no rule under it`
  return tooLong(template, MAX_TEMPLATE_TOKENS)
}

function hasRule(lines: readonly string[], name: string): boolean {
  const rest = lines.slice(lines.findIndex((line) => line.startsWith('# ') && line.slice(2).trim() === name) + 1)
  const end = rest.findIndex((line) => line.startsWith('# '))
  return rest.slice(0, end < 0 ? undefined : end).some((line) => line.trim() !== '')
}

function problemOfPrompt(prompt: string): string | null {
  if (prompt.split(PLACE).length !== 2) return `it must hold ${PLACE} once, where the template is to stand`
  return tooLong(prompt, MAX_PROMPT_TOKENS)
}

function tooLong(text: string, maxTokens: number): string | null {
  const tokens = estimateTokenCount(text)
  return tokens <= maxTokens ? null : `it has ${tokens} tokens, at most ${maxTokens} are read`
}
