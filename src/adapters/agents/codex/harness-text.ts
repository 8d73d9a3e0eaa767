/**
 * Texts that Codex itself puts into user rows and prompts: instructions of the project, the environment, skills, notices,
 * editor state. What stands in them was not typed by the user. Shared by the reader and the hooks, so that both judge
 * alike.
 */

/** Elements of the client, by the name of their tag (seen in clients 0.20 to 0.171). */
const harnessTag =
  /^<(agent_message_board|(?:catalog_)?apps_instructions|codex_[a-z_]+|collaboration_mode|environment_context|environments?_[a-z_]+|external_[a-z_]+|goal_[a-z_]+|heartbeat|hook_prompt|INSTRUCTIONS|memor(?:y|ies)_[a-z_]+|model_switch|multi_agent_[a-z_]+|permissions[ _]instructions|personality_spec|plugins_instructions|realtime_[a-z_]+|recommended_plugins|skills?(?:_instructions)?|subagent_[a-z_]+|system-reminder|token_budget|turn_aborted|user_action|user_instructions|user_shell_c[a-z]+)(?:\s[^<>]*)?>/

/** Openings without a tag: instruction files of the project, the summary that a compaction leaves, notices. */
const harnessOpening =
  /^(?:# ((?:AGENTS|CLAUDE)[A-Za-z.]*\.md instructions)\b|(Another language model started to solve this problem and produced a summary)|(The following is the Codex agent history)|(Warning: (?:The maximum number of unified exec|apply_patch was requested via)))/

const openingNames = ['agents-md', 'compact-summary', 'review-history', 'warning']

/** The tags round an image are pieces of their own. */
const imageTag = /^<\/?image(?: name=[^<>]*)?>$/

const editorState = '# Context from my IDE setup:'
/** Under this heading the editor extension writes the words of the user. */
const editorRequest = /^## My request for Codex:[ \t]*\r?\n?/gm

/** How an answer begins when the patch or the call of a tool was not carried out. */
export const refusal =
  /^(?:apply_patch verification failed|patch rejected|exec_command failed|unsupported call|aborted by user|aborted|rejected by user|failed to parse)/i

/** Name of the client's text that this one begins with, or null when it begins with words of the user. */
export function harnessName(text: string): string | null {
  const start = text.trimStart()
  const tag = harnessTag.exec(start)?.[1]
  if (tag !== undefined) return tag.replace(' ', '_')
  const opening = harnessOpening.exec(start)
  if (opening) return openingNames[opening.slice(1).findIndex((each) => each !== undefined)] ?? null
  return imageTag.test(start.trimEnd()) ? 'image' : null
}

/**
 * What the user typed: leading elements of the client that are closed are taken off, and so is the editor's state; the
 * rest is word for word. Empty when nothing of it was typed.
 */
export function wordsOfUser(text: string): string {
  let rest = text
  for (;;) {
    const name = harnessName(rest)
    if (name === null) return withoutEditorState(rest)
    const tag = harnessTag.exec(rest.trimStart())?.[1]
    // The files of instructions have a closing tag of their own; what has none is the client's to its end.
    const close = name === 'agents-md' ? '</INSTRUCTIONS>' : tag === undefined ? null : `</${tag}>`
    const end = close === null ? -1 : rest.indexOf(close)
    if (close === null || end < 0) return ''
    rest = rest.slice(end + close.length)
    if (rest.trim() === '') return ''
    rest = rest.replace(/^\s+/, '')
  }
}

function withoutEditorState(text: string): string {
  if (!text.startsWith(editorState)) return text
  // The last heading: what stands above it may be a file that holds the same words.
  const heading = [...text.matchAll(editorRequest)].at(-1)
  return heading ? text.slice(heading.index + heading[0].length) : ''
}
