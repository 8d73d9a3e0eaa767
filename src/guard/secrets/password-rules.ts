/**
 * Passwords and tokens that a person or a program wrote beside their name: `SERVICE_TOKEN=…`, `"apiKey": "…"`,
 * "the password is …", 密码是 …, `--password …`. Precision comes from the value: a rule about passwords, a type, a
 * variable or a placeholder is no secret.
 */
import { isCodeName, isPlaceholder, isPlainWord, looksRandom } from './placeholder.ts'
import { patternRule, type SecretMatch, type SecretRule } from './rule.ts'

/** What people call a password. */
const PASSWORD =
  '(?:password|passwd|passphrase|passcode|pass[ _-]?word|pwd|passwort|kennwort|mot de passe|contraseña|senha|парол[ья]|パスワード|暗証番号|비밀번호|密码|密碼|口令|通行碼)'
/** What people call a token or key that is not a password. */
const TOKEN =
  '(?:(?:api|access|auth|refresh|secret|client|app|signing|master|encryption|service|account|license|deploy)[ _-]?(?:key|secret|token)|secret|token|appsecret|令牌|密钥|密鑰|秘钥|金鑰|凭证|憑證|授权码|授權碼|激活码|トークン|토큰)'
const ENV_NAME =
  '(?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|PWD|_PASS|API_?KEY|ACCESS_?KEY(?:_ID)?|SECRET_?KEY(?:_BASE)?|PRIVATE_KEY|ENCRYPTION_KEY|SIGNING_KEY|MASTER_KEY|AUTH_KEY|SERVICE_KEY|ACCOUNT_KEY|SHARED_KEY|LICENSE_KEY|DEPLOY_KEY|CREDENTIALS?|_AUTH)'

const PUNCTUATION =
  '\\s"\'`“”‘’，。；、！？（）【】「」『』\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}'
/** One word of a value; what ends a sentence stays outside. */
const WORD = `(?<value>[^${PUNCTUATION}]{0,400}[^${PUNCTUATION}.,;:)\\]}>|])`
const OPEN_QUOTE = '["\'`“‘「『*]{0,2}'
/** "for the staging database", "(staging)", 的 */
const ABOUT = '(?:\\s(?:for|of|to|on|in|für|von)\\s[\\w .@/-]{1,40}?|\\s?[(（][^()（）\\n]{1,40}[)）])?'
const MARKUP = '["\'`*_]{0,3}'
const STRONG = '\\s{0,3}(?::=|=>|->|→|[:=：＝])\\s{0,3}'
const WEAK_LATIN =
  '\\s{1,3}(?:is|was|are|ist|lautet|est|es|to|changed to|set to)(?:\\s{1,3}(?:now|still|jetzt))?\\s{0,3}[:：]?\\s{1,3}'
const WEAK_HAN =
  '\\s{0,3}(?:现在|目前|還|还|就|都)?(?:是|为|為|改成|改为|改為|设为|設為|设成|换成|換成|は|を)了?\\s{0,3}[:：]?\\s{0,3}'

