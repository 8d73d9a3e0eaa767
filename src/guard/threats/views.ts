/**
 * Two readings of a text for the threat patterns. Both fold what looks alike (NFKC, full-width, Cyrillic and Greek
 * twins, small capitals, accents, traditional Chinese) and drop characters that show nothing. `prose` is lower case
 * with every run of white space and markup as one space, none beside Chinese characters, so that broken lines,
 * quotes and emphasis do not hide a sentence. `command` keeps lines, case and signs, and joins continued lines.
 * Both know the line of the original that a place came from.
 */
import { expression, madeOnce } from '../expression.ts'

export interface View {
  readonly text: string
  /** The text in lower case, for a cheap first look; offsets may differ. */
  readonly lowered: string
  /** 1-based line of the original text. */
  lineAt(offset: number): number
}

const twins = mapOf(
  'аaеeоoрpсcуyхxіiѕsјjһhԁdԛqԝwкkмmтtвbнhгrиuпnзз',
  'αaεeιiοoρpνvκkτtυuχxηnγyςsωw',
  'ɪiɢgɴnᴏoʀrᴇeᴀaʙbᴄcᴅdꜰfʜhᴊjᴋkʟlᴍmᴘpꜱsᴛtᴜuᴠvᴡwʏyᴢzıiɡgɑaɩiℓl',
  "’'‘'ʼ'＇'‐-‑-–-—-−-",
)

/** Traditional forms of the characters that the Chinese patterns use. */
const simplified = mapOf(
  '視视規规則则從从遵遵統统無无違违絕绝對对戶户設设權权員员發发現现開开啟启處处應应這这個个們们會会執执',
  '關关閉闭運运點点連连網网絡络傳传送送號号碼码鑰钥證证憑凭環环變变數数檔档讀读寫写顯显寄寄輸输內内',
  '將将給给請请須须務务必必記记憶忆儲储長长期期機机進进當当裝装隱隐瞞瞒導导過过濾滤審审獄狱僞伪偽伪',
  '確确憂忧終终獎奖檢检錄录閱阅擊击電电郵邮訊讯話话語语詞词續续擬拟緊紧醫医歷历該该遠远竊窃洩泄條条標标題题測测試试編编譯译釋释確确',
  '為为與与還还說说訴诉經经並并讓让別别後后動动來来帳账賬账雲云備备貼贴複复復复製制據据場场駭骇驗验',
  '師师轉转換换職职業业東东麼么區区類类單单獲获態态實实體体鍵键訓训練练聯联絡络覆覆蓋盖棄弃約约範范圍围',
  '總总擴扩險险許许論论課课調调談谈談谈親亲愛爱媽妈爺爷奶奶孫孙兒儿女女婦妇診诊斷断癌癌癥症糖糖尿尿壓压鬱郁慮虑病病療疗藥药',
  '術术腫肿瘤瘤產产懷怀薪薪資资貸贷債债財财銀银餘余額额積积萬万億亿領领賺赚慢慢腎肾臟脏術术離离繳缴',
)

function mapOf(...rows: string[]): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>()
  for (const row of rows) {
    const characters = [...row]
    for (let index = 0; index + 1 < characters.length; index += 2) {
      pairs.set(characters[index] ?? '', characters[index + 1] ?? '')
    }
  }
  return pairs
}

const invisible = /^\p{Default_Ignorable_Code_Point}$/u
const markup: ReadonlySet<string> = new Set('*_`~"“”「」『』>#|')

/** One character as the patterns read it: folded, maybe several, maybe none. */
export function foldCharacter(character: string): string {
  if (character <= '\u007f') return character
  // The usual Chinese characters decompose into nothing and look like no letter.
  if (isUsualHan(character)) return simplified.get(character) ?? character
  if (invisible.test(character)) return ''
  const plain = simplified.get(character) ?? (/^\p{Script=Hangul}$/u.test(character) ? character : foldMarks(character))
  return [...plain]
    .map((each) => simplified.get(each) ?? twins.get(each) ?? twins.get(each.toLowerCase()) ?? each)
    .join('')
}

function isUsualHan(character: string): boolean {
  return character >= '\u4e00' && character <= '\u9fff'
}

/** Traditional characters as simplified ones, and nothing else: the length stays. */
export function foldSimplified(text: string): string {
  return text.replace(/\p{Script=Han}/gu, (character) => simplified.get(character) ?? character)
}

function foldMarks(character: string): string {
  return character.normalize('NFKD').replace(/\p{Mn}/gu, '')
}

export type Fold = (character: string) => string

/** `foldCharacter` that remembers, for one text: the same few characters come again and again. */
export function createFold(): Fold {
  const known = new Map<string, string>()
  return (character) => {
    const found = known.get(character)
    if (found !== undefined) return found
    const folded = foldCharacter(character)
    known.set(character, folded)
    return folded
  }
}

