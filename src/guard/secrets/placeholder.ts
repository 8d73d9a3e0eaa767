/** Tells a real secret value from what stands in its place: variables, examples, type names, words of a rule. */

/** Words that follow "password:" in schemas, forms, tables and messages without being one. */
const plainWords = new Set(
  `string strings str words number int integer boolean bool text varchar char uuid any unknown object array bytes buffer optional
  required nullable null nil none undefined true false empty blank hidden masked redacted secret password passwords
  passwd token tokens key keys value values default example sample placeholder dummy fake mock test todo tbd n/a na
  yes no on off invalid incorrect wrong expired missing changed unchanged reset forgot forgotten lost same see ask
  stored rotated encrypted hashed salted plain plaintext protected disabled enabled manager vault bitwarden keychain
  keepass lastpass 1password env environment prompt stdin interactive login auth input field column type this that it
  the a an not in at by from via with per for to of on if when must should can cannot may will has have is are was be
  only never always and or unset readonly private public sensitive confirmation confirm verify correct accepted
  denied rejected authentication authorization basic bearer oauth cookie session user admin free short long weak
  strong too very required; at-least minimum maximum min max length characters chars digits letters`.split(/\s+/),
)

const placeholderShapes: readonly RegExp[] = [
  // $TOKEN ${TOKEN} $(cmd) %TOKEN% {{token}} <token> [token] (prompt)
  /^\$(?:\{[^}]*\}?|\([^)]*\)?|[A-Za-z_]\w*)(?:[/@:.,;)\]}"'`]|$)/,
  /^%[A-Za-z_]\w*%$/,
  /^(?:\{[^}]*\}?|<[^>]*>?|\[[^\]]*\]?|\([^)]*\)?)[.,;]?$/,
  /^[$#]\{\{?/,
  // process.env.KEY, os.environ["KEY"], config.token, import.meta.env.KEY
  /^(?:process|import|os|env|config|settings|secrets?|vars?|ctx|context|req|request|res|response|this|self|props|state|options?|opts|args|params|data|user|session|auth|input|form|event|payload|body|headers?|credentials?|vault|aws|gcp|system|deno|bun)\??\.[A-Za-z_]/i,
  /^(?:op|vault|ssm|secretsmanager|keychain|aws-sm|gcp-sm|azure-kv|file|env):/i,
  // a call or an index: getToken(), secret[0]
  /^[A-Za-z_][\w.]*(?:\(\w*\)?|\[\w*\])[;,)]*$/,
  /^[A-Za-z_][\w.]*\((?:["'`].*)?$/,
  /^[A-Za-z_]\w*(?:\.\w+)+\(/,
  // xxxx **** .... ---- ●●●●, and the same after a prefix: sk-xxxx, ghp_****
  /^[\w-]{0,12}?(?:[x*•●.·\-_?#]{3,}|x{3,}[\w-]*|…)$/i,
  /x{6,}|\*{3,}|\.{3,}|…|•{3,}|●{3,}/i,
  /^(?:your|my|the|some|insert|enter|replace|change|put)[-_]/i,
  /^(?:changeme|change-me|change_me|replaceme|placeholder|redacted|example|dummy|todo|tbd|none|null)$/i,
  // a path to a file that holds it
  /^(?:~|\.{1,2})?(?:\/[a-z0-9._-]+){2,}\/?$/,
  /^\[masked: ?/,
]

/** True for values that name or mimic a secret without being one. */
export function isPlaceholder(value: string): boolean {
  const bare = value.replace(/^["'`]+|["'`]+$/g, '')
  return bare === '' || placeholderShapes.some((shape) => shape.test(bare))
}

/** True for plain words of prose, schemas and error messages. */
export function isPlainWord(value: string): boolean {
  return plainWords.has(value.toLowerCase().replace(/[.,;:!?)]+$/, ''))
}

/** Letters with digits, or either with signs inside: the look of something that was made to be hard to guess. */
export function looksRandom(value: string, minLength: number): boolean {
  if (value.length < minLength || isTechnicalWord(value)) return false
  const digits = /\d/.test(value)
  const letters = /\p{L}/u.test(value)
  const signs = /[^\p{L}\p{N}\s._-]/u.test(value)
  const mixedCase = /[a-z][A-Z]|[A-Z]{2,}[a-z]|[A-Z][a-z]+[A-Z]/.test(value)
  return (digits && letters) || (signs && (digits || letters)) || (digits && value.length >= 4 && !letters) || mixedCase
}

/** `base64-encoded`, `oauth2`, `sha256`, `12-character`, `v2.1`, `2026-05-01`, `10.0.0.5`, `3/4`. */
function isTechnicalWord(value: string): boolean {
  return (
    /^(?:base\d\d|oauth2?|sha-?\d+|md5|utf-?\d+|argon2\w*|bcrypt|scrypt|pbkdf2|hmac|aes-?\d*|rsa-?\d*|rs256|hs256|es256|ed25519|x509|p12|http2?s?|ipv[46]|i18n|k8s|s3|ec2|win32|unix|ascii|1password|web3|mp[34]|json5?)(?:[-/+_][A-Za-z]\w*)*$/i.test(
      value,
    ) ||
    /^\d+-[a-z]+(?:-[a-z]+)*$/.test(value) ||
    /^v?\d+(?:\.\d+){1,3}$/.test(value) ||
    /^\d{4}-\d{2}-\d{2}$/.test(value) ||
    /^[a-z]+(?:-[a-z]+)+$/.test(value) ||
    /^[a-z]+(?:\/[a-z]+)+$/i.test(value) ||
    /^(?:https?|ssh|git|file):/.test(value)
  )
}

/** `response.data.token`, `userPassword`: a name in code, not a value. */
export function isCodeName(value: string): boolean {
  return (
    /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+[;,)]*$/.test(value) || /^[a-z]+(?:[A-Z][a-z]+)+[;,)]*$/.test(value)
  )
}
