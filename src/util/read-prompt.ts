/**
 * Prompts are Markdown files. The first line of one says its name and version and is not sent: it lets figures be told
 * apart by version (spec M6). What a prompt shares with others is put in at `{{name}}`.
 */

export interface Prompt {
  readonly name: string
  readonly version: number
  /** What a model reads; the same bytes for every call. */
  readonly text: string
}

const head = /^<!-- prompt ([a-z][a-z-]*), version (\d+) -->\n/

/** Throws on a file without that line, and on parts that are missing or not asked for: faults of ours. */
export function readPrompt(markdown: string, parts: Readonly<Record<string, string>> = {}): Prompt {
  const [line, name, version] = head.exec(markdown) ?? []
  if (line === undefined || name === undefined) throw new Error('a prompt begins with its name and version')
  return { name, version: Number(version), text: fillIn(markdown.slice(line.length).trim(), parts) }
}

function fillIn(template: string, parts: Readonly<Record<string, string>>): string {
  const unused = new Set(Object.keys(parts))
  const text = template.replace(/\{\{([A-Za-z]+)\}\}/g, (_whole, name: string) => {
    const part = Object.hasOwn(parts, name) ? parts[name] : undefined
    if (part === undefined) throw new Error(`a prompt asks for ${name}, which nobody gave`)
    unused.delete(name)
    return part.trim()
  })
  if (unused.size > 0) throw new Error(`a prompt does not ask for ${[...unused].join(', ')}`)
  return text
}
