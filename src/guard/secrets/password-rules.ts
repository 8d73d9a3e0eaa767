/**
 * Passwords and tokens that a person or a program wrote beside their name: `SERVICE_TOKEN=…`, `"apiKey": "…"`,
 * "the password is …", 密码是 …, `--password …`. Precision comes from the value: a rule about passwords, a type, a
 * variable or a placeholder is no secret.
 */
import { expression } from '../expression.ts'
import { holdsKey, holdsQuotedValue, statesShortPassword } from './first-look.ts'
import {
  isEnvironmentValue,
  isKeyLike,
  isMixedValue,
  isProse,
  isQuotedValue,
  isSentence,
  isSlug,
  isSpokenPassword,
  isStatedPassword,
  isStrong,
  isValue,
} from './judge-value.ts'
import { isPlaceholder, looksRandom } from './placeholder.ts'
import { patternRule, type SecretRule } from './rule.ts'

/** What people call a password. */
const PASSWORD =
  '(?:password|passwd|passphrase|passcode|pass[ _-]?word|pwd|passwort|kennwort|mot de passe|contraseña|senha|парол[ья]|パスワード|暗証番号|비밀번호|密码|密碼|口令|通行碼)'
/** Pieces of those names, one of which every text with a stated password holds. */
const passwordWords =
  'passw passphrase passcode pass- pass_ pwd kennwort contrase senha парол パスワード 暗証 비밀번호 密码 密碼 口令 通行碼'
    .split(' ')
    .concat('pass word', 'mot de passe')
/** What people call a token or key that is not a password. */
const TOKEN =
  '(?:(?:api|access|auth|refresh|secret|client|app|signing|master|encryption|service|account|license|deploy)[ _-]?(?:key|secret|token)|secret|token|appsecret|令牌|密钥|密鑰|秘钥|金鑰|凭证|憑證|授权码|授權碼|激活码|トークン|토큰)'
const tokenWords = 'secret token key 令牌 密钥 密鑰 秘钥 金鑰 凭证 憑證 授权码 授權碼 激活码 トークン 토큰'.split(' ')
const tokenWord = new RegExp(tokenWords.join('|'), 'i')
/** The name of a token with what may follow before its value: how every match of the rules that state one begins. */
const statedToken = new RegExp(
  `(?:${tokenWords.join('|')})["'\`*_]{0,4}(?:\\s{0,4}[:=：＝→(（-]|\\s(?:for|of|to|on|in|für|von)\\s|\\s{1,4}(?:is|was|ist|lautet|est|es|to|changed|set)[\\s:：]|\\s{0,4}[现目還还就都是为為改设設换換はを])`,
  'i',
)
const ENV_NAME =
  '(?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|PWD|_PASS|API_?KEY|ACCESS_?KEY(?:_ID)?|SECRET_?KEY(?:_BASE)?|PRIVATE_KEY|ENCRYPTION_KEY|SIGNING_KEY|MASTER_KEY|AUTH_KEY|SERVICE_KEY|ACCOUNT_KEY|SHARED_KEY|LICENSE_KEY|DEPLOY_KEY|CREDENTIALS?|_AUTH)'

const PUNCTUATION =
  '\\s"\'`“”‘’，。；、！？（）【】「」『』\\u3040-\\u30ff\\u3400-\\u9fff\\uac00-\\ud7af\\uf900-\\ufaff'
/** One word of a value; what ends a sentence stays outside. */
const WORD = `(?<value>[^${PUNCTUATION}]*[^${PUNCTUATION}.,;:)\\]}>|])`
/** One word of a token or key: no sign that separates parameters. */
const KEY = `(?<value>[A-Za-z0-9_./+=~:%$!@#^*-]*[A-Za-z0-9_/+=~%$!@#^*-])`
// Counts up to three are written out by the engine, one inside the other: with four the first run of a pattern takes a
// quarter of the time.
const OPEN_QUOTE = '["\'`“‘「『*]{0,4}'
/** "for the staging database", "(staging)", 的 */
const ABOUT = '(?:\\s(?:for|of|to|on|in|für|von)(?:\\s[\\w.@/-]{1,30}){1,4}?|\\s?[(（][^()（）\\n]{1,40}[)）])?'
const MARKUP = '["\'`*_]{0,4}'
const STRONG = '\\s{0,4}(?::=|=>|->|→|[:=：＝])\\s{0,4}'
const WEAK_LATIN =
  '\\s{1,4}(?:is|was|ist|lautet|est|es|to|changed to|set to)(?:\\s{1,4}(?:now|still|jetzt))?\\s{0,4}[:：]?\\s{1,4}'
const WEAK_HAN =
  '\\s{0,4}(?:现在|目前|還|还|就|都)?(?:是|为|為|改成|改为|改為|设为|設為|设成|换成|換成|は|を)了?\\s{0,4}[:：]?\\s{0,4}'