export const passwordRules: readonly SecretRule[] = [
  patternRule(
    'environment-secret',
    new RegExp(
      `(?<![A-Za-z0-9_])[A-Z0-9_]{0,60}?${ENV_NAME}(?:_(?:\\d{1,3}|LIVE|PROD|TEST|DEV|STAGING|MAIN|OLD|NEW))?["']?\\s?=\\s?["'\`]?${WORD}`,
      'gu',
    ),
    { needs: ['='], accept: isEnvironmentValue },
  ),
  patternRule(
    'password',
    new RegExp(
      `(?<![A-Za-z])[A-Za-z0-9_.-]{0,40}?${PASSWORD}${MARKUP}${ABOUT}${STRONG}(?<quote>["'\`])(?<value>[^"'\`\\n]{1,400})\\k<quote>`,
      'giu',
    ),
    { accept: isQuotedValue },
  ),
  patternRule(
    'password',
    new RegExp(`(?<![A-Za-z])[A-Za-z0-9_.-]{0,40}?${PASSWORD}${MARKUP}${ABOUT}${STRONG}${OPEN_QUOTE}${WORD}`, 'giu'),
    {
      accept: isStatedPassword,
    },
  ),
  patternRule(
    'password',
    new RegExp(`(?<![A-Za-z])${PASSWORD}${MARKUP}${ABOUT}${WEAK_LATIN}${OPEN_QUOTE}${WORD}`, 'giu'),
    {
      accept: isSpokenPassword,
    },
  ),
  patternRule(
    'password',
    new RegExp(`(?<![A-Za-z])${PASSWORD}${MARKUP}${ABOUT}${WEAK_HAN}${OPEN_QUOTE}${WORD}`, 'giu'),
    {
      accept: isSpokenPassword,
    },
  ),
  patternRule('password', new RegExp(`(?:密码|密碼|口令|パスワード|비밀번호)\\s{0,3}${OPEN_QUOTE}${WORD}`, 'giu'), {
    accept: (match) => looksRandom(match.value, 6) && isValue(match),
  }),
  patternRule(
    'password',
    new RegExp(`(?<![A-Za-z])(?:password|passwort|kennwort|passphrase)\\s${OPEN_QUOTE}${WORD}`, 'giu'),
    {
      accept: (match) => isStrong(match.value) && isValue(match),
    },
  ),
  patternRule('password', /\blogin\s{1,4}\S{1,100}\s{1,4}password\s{1,4}(?<value>\S{3,200})/gi, {
    needs: ['password'],
    accept: ({ value }) => !isPlaceholder(value),
  }),
  patternRule(
    'pin',
    /(?<![A-Za-z])pin(?:[ -]?(?:code|码|碼))?\s{0,2}(?:[:：=]|\bis\b|是|为|為)\s{0,2}(?<value>\d{4,8})(?![\d.]|-\d)/gi,
  ),
  patternRule(
    'seed-phrase',
    /(?:mnemonic|seed phrase|recovery phrase|助记词|助記詞)[^\n:：]{0,20}?(?:[:：]|\bis\b|是)\s{0,3}["'`]?(?<value>[a-z]{3,8}(?:[ ,]{1,2}[a-z]{3,8}){11,23})/gi,
    {
      needs: ['mnemonic', 'phrase', '助'],
    },
  ),
  patternRule(
    'token',
    new RegExp(
      `(?<![A-Za-z])[A-Za-z0-9_.-]{0,40}?${TOKEN}${MARKUP}${ABOUT}${STRONG}(?<quote>["'\`])(?<value>[^"'\`\\s]{6,2000})\\k<quote>`,
      'giu',
    ),
    {
      accept: (match) =>
        isValue(match) && (looksRandom(match.value, 6) || match.value.length >= 16) && !isProse(match.value),
    },
  ),
  patternRule(
    'token',
    new RegExp(
      `(?<![A-Za-z])[A-Za-z0-9_.-]{0,40}?${TOKEN}${MARKUP}${ABOUT}(?:${STRONG}|${WEAK_LATIN}|${WEAK_HAN})${OPEN_QUOTE}${WORD}`,
      'giu',
    ),
    {
      accept: (match) => isValue(match) && isKeyLike(match.value),
    },
  ),
  patternRule(
    'command-password',
    /(?<![\w-])--?(?:password|passwd|pass|token|secret|api-?key|access-key|secret-key|auth-token|client-secret)(?:=|\s{1,3})["'`]?(?<value>[^\s"'`]{3,400})/gi,
    {
      needs: ['-'],
      accept: (match) => !match.value.startsWith('-') && isValue(match) && looksRandom(match.value, 4),
    },
  ),
  patternRule('command-password', /\bmysql(?:dump|admin)?\s[^\n|;&]{0,160}?(?<=\s)-p(?<value>[^\s'"-][^\s]{2,100})/g, {
    needs: ['mysql'],
    accept: ({ value }) => !isPlaceholder(value),
  }),
  patternRule(
    'command-password',
    /\b(?:sshpass\s{1,3}-p|redis-cli\s[^\n|;&]{0,80}?-a|docker\s{1,3}login\s[^\n|;&]{0,120}?-p)\s{0,3}["'`]?(?<value>[^\s"'`]{3,100})/g,
    {
      needs: ['sshpass', 'redis-cli', 'docker'],
      accept: ({ value }) => !isPlaceholder(value) && !value.startsWith('-'),
    },
  ),
  patternRule(
    'command-password',
    /\bcurl\s[^\n|;&]{0,300}?(?:-u|--user)\s{1,3}["'`]?[\w.@+-]{1,80}:(?<value>[^\s"'`]{3,200})/g,
    {
      needs: ['curl'],
      accept: ({ value }) => !isPlaceholder(value),
    },
  ),
]

function isValue(match: SecretMatch): boolean {
  return !isPlaceholder(match.value) && !isPlainWord(match.value) && !isCodeName(match.value) && !isRule(match)
}

/** `12 characters`, `8-20位`: a rule about passwords. */
function isRule({ text, end, value }: SecretMatch): boolean {
  const after = text.slice(end, end + 24)
  return (
    (/^[\d+~–-]+$/.test(value) &&
      /^\s?(?:or more |至|到|-)?\s?(?:char|digit|letter|symbol|day|hour|minute|month|bit|byte|zeichen|位|个|個|字|天|小时|分钟|次|年|月|文字|桁|자)/i.test(
        after,
      )) ||
    /^\s?(?:编码|編碼|加密|哈希|格式|算法|雜湊)/.test(after)
  )
}

/** The text after the value up to the end of its line. */
function restOfLine({ text, end }: SecretMatch): string {
  return (/^[^\n]{0,60}/.exec(text.slice(end, end + 60))?.[0] ?? '').replace(/\r$/, '')
}

function endsStatement(match: SecretMatch): boolean {
  return (
    /^["'`”’」』*]{0,2}\s*(?:$|[。；，！)）])/u.test(restOfLine(match)) || /^["'`]?\.(?:\s|$)/.test(restOfLine(match))
  )
}

function isEnvironmentValue(match: SecretMatch): boolean {
  const { value, whole } = match
  if (!isValue(match) || isProse(value)) return false
  if (/^(?:export\s)?PWD\s?=/.test(whole) || /^[=!]/.test(value)) return false
  const isPassword = /PASS|PWD/.test(whole)
  if (/^\d+$/.test(value)) return isPassword && value.length >= 4
  return value.length >= (isPassword ? 3 : 6)
}

function isQuotedValue(match: SecretMatch): boolean {
  const { value } = match
  if (!isValue(match) || /[\p{Script=Han}]/u.test(value)) return false
  return !/\s/.test(value) || (looksRandom(value, 8) && !isProse(value))
}

/** `password: x`: a plain word counts when it is all that the line says. */
function isStatedPassword(match: SecretMatch): boolean {
  if (!isValue(match)) return false
  if (looksRandom(match.value, 4)) return true
  const codeAssignment = /\s=\s{1,3}["'`]?$/.test(match.whole.slice(0, match.whole.length - match.value.length))
  return !codeAssignment && /^[\p{L}\d][\p{L}\p{M}\d_-]*$/u.test(match.value) && endsStatement(match)
}

/** "the password is x": a plain word counts when it ends the sentence and is no adjective or participle. */
function isSpokenPassword(match: SecretMatch): boolean {
  if (!isValue(match)) return false
  if (looksRandom(match.value, 5)) return true
  if (!/^[A-Za-z]{5,}$/.test(match.value) || !endsStatement(match)) return false
  return !/(?:ed|ing|able|ible|ful|less|ly|ive|ent|ant|ous|al|ic|ory|ary|ct|en|st|er|id|le|ure|ete|ate|ite|ain|ame|set|ept)$/i.test(
    match.value,
  )
}

/** Eight or more characters with two of: digits, signs, both cases. */
function isStrong(value: string): boolean {
  const classes = [/\d/, /[^\w.-]/, /[a-z]/, /[A-Z]/].filter((each) => each.test(value)).length
  return looksRandom(value, 8) && classes >= 3
}

function isKeyLike(value: string): boolean {
  if (/:\/\//.test(value) || !looksRandom(value, 8)) return false
  return (/\d/.test(value) && /[A-Za-z]/.test(value)) || /^\d{16,}$/.test(value)
}

/** Words with spaces or hyphens that read as a sentence or a slug without digits. */
function isProse(value: string): boolean {
  return (
    /^[a-z]+(?:[-_.][a-z]+)+$/i.test(value) || /\b(?:must|at least|required|characters|please|should)\b/i.test(value)
  )
}