/** Lower case, one space for white space and markup, none beside Chinese characters. */
export function proseView(text: string, fold: Fold = createFold()): View {
  const quick = foldAll(text, (character) => lowerEach(fold(character)))
    .toLowerCase()
    .replace(/[\0- *_`~"“”「」『』>#|\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+/g, ' ')
    .replace(/^ | $|(?<=[\u3400-\u9fff]) | (?=[\u3400-\u9fff])/g, '')
  return lazyView(quick, () => foldedProse(text, fold))
}

/** Lines, case and signs kept; a backslash or caret at the end of a line joins it with the next. */
export function commandView(text: string, fold: Fold = createFold()): View {
  const joined = /[\\^]/.test(text) ? text.replace(/[\\^][ \t]*\r?\n[ \t]*/g, ' ') : text
  return lazyView(foldAll(joined, fold), () => foldedCommand(text, fold))
}

/** Of the usual Chinese characters, those that do not fold to themselves. */
const foldedHan = [...simplified.keys()].filter((each) => isUsualHan(each)).join('')
/** What may not fold to itself: not ASCII, and few of the usual Chinese characters. */
const folding = madeOnce(expression(`[^\\0-\\x7f\\u4e00-\\u9fff]|[${foldedHan}]`, 'gu'))

function foldAll(text: string, fold: Fold): string {
  return text.replace(folding(), fold)
}

/** Letter by letter: as a whole, the lower case of a letter may depend on its neighbours. */
function lowerEach(text: string): string {
  let lowered = ''
  for (const character of text) lowered += character.toLowerCase()
  return lowered
}

/** Most texts hold no threat: lines are counted only when there is a hit to tell about. */
function lazyView(text: string, whole: () => View): View {
  let counted: View | undefined
  return {
    text,
    lowered: text.toLowerCase(),
    lineAt: (offset) => {
      counted ??= whole()
      return counted.lineAt(offset)
    },
  }
}

export function foldedProse(text: string, fold: Fold): View {
  const out = new Writer()
  let pendingSpace = false
  let last = ''
  for (const character of text) {
    if (character === '\n') out.newLine()
    for (const each of fold(character)) {
      if (isGap(each)) {
        pendingSpace = true
        continue
      }
      const lower = each.toLowerCase()
      if (pendingSpace && last !== '' && !isHan(last) && !isHan(lower)) out.write(' ')
      pendingSpace = false
      out.write(lower)
      last = lower
    }
  }
  return out.view()
}

export function foldedCommand(text: string, fold: Fold): View {
  const out = new Writer()
  const joined = /[\\^][ \t]*\r?\n[ \t]*/y
  for (let index = 0; index < text.length; ) {
    const character = String.fromCodePoint(text.codePointAt(index) ?? 0)
    if (character === '\\' || character === '^') {
      joined.lastIndex = index
      const match = joined.exec(text)
      if (match) {
        out.newLine()
        out.write(' ')
        index += match[0].length
        continue
      }
    }
    if (character === '\n') out.newLine()
    out.write(fold(character))
    index += character.length
  }
  return out.view()
}

/** Words that every attack in English holds; a disguise is worth a second look only when it hides one of them. */
const telling = /\b(?:ignore|disregard|instructions?|prompts?|guidelines|restrictions|unrestricted|system|secretly)\b/i
const digitsAsLetters: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
}

/**
 * The text without two disguises, `i g n o r e` and `1gn0re`, or null when it hides nothing. Offsets are its own, lines
 * those of the text.
 */
export function undisguised(text: string): string | null {
  const plain = withoutDisguises(text)
  if (plain === text || !telling.test(plain)) return null
  const count = (each: string) => each.match(new RegExp(telling.source, 'gi'))?.length ?? 0
  return count(plain) > count(text) ? plain : null
}

/** False: `undisguised` is null for the text and for each part of it that ends at a sign. */
export function mayHideWords(text: string): boolean {
  const plain = withoutDisguises(text)
  return plain !== text && telling.test(plain)
}

function withoutDisguises(text: string): string {
  return text
    .replace(/(?<![A-Za-z])[A-Za-z](?:[ .*-][A-Za-z](?![A-Za-z])){3,60}/g, (run) => run.replace(/[ .*-]/g, ''))
    .replace(/(?<![\w@$])(?=[\w@$]{0,29}[013457@$])[\w@$]{3,30}(?![\w@$])/g, (word) =>
      /[A-Za-z]/.test(word) ? word.replace(/[013457@$]/g, (digit) => digitsAsLetters[digit] ?? digit) : word,
    )
}

function isGap(character: string): boolean {
  return character <= ' ' || markup.has(character) || (character > '\u007f' && character.trim() === '')
}

/** The text itself, with its lines. */
export function rawView(text: string): View {
  const starts: number[] = []
  for (let index = text.indexOf('\n'); index !== -1; index = text.indexOf('\n', index + 1)) starts.push(index)
  return { text, lowered: text.toLowerCase(), lineAt: (offset) => 1 + countBelow(starts, offset) }
}

/** The blocks of Chinese characters that sentences are made of; a range is quicker than a property here. */
function isHan(character: string): boolean {
  return character >= '\u3400' && character <= '\u9fff'
}

class Writer {
  readonly #pieces: string[] = []
  #length = 0
  /** Offset in the output at which each further line of the original begins. */
  readonly #lineStarts: number[] = []

  write(piece: string): void {
    this.#pieces.push(piece)
    this.#length += piece.length
  }

  newLine(): void {
    this.#lineStarts.push(this.#length)
  }

  view(): View {
    const starts = this.#lineStarts
    // A match begins with its first character, so a line that begins exactly there counts.
    const text = this.#pieces.join('')
    return { text, lowered: text.toLowerCase(), lineAt: (offset) => 1 + countBelow(starts, offset + 1) }
  }
}

/** How many of the ascending numbers are below `limit`. */
function countBelow(ascending: readonly number[], limit: number): number {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ascending[middle] ?? 0) < limit) low = middle + 1
    else high = middle
  }
  return low
}