export const passwordRules: readonly SecretRule[] = [
  patternRule(
    'environment-secret',
    expression(
      `(?<![A-Za-z0-9_])[A-Z0-9_]{0,60}?${ENV_NAME}(?:_(?:\\d{1,3}|LIVE|PROD|TEST|DEV|STAGING|MAIN|OLD|NEW))?["']?\\s?=\\s?["'\`]?${WORD}`,
      'g',
    ),
    { needs: ['='], accept: isEnvironmentValue },
  ),
  patternRule(
    'password',
    expression(
      `(?<![A-Za-z])[A-Za-z0-9_.-]{0,40}?${PASSWORD}${MARKUP}${ABOUT}${STRONG}(?<quote>["'\`])(?<value>[^"'\`\\n]{1,400})\\k<quote>`,
      'gi',
    ),
    { needs: passwordWords, accept: isQuotedValue },
  ),
  patternRule(
    'password',
    expression(`(?<![A-Za-z])[A-Za-z0-9_.-]{0,40}?${PASSWORD}${MARKUP}${ABOUT}${STRONG}${OPEN_QUOTE}${WORD}`, 'gi'),
    {
      needs: passwordWords,
      accept: isStatedPassword,
    },
  ),
  patternRule(
    'password',
    expression(`(?<![A-Za-z])${PASSWORD}${MARKUP}${ABOUT}${WEAK_LATIN}${OPEN_QUOTE}${WORD}`, 'gi'),
    {
      needs: passwordWords,
      accept: isSpokenPassword,
    },
  ),
  patternRule(
    'password',
    expression(`(?<![A-Za-z])${PASSWORD}${MARKUP}${ABOUT}${WEAK_HAN}${OPEN_QUOTE}${WORD}`, 'gi'),
    {
      needs: passwordWords,
      accept: isSpokenPassword,
    },
  ),
  patternRule('password', expression(`(?:密码|密碼|口令|パスワード|비밀번호)\\s{0,3}${OPEN_QUOTE}${WORD}`, 'gi'), {
    needs: passwordWords,
    accept: (match) => looksRandom(match.value, 6) && isValue(match),
  }),
  patternRule(
    'password',
    expression(`(?<![A-Za-z])(?:password|passwort|kennwort|passphrase)\\s${OPEN_QUOTE}${WORD}`, 'gi'),
    {
      needs: passwordWords,
      accept: (match) => isStrong(match.value) && isValue(match),
    },
  ),
  patternRule('password', /\blogin\s{1,4}\S{1,100}\s{1,4}password\s{1,4}(?<value>\S{3,200})/gi, {
    needs: ['password'],
    accept: ({ value }) => !isPlaceholder(value),
  }),
  patternRule(
    'password',
    expression(`(?<![A-Za-z_-])(?:pw|pass|psw)${MARKUP}(?:${STRONG}|${WEAK_LATIN})${OPEN_QUOTE}${WORD}`, 'gi'),
    {
      needs: ['pw', 'pass', 'psw'],
      quick: statesShortPassword,
      accept: (match) => isValue(match) && match.value.length >= 5 && isMixedValue(match.value),
    },
  ),
  patternRule(
    'password',
    /passphrase["'`*_]{0,3}\s{0,2}(?:[:：=]|\bis\b)\s{1,3}["'`]?(?<value>[a-z]{2,12}(?: [a-z]{2,12}){3,7})(?=["'`]?\s{0,3}(?:$|\n|[.。]))/gim,
    { needs: ['passphrase'], accept: ({ value }) => !isProse(value) && !isSentence(value) },
  ),
  patternRule('token', expression(`(?<![A-Za-z])${TOKEN}\\s${OPEN_QUOTE}${KEY}`, 'gi'), {
    needs: tokenWords,
    quick: (text) => holdsKey(text, tokenWord, 16),
    accept: (match) => match.value.length >= 16 && isKeyLike(match.value) && !isSlug(match.value) && isValue(match),
  }),
  patternRule(
    'pin',
    /(?<![A-Za-z])pin(?:[ -]?(?:code|码|碼))?\s{0,2}(?:[:：=]|\bis\b|是|为|為)\s{0,2}(?<value>\d{4,8})(?![\d.]|-\d)/gi,
    { needs: ['pin'] },
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
    expression(
      `(?<![A-Za-z])[A-Za-z0-9_.-]{0,40}?${TOKEN}${MARKUP}${ABOUT}${STRONG}(?<quote>["'\`])(?<value>[^"'\`\\s]{6,2000})\\k<quote>`,
      'gi',
    ),
    {
      needs: tokenWords,
      quick: (text) => statedToken.test(text) && holdsQuotedValue(text),
      accept: (match) =>
        isValue(match) && (looksRandom(match.value, 6) || match.value.length >= 16) && !isProse(match.value),
    },
  ),
  patternRule(
    'token',
    expression(
      `(?<![A-Za-z])[A-Za-z0-9_.-]{0,40}?${TOKEN}${MARKUP}${ABOUT}(?:${STRONG}|${WEAK_LATIN}|${WEAK_HAN})${OPEN_QUOTE}${KEY}`,
      'gi',
    ),
    {
      needs: tokenWords,
      quick: (text) => holdsKey(text, statedToken, 8),
      accept: (match) => isValue(match) && isKeyLike(match.value),
    },
  ),
]
