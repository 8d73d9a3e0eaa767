/**
 * Files that a shell command opens for its reader: `cat note.md`, `cd notes && sed -n 1,40p note.md`. Only what stands
 * there plainly: a word with a variable, a pattern or a substitution is no path, and a command that writes, counts or
 * searches many files opens none. Rather one too few than one too many.
 */
import { absolutePath } from './absolute-path.ts'

export interface Opened {
  /** `note`: by our own command, which takes any name of a note. */
  readonly by: 'note' | 'path'
  readonly reference: string
  /** Where a relative path begins; null: unknown. */
  readonly folder: string | null
}

/** UTF-16 units; a longer command is a script. */
const MAX_COMMAND = 4_000

const viewers = new Set(['cat', 'head', 'tail', 'nl', 'less', 'more', 'bat', 'batcat', 'sed'])
const searchers = new Set(['rg', 'grep', 'egrep', 'fgrep'])
/** What may stand behind a viewer in a pipe: the words still reach the reader. */
const filters = new Set([...viewers, ...searchers, 'cut', 'tr', 'fold', 'sort', 'uniq', 'awk'])

export function openedBy(command: string, cwd: string | null): Opened[] {
  if (command.length > MAX_COMMAND) return []
  let folder = cwd
  return pipesIn(command).flatMap((pipe) => {
    const [first, ...rest] = pipe
    if (!first) return []
    const [program, target] = first.words
    if (program?.text === 'cd') {
      folder = first.words.length === 2 && target?.isPlain ? absolutePath(target.text, folder) : null
      return []
    }
    const isSeen = rest.every(({ words, isPlain }) => isPlain && filters.has(words[0]?.text ?? ''))
    return isSeen && first.isPlain ? openedIn(first.words, folder) : []
  })
}

function openedIn([program, ...words]: readonly Word[], folder: string | null): Opened[] {
  const name = program?.text.replace(/^.*\//, '') ?? ''
  const options = words.filter(({ text }) => text.startsWith('-')).map(({ text }) => text)
  const others = words.filter(({ text }) => !text.startsWith('-'))
  const asPaths = (found: readonly Word[]) =>
    found.flatMap(({ text, isPlain }) =>
      isPlain && /\.md$/i.test(text) ? [{ by: 'path', reference: text, folder } as const] : [],
    )
  if (name === 'keepsake' || name === 'ks') {
    const [verb, reference] = others
    return verb?.text === 'read' && reference?.isPlain ? [{ by: 'note', reference: reference.text, folder }] : []
  }
  if (viewers.has(name)) {
    const changesFiles = name === 'sed' && options.some((option) => /^(?:-[a-zA-Z]*i|--in-place)/.test(option))
    return changesFiles ? [] : asPaths(others)
  }
  // The first word is what is searched for; lines of one file are read, names of files and counts are not.
  const isSearch =
    searchers.has(name) &&
    !options.some((option) =>
      /^(?:-[a-zA-Z]*[lLcqef]|--(?!(?:no-|line-|with-|ignore|smart|fixed|context)))/.test(option),
    )
  return isSearch && others.length === 2 ? asPaths(others.slice(1)) : []
}

interface Word {
  readonly text: string
  /** Nothing in it is replaced by the shell. */
  readonly isPlain: boolean
}

interface SimpleCommand {
  readonly words: readonly Word[]
  readonly isPlain: boolean
}

/** Commands joined by pipes, in order. What stands behind a text of its own (`<<`) is not looked at. */
function pipesIn(command: string): SimpleCommand[][] {
  const pipes: SimpleCommand[][] = []
  let pipe: SimpleCommand[] = []
  let words: Word[] = []
  let isPlain = true
  const endCommand = () => {
    if (words.length > 0) pipe.push({ words, isPlain })
    words = []
    isPlain = true
  }
  const endPipe = () => {
    endCommand()
    if (pipe.length > 0) pipes.push(pipe)
    pipe = []
  }
  const tokens = tokensIn(command)
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]
    if (!token) break
    if (token.kind === 'word') words.push(token)
    else if (token.text.startsWith('<<')) return pipes
    else if (token.text === '|') endCommand()
    else if (/^[&;\n|]+$/.test(token.text)) endPipe()
    // What goes to standard error is not what is read; its target is the next word.
    else if (/^2>/.test(token.text)) at += token.text.includes('&') ? 0 : 1
    else isPlain = false
  }
  endPipe()
  return pipes
}

type Token =
  | { readonly kind: 'word'; readonly text: string; readonly isPlain: boolean }
  | { readonly kind: 'sign'; readonly text: string }

const tokenPattern =
  /(?<sign>2>&1|2>>?|&>>?|<<<?-?|[<>]+|\|\||&&|[|;&\n(){}])|(?<comment>#[^\n]*)|(?<word>(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\|;&<>(){}])+)|(?<odd>['"\\])/gsu

function tokensIn(command: string): Token[] {
  return [...command.matchAll(tokenPattern)].flatMap(({ groups = {} }): Token[] => {
    if (groups.sign !== undefined) return [{ kind: 'sign', text: groups.sign }]
    if (groups.word !== undefined) return [{ kind: 'word', ...unquoted(groups.word) }]
    // A quote that does not end: nothing about the command is sure.
    return groups.odd === undefined ? [] : [{ kind: 'sign', text: '(' }]
  })
}

function unquoted(word: string): { readonly text: string; readonly isPlain: boolean } {
  const pieces = [...word.matchAll(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)|([^'"\\]+)/gsu)]
  const text = pieces.map(
    ([, single, double, escaped, bare]) => single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? bare ?? '',
  )
  const isPlain = pieces.every(
    ([, , double, , bare]) => !/(?<!\\)[$`]/.test(double ?? '') && !/[$`*?[\]!]/.test(bare ?? ''),
  )
  return { text: text.join(''), isPlain }
}
