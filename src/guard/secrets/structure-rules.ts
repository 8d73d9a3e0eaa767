/** Secrets known by their surroundings: key blocks, JWTs, authorization headers, cookies, addresses with credentials. */
import { expression } from '../expression.ts'
import { holdsAddressWithUser } from './first-look.ts'
import { isPlaceholder, looksRandom } from './placeholder.ts'
import { patternRule, type SecretRule, type Span } from './rule.ts'

/** The longest key block that is looked for, in UTF-16 units: 16,384-bit RSA keys need about 13,000. */
const MAX_BLOCK_UNITS = 40_000

const blockStart = /-----BEGIN (?:[A-Z0-9 ]{1,40} )?PRIVATE KEY(?: BLOCK)?-----/g
const blockEnd = /-----END (?:[A-Z0-9 ]{1,40} )?PRIVATE KEY(?: BLOCK)?-----/g
const keyMaterial = /[A-Za-z0-9+/=]{16}/
/** What follows a header when the end was cut off: lines of base64 or `Proc-Type: …`, also as `\n` in JSON, also quoted. */
const cutMaterial = /^(?:(?:\s|\\[rn]|[>"'|])*(?:[A-Za-z0-9+/=]{16,128}|[A-Za-z-]{3,20}: [^\n\\]{1,80}(?=[\n\\])))+/

function findKeyBlocks(text: string): Span[] {
  const starts = [...text.matchAll(blockStart)]
  const ends = [...text.matchAll(blockEnd)].map((match) => ({ start: match.index, end: match.index + match[0].length }))
  let nextEnd = 0
  return starts.flatMap((match, index) => {
    const bodyStart = match.index + match[0].length
    // A block reaches at most to the next one, so every character is looked at once.
    const limit = Math.min(starts[index + 1]?.index ?? text.length, bodyStart + MAX_BLOCK_UNITS)
    while ((ends[nextEnd]?.start ?? Number.POSITIVE_INFINITY) < bodyStart) nextEnd++
    const closing = ends[nextEnd]
    const end =
      closing && closing.start < limit && keyMaterial.test(text.slice(bodyStart, closing.start))
        ? closing.end
        : endOfCutBlock(text.slice(bodyStart, limit), bodyStart)
    return end === null ? [] : [{ start: match.index, end, kind: 'private-key' }]
  })
}

function endOfCutBlock(rest: string, bodyStart: number): number | null {
  const cut = cutMaterial.exec(rest)
  return cut && keyMaterial.test(cut[0]) ? bodyStart + cut[0].length : null
}

/** Databases and brokers: a password there may hold a slash. */
const databaseSchemes =
  'postgres(?:ql)?|mysql|mariadb|mongodb(?:\\+srv)?|rediss?|amqps?|mssql|sqlserver|clickhouse|cockroachdb|nats|kafka|ldaps?|jdbc:[a-z]{2,12}'

/** `host:8080/path@2x` and `host:8080?to=a@b` are ports with a path, not passwords. */
function isCredential(value: string): boolean {
  return !/^\d{1,5}(?:[/?#]|$)/.test(value) && !isPlaceholder(value)
}

export const structureRules: readonly SecretRule[] = [
  { kind: 'private-key', needs: ['private key'], find: findKeyBlocks },
  patternRule('private-key', /(?<=Private-Lines: \d{1,3}\r?\n)(?:[A-Za-z0-9+/=]{16,76}\r?\n?){1,200}/g, {
    needs: ['private-lines'],
  }),
  patternRule(
    'jwt',
    /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,2000}\.[A-Za-z0-9_-]{8,6000}\.[A-Za-z0-9_-]{0,2000}(?:\.[A-Za-z0-9_-]{1,4000}){0,2}/g,
    {
      needs: ['eyj'],
    },
  ),
  patternRule(
    'authorization-header',
    /(?<![A-Za-z])(?:proxy-)?authorization["'`]?\s{0,4}[:=,]\s{0,4}["'`]?(?:(?:bearer|basic|token|apikey|digest|negotiate|bot)\s{1,4})?(?<value>[A-Za-z0-9._~+/=:-]{6,4000})/gi,
    {
      needs: ['authorization'],
      accept: ({ value }) => !isPlaceholder(value) && looksRandom(value.replace(/=+$/, ''), 6),
    },
  ),
  patternRule('bearer-token', /(?<![A-Za-z])bearer\s{1,4}(?<value>[A-Za-z0-9._~+/=-]{16,4000})/gi, {
    needs: ['bearer'],
    accept: ({ value }) => !isPlaceholder(value) && looksRandom(value, 16) && /\d/.test(value),
  }),
  patternRule(
    'api-key-header',
    /(?<![A-Za-z])(?:x-)?(?:[a-z]{2,20}-)?(?:api-?key|access-token|auth-token|private-token|subscription-key)["'`]?\s{0,4}:\s{0,4}["'`]?(?<value>[A-Za-z0-9._~+/=-]{8,1000})/gi,
    {
      needs: ['api-key', 'apikey', 'access-token', 'auth-token', 'private-token', 'subscription-key'],
      accept: ({ value }) => !isPlaceholder(value) && looksRandom(value, 8),
    },
  ),
  patternRule(
    'session-cookie',
    /(?<![A-Za-z])(?:set-)?cookie["'`]?\s{0,4}:\s{0,4}["'`]?(?<value>[A-Za-z0-9_.-]{1,60}=[^\s;,"'`]{12,2000}(?:;\s?[A-Za-z0-9_.-]{1,60}=[^\s;,"'`]{1,2000}){0,20})/gi,
    {
      needs: ['cookie'],
      accept: ({ value }) => !isPlaceholder(value.slice(value.indexOf('=') + 1)) && /\d/.test(value),
    },
  ),
  patternRule(
    'database-url',
    expression(
      `(?<![A-Za-z0-9+.-])(?:${databaseSchemes})://[^\\s:/@"'\`<>]{0,100}:(?<value>[^\\s"'\`<>\\u3400-\\u9fff，。；、）】」]{1,200})(?=@[\\w.\\[-])`,
      'gi',
    ),
    { needs: ['://'], quick: holdsAddressWithUser, accept: ({ value }) => isCredential(value) },
  ),
  patternRule(
    'url-password',
    /(?<![A-Za-z0-9+.-])[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@"'`<>?#]{0,100}:(?<value>[^\s/"'`<>\u3400-\u9fff，。；、）】」]{1,200})(?=@[\w.[-])/gi,
    { needs: ['://'], quick: holdsAddressWithUser, accept: ({ value }) => isCredential(value) },
  ),
  patternRule('url-token', /(?<![A-Za-z0-9+.-])https?:\/\/(?<value>[A-Za-z0-9_-]{20,200})(?=@[\w.[-])/gi, {
    needs: ['://'],
    quick: holdsAddressWithUser,
    accept: ({ value }) => looksRandom(value, 20) && !isPlaceholder(value),
  }),
  patternRule(
    'url-token',
    /[?&](?:access_token|auth_token|api_?key|apikey|token|secret|client_secret|password|passwd|pwd|signature|x-amz-signature|x-amz-security-token)=(?<value>[^\s&"'`<>#)\]，。；、]{6,2000})/gi,
    {
      needs: ['token=', 'key=', 'secret=', 'password=', 'passwd=', 'pwd=', 'signature='],
      accept: ({ value }) => !isPlaceholder(value) && looksRandom(value, 6),
    },
  ),
]
