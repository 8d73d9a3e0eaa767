/** Whether a line of code defines a name, uses it, or only speaks of it. Pure; one reading for all languages. */

export type Mention = 'definition' | 'use' | 'words'

const introducers =
  'function\\*?|class|interface|type|enum|const|let|var|def|fn|func|fun|struct|trait|mod|module|namespace|record|object|val|macro_rules!|static|union|protocol|component|procedure|defp|defmodule|(?:table|function|view|index)(?:\\s+if\\s+not\\s+exists)?'
const modifiers =
  'public|private|protected|internal|static|async|readonly|override|abstract|final|get|set|export|default|declare|pub(?:\\([^)]*\\))?|mut|unsafe|const'
const textFile =
  /\.(?:mdx?|txt|rst|adoc|log|csv|tsv|svg|lock|snap|po|map)$|(?:^|\/)(?:package-lock\.json|pnpm-lock\.yaml|CHANGELOG|LICENSE)/i
const typedLanguage = /\.(?:java|kts?|cs|cc?|cpp|cxx|hh?|hpp|dart|swift|scala|m|mm|php|go)$/
const comment = /^\s*(?:\/\/|#(?![\w!])|\/?\*|--|<!--|;|%|"""|''')/

/** A longer line is generated, and defines nothing that a note speaks of. */
const MAX_LINE_LENGTH = 2_000

export interface Mentions {
  of(line: string, path: string): Mention
  /** The strongest mention in a whole text, or null. */
  in(text: string, path: string): Mention | null
  isIn(text: string): boolean
  /** The lines of a text that define it. */
  definingIn(text: string, path: string): readonly string[]
}

/** Reads the mentions of one name; its patterns are made once. */
export function mentionsOf(name: string): Mentions {
  const forms = definitionForms(name.replace(/\$/g, '\\$'))
  const of = (line: string, path: string): Mention => {
    if (textFile.test(path) || comment.test(line)) return 'words'
    const isTyped = typedLanguage.test(path)
    const own = [...forms.all, ...(path.endsWith('.rs') ? forms.rust : []), ...(isTyped ? forms.typed : [])]
    return own.some((form) => form.test(line)) ? 'definition' : 'use'
  }
  return {
    of,
    isIn: (text) => indexOfWord(text, name, 0) >= 0,
    in(text, path) {
      let strongest: Mention | null = null
      for (let at = indexOfWord(text, name, 0); at >= 0; at = indexOfWord(text, name, at + name.length)) {
        const start = text.lastIndexOf('\n', at) + 1
        const end = text.indexOf('\n', at)
        const line = text.slice(start, Math.min(end < 0 ? text.length : end, start + MAX_LINE_LENGTH))
        const mention = of(line, path)
        if (mention === 'definition') return mention
        if (strongest !== 'use') strongest = mention
      }
      return strongest
    },
    definingIn: (text, path) =>
      text
        .split('\n')
        .filter((line) => line.length <= MAX_LINE_LENGTH && indexOfWord(line, name, 0) >= 0)
        .filter((line) => of(line, path) === 'definition'),
  }
}

function definitionForms(word: string) {
  const end = '(?![\\w$])'
  return {
    all: [
      // function X, class X, func (r Receiver) X
      new RegExp(`(?:^|[\\s(;{])(?:${introducers})\\s+(?:\\([^)]*\\)\\s*)?(?:[\\w]+\\.)?${word}${end}`, 'i'),
      // A method: modifiers, the name, brackets, and a block that opens; no call with a function in it.
      new RegExp(
        `^\\s*(?:(?:${modifiers}|\\*)\\s+)*#?${word}\\s*(?:<[^>]*>)?\\s*\\((?![^)]*=>)[^;]*\\)?[^;=]*\\{\\s*(?:\\}|//.*)?$`,
      ),
      // The same with its body on the line.
      new RegExp(
        `^\\s*(?:(?:${modifiers}|\\*)\\s+)*#?${word}\\s*(?:<[^>]*>)?\\s*\\([^;{}]*\\)\\s*(?::[^;={}]+)?\\{[^{}].*\\}\\s*;?\\s*(?://.*)?$`,
      ),
      // A member, a constant, a key.
      new RegExp(`^\\s*(?:(?:${modifiers})\\s+)*#?${word}\\s*[?!]?\\s*(?::(?!:)|=(?![=>~]))`),
    ],
    rust: [new RegExp(`^\\s*${word}\\s*(?:[({,]|$)`)],
    typed: [
      new RegExp(`^\\s*${word}\\s+[\\w.*\\[\\]]+\\s*(?:=|\`|$)`),
      new RegExp(
        `^(?!\\s*(?:return|await|new|else|throw|yield|if|for|while|case|import|go|defer)\\b)[\\w\\s*&<>:,~\\[\\]?@]*[\\w*&>\\]]\\s+[*&]?${word}\\s*\\([^;=]*[){,]\\s*(?:const)?\\s*\\{?\\s*$`,
      ),
    ],
  }
}

function indexOfWord(text: string, word: string, from: number): number {
  for (let at = text.indexOf(word, from); at >= 0; at = text.indexOf(word, at + 1))
    if (!isWordCharacter(text[at - 1]) && !isWordCharacter(text[at + word.length])) return at
  return -1
}

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && /[\w$]/.test(character)
}
