import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSecretOnly, redact, rulesFor, secretRules } from './redact.ts'
import { serviceRules } from './secrets/service-rules.ts'

// Every secret is put together at run time, so that scanners of this repository stay quiet.
const hex = (length: number, start = 3) =>
  Array.from({ length }, (_, index) => '0123456789abcdef'[(index * 7 + start) % 16]).join('')
const mixed = (length: number, start = 5) =>
  Array.from({ length }, (_, index) => 'aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zC'[(index * 5 + start) % 32]).join('')
const dash = '-'.repeat(5)
const block = (label: string, body = `${mixed(64)}\n${mixed(64, 9)}\n`, newline = '\n') =>
  `${dash}BEGIN ${label}${dash}${newline}${body.replaceAll('\n', newline)}${dash}END ${label}${dash}`
const jwtHeader = `ey${'J'}hbGciOiJIUzI1NiJ9`

interface Case {
  readonly kind: string
  /** [text before, secret, text after] */
  readonly hits: readonly (readonly [string, string, string])[]
  /** Texts that must come back unchanged. */
  readonly lookAlikes: readonly string[]
}

const otherRules = secretRules.filter((rule) => !serviceRules.includes(rule))

const structureCases: Case[] = [
  {
    kind: 'private-key',
    hits: [
      ['看这个\n', block(`RSA PRIVATE ${'KEY'}`), '\n对吗'],
      ['', block(`OPENSSH PRIVATE ${'KEY'}`, undefined, '\r\n'), ''],
      ['{"private_key": "', block(`PRIVATE ${'KEY'}`).replaceAll('\n', '\\n'), '\\n"}'],
      ['cut off: ', `${dash}BEGIN EC PRIVATE ${'KEY'}${dash}\n${mixed(64)}\n${mixed(40)}`, '\n\nand then the log ends'],
      ['> quoted\n', block(`PGP PRIVATE ${'KEY'} BLOCK`, `> ${mixed(60)}\n> ${mixed(60)}\n`), ''],
    ],
    lookAlikes: [
      `a file that begins with ${dash}BEGIN PRIVATE KEY${dash} goes to the vault`,
      block('PUBLIC KEY'),
      block('CERTIFICATE'),
      `between ${dash}BEGIN RSA PRIVATE KEY${dash} and ${dash}END RSA PRIVATE KEY${dash} stands base64`,
    ],
  },
  {
    kind: 'jwt',
    hits: [
      ['session ', `${jwtHeader}.ey${'J'}zdWIiOiIxMjM0In0.${mixed(43)}`, ' works'],
      ['令牌：', `${jwtHeader}.ey${'J'}zdWIiOiIxMjM0In0.${mixed(86)}`, ''],
    ],
    lookAlikes: [`a JWT begins with ey${'J'}`, `ey${'J'}hbGciOiJIUzI1NiJ9 alone is only a header`],
  },
  {
    kind: 'authorization-header',
    hits: [
      ['Authorization: Basic ', `${mixed(18)}==`, ''],
      ['curl -H "Authorization: Bearer ', 'tok3n.val-ue_9x', '" https://api.example'],
    ],
    lookAlikes: [
      'Authorization: Bearer <token>',
      'Authorization: Bearer $TOKEN',
      'authorization: required',
      'the Authorization header is forwarded',
    ],
  },
  {
    kind: 'bearer-token',
    hits: [
      ['use Bearer ', mixed(32), ''],
      ['bearer ', `${hex(40)}`, ' for staging'],
    ],
    lookAlikes: ['Bearer token authentication', 'bearer of bad news', 'bearer authentication-required'],
  },
  {
    kind: 'api-key-header',
    hits: [
      ['X-Api-Key: ', mixed(24), ''],
      ['"PRIVATE-TOKEN": "', mixed(20), '"'],
    ],
    lookAlikes: ['X-Api-Key: $API_KEY', 'X-Api-Key: required', 'x-api-key: {{key}}'],
  },
  {
    kind: 'session-cookie',
    hits: [
      ['Cookie: ', `session=${mixed(40)}`, ''],
      ['Set-Cookie: ', `sid=${hex(32)}; theme=dark`, '; Path'],
    ],
    lookAlikes: ['Cookie: consent banner', 'Cookie: session=<id>', 'the cookie: it is gone'],
  },
  {
    kind: 'database-url',
    hits: [
      ['postgres://app:', 'Sn0w#fall', '@db.internal:5432/shop'],
      ['mongodb+srv://u:', 'p@ss/w0rd', '@cluster0.example'],
      ['redis://:', 'Hunter2', '@cache:6379/0'],
      ['数据库 mysql://root:', 'abc', '@10.0.0.8，别外传'],
    ],
    lookAlikes: [
      'postgres://localhost:5432/shop',
      'postgres://app@db/shop',
      'postgres://app:$PGPASSWORD@db/shop',
      'postgres://host:5432/db?user=a@b.example',
      'mysql://user:<password>@host',
    ],
  },
  {
    kind: 'url-password',
    hits: [
      ['https://user:', 'pa55', '@host.example/x'],
      ['ftp://anna:', 'geheim!', '@files.example'],
    ],
    lookAlikes: [
      'https://host.example:8080/img@2x.png',
      `https://user:\${PASS}@host`,
      'http://localhost:3000?mail=a@b.example',
      'ssh://git@host.example:22/repo',
    ],
  },
  {
    kind: 'url-token',
    hits: [
      ['https://', mixed(40), '@git.example/x.git'],
      ['https://api.example/v1?access_token=', mixed(32), '&x=1'],
    ],
    lookAlikes: [
      'https://api.example/?token=<token>',
      'https://api.example/?token=$TOKEN',
      'https://x.example/?signature=required',
    ],
  },
]

const passwordCases: Case[] = [
  {
    kind: 'environment-secret',
    hits: [
      ['export SERVICE_TOKEN=', 'abc123def', ''],
      ['MAIL_PASSWORD=', 'W4sserfloh!77', '\nMAIL_PORT=465'],
      ['STRIPE_API_KEY="', 'plainwordvalue', '"'],
      ['部署前 DB_PASSWORD = ', 'geheim', ' 再启动'],
    ],
    lookAlikes: [
      'SERVICE_TOKEN=$TOKEN',
      'API_KEY=process.env.KEY',
      'API_KEY=<your-token>',
      'MAX_TOKENS=4096',
      'TOKEN_TTL=3600',
      'PASSWORD_MIN_LENGTH=12',
      'SECRET_KEY=changeme',
      'API_KEY=xxxx',
      'PWD=/home/anna/work',
      'DB_PASSWORD_FILE=/run/secrets/db',
      'API_KEY=your-api-key',
      `AUTH_TOKEN=\${AUTH_TOKEN}`,
      'PRIMARY_KEY=user_id',
    ],
  },
  {
    kind: 'password',
    hits: [
      ['password: ', 'x9', ''],
      ['password: ', 'hunter', ''],
      ['the password for staging is ', 'hunter2', '.'],
      ['密码是 ', 'Hai7tang2026', '，记一下'],
      ['密码：', '123456', ''],
      ['口令：', 'chun-tian-88', '。'],
      ['账号 deploy，密码 ', 'Hai7tang#2026', ''],
      ['資料庫密碼為 ', 'qwer1234', ''],
      ['{"password": "', 'correct1horse', '"}'],
      ['Das Passwort ist ', 'W4sserfloh', ''],
      ['パスワードは ', 'neko2026', ' です'],
      ['DB pwd=', 'abc', ''],
      ['my pw is ', 'hunter2', ''],
      ['user: admin pass: ', 's3cretpass', ''],
      ['passphrase: ', 'correct horse battery staple', ''],
      ['Password Hunter2 is wrong but password ', 'Tr0ub4dor&3', ' works'],
      ['password="', 'Blue Horse 77!', '"'],
    ],
    lookAlikes: [
      'passwords must have 12 characters',
      '密码至少12位，要有大小写',
      '密码：至少12位',
      '密码：8-20位字母和数字',
      'password: string',
      'password: z.string().min(8)',
      'password: required',
      'password: process.env.DB_PASSWORD',
      'password: $DB_PASSWORD',
      'password: <your-password>',
      'password: ********',
      "password: ''",
      'password = hashPassword(input)',
      'const password = response.data.password',
      'the password is stored in the vault',
      'the password is rotated.',
      'the password is base64-encoded',
      'the password is wrong',
      '密码由运维保管',
      '密码是 base64 编码的',
      '密碼不能跟帳號一樣',
      'Password reset is broken',
      'pass: 120, fail: 3',
      'tests pass: 1204',
      'passphrase: ask one of the admins',
      'the passphrase is not in the repo yet',
      'password: at least 12 characters',
      'password: 12 characters or more',
      'password policy: rotate every 90 days',
      'パスワードは8文字以上',
      "password: 'Password is required'",
      'type User = { name: string; password: string }',
    ],
  },
  {
    kind: 'pin',
    hits: [
      ['PIN: ', '4821', ''],
      ['门禁 PIN码是', '204816', ''],
    ],
    lookAlikes: ['pin: 18.2.0', 'GPIO pin is 13', 'pin 2024 on the map'],
  },
  {
    kind: 'seed-phrase',
    hits: [
      ['seed phrase: ', 'apple river stone cloud tiger metal grass ocean piano candle forest bridge', ''],
      ['助记词：', 'apple river stone cloud tiger metal grass ocean piano candle forest bridge', ''],
    ],
    lookAlikes: ['mnemonic: first letters of the steps', 'a recovery phrase has twelve words'],
  },
  {
    kind: 'token',
    hits: [
      ['api_key: ', 'a1b2c3d4e5f6', ''],
      ['"clientSecret": "', mixed(24), '"'],
      ['the api key is ', 'zx81spectrum48', ''],
      ['令牌：', 'ab12cd34ef56', '，别外传'],
      ['密钥是 ', mixed(20), ''],
      ['appid wx12 secret ', hex(32), ''],
      ['//registry.example/:_authToken=', mixed(24), ''],
    ],
    lookAlikes: [
      'token: string',
      'const token = getToken()',
      'token = response.data.accessToken',
      'the token is base64-encoded',
      'the token is v2',
      'secret: true',
      'token expiry-is-set-to-30-minutes',
      `api_key: \${API_KEY}`,
      '密钥是 2048 位',
      '令牌过期了',
      'token 是 JWT',
      'access token: see vault',
      'token budget: 4096',
      'secret = readSecret("db")',
      'apiKey: config.apiKey',
    ],
  },
  {
    kind: 'command-password',
    hits: [
      ['mysql -u root -p', 'S3cret', ' shop'],
      ['tool --password ', 'Hunter2!', ' --verbose'],
      ['curl -u anna:', 'pa55word', ' https://x.example'],
      ['sshpass -p ', 'tiger99', ' ssh host'],
    ],
    lookAlikes: [
      'docker login --password-stdin',
      'tool --password $PASS',
      'tool --token <token>',
      'mysql -u root -p shop',
      'mysql --protocol=tcp',
      'tool --api-key --verbose',
    ],
  },
]

const identifierCases: Case[] = [
  {
    kind: 'payment-card',
    hits: [
      ['card ', `4111 1111 ${'1111'} 1111`, ' exp 12/29'],
      ['amex ', `3782 822463 ${'10005'}`, ''],
      ['信用卡', `55555555${'55554444'}`, '，下月到期'],
    ],
    lookAlikes: [
      '4111 1111 1111 1112',
      'order 4539578763621486',
      '1733000000000',
      'tracking 9400111899223197428490',
      '3.141592653589793238',
    ],
  },
  {
    kind: 'bank-card',
    hits: [
      ['卡号 ', `6222 0200 ${'0000'} 0000 001`.replace(/ 001$/, ' 000').replace('0000 000', '0000 000'), ''],
      ['银行卡 ', `6217 ${'0000'} 1234 5678 905`, ''],
    ],
    lookAlikes: ['订单号 6222020000001234567', '卡号后四位 8905', '编号 1234 5678'],
  },
  {
    kind: 'iban',
    hits: [
      ['to ', `DE89 3704 0044 ${'0532'} 0130 00`, ' please'],
      ['IBAN ', `GB82WEST1234${'5698'}765432`, ''],
    ],
    lookAlikes: ['DE89 3704 0044 0532 0130 01', 'AB12 CDEF 3456 7890', 'ISO27001ANNEXA'],
  },
  {
    kind: 'bank-account',
    hits: [
      ['account number: ', `0012${'345678'}`, ''],
      ['routing number ', `0210${'00021'}`, ''],
    ],
    lookAlikes: ['account number 42', 'the account number field', 'ticket 12345678'],
  },
  {
    kind: 'cn-resident-id',
    hits: [
      ['身份证 ', `11010519491231${'002X'}`, ''],
      ['证件 ', `44052418800101${'0014'}`.replace('1880', '1980').replace('0014', '0013'), ''],
      ['身份证号：', `110105${'491231'}002`, ''],
    ],
    lookAlikes: ['110105194912310021', '订单 202603140000123456', '身份证要年检'],
  },
  {
    kind: 'tw-national-id',
    hits: [
      ['身分證 ', `A1234${'56789'}`, ''],
      ['身份证字号 ', `A1234${'56789'}`, ''],
    ],
    lookAlikes: ['型號 A123456789', '身分證 A123456788'],
  },
  {
    kind: 'us-ssn',
    hits: [
      ['SSN ', `123-45-${'6789'}`, ''],
      ['social security number: ', `12345${'6789'}`, ''],
    ],
    lookAlikes: ['ticket 123-45-6789', 'SSN 000-12-3456', 'part 123-45-67890'],
  },
  {
    kind: 'uk-national-insurance',
    hits: [
      ['National Insurance ', `AB 12 34 ${'56'} C`, ''],
      ['NI number ', `AB1234${'56'}C`, ''],
    ],
    lookAlikes: ['model AB123456C', 'NI number field'],
  },
  {
    kind: 'passport-number',
    hits: [
      ['passport number: ', `E1234${'5678'}`, ''],
      ['护照号 ', `EA12${'34567'}`, ''],
    ],
    lookAlikes: ['passport.js 0.7', '护照要续签', 'model E12345678'],
  },
]

const groups: Record<string, Case[]> = {
  structures: structureCases,
  passwords: passwordCases,
  identifiers: identifierCases,
}
const allCases = Object.values(groups).flat()

describe('BL-15: secrets are masked before anything is stored, the fact is kept, the kind is told [W5]', () => {
  for (const [group, cases] of Object.entries(groups)) {
    describe(group, () => {
      it.each(cases)('$kind: every hit is masked, everything else stays', ({ kind, hits }) => {
        for (const [before, secret, after] of hits) {
          const result = redact(before + secret + after)
          expect(result.text, before).not.toContain(secret)
          expect(result.text).toMatch(/\[masked: [a-z0-9-]+\]/)
          expect(result.kinds, before + result.text).toContain(kind)
          expect(result.text.endsWith(after), `${result.text} keeps what follows`).toBe(true)
          expect(redact(result.text)).toEqual({ text: result.text, kinds: [] })
        }
      })

      it.each(cases)('$kind: look-alikes pass unchanged', ({ lookAlikes }) => {
        for (const text of lookAlikes) expect(redact(text)).toEqual({ text, kinds: [] })
      })
    })
  }

  it('the table covers every kind of the rules, each with two hits and two look-alikes', () => {
    expect([...new Set(allCases.map(({ kind }) => kind))].sort()).toEqual(
      [...new Set(otherRules.map(({ kind }) => kind))].sort(),
    )
    for (const { kind, hits, lookAlikes } of allCases) {
      expect(hits.length, kind).toBeGreaterThanOrEqual(2)
      expect(lookAlikes.length, kind).toBeGreaterThanOrEqual(2)
    }
    expect(allCases.length).toBeGreaterThanOrEqual(20)
  })
})

describe('ordinary text is left alone', () => {
  it.each([
    ['a commit id', `fixed in ${hex(40)}, reverted in ${hex(7)}`],
    ['a UUID', `run ${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)} failed`],
    ['an integrity line', `"integrity": "sha512-${mixed(86)}=="`],
    ['a sha256 digest', `sha256:${hex(64)}`],
    ['process.env', 'reads process.env.SERVICE_TOKEN at start'],
    ['a shell variable', `pass $TOKEN or \${SERVICE_TOKEN} to the script`],
    ['a phone number', 'ring 13800138000 or +49 30 1234567'],
    ['an order number', '订单号 2026031400001234 已发货'],
    ['a public key', `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${mixed(43)} anna@host`],
    ['a data url', `data:image/png;base64,${mixed(120)}`],
    ['a date and a version', '2026-03-14 v1.22.333 10.0.0.5'],
    ['a password rule', '密码至少12位，passwords must have 12 characters, 不能跟用户名一样'],
    ['source code', 'function login(user: string, password: string, token?: string): Promise<Session> {}'],
  ])('%s', (_name, text) => {
    expect(redact(text)).toEqual({ text, kinds: [] })
  })
})

describe('laws', () => {
  const secrets = allCases.flatMap(({ hits }) => hits.map(([before, secret, after]) => before + secret + after))
  const piece = fc.oneof(
    fc.constantFrom(...secrets),
    fc.constantFrom(
      'password: ',
      'token=',
      '密码是',
      '[masked: ',
      '[masked: jwt]',
      ']',
      '://',
      '@',
      ' ',
      '\n',
      '"',
      ':',
    ),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
  )

  it('is idempotent for any mix of secrets, markers and text', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const once = redact(pieces.join(''))
        expect(redact(once.text)).toEqual({ text: once.text, kinds: [] })
      }),
      { numRuns: 1_500 },
    )
  })

  it('the first look of a rule never hides what the rule would find', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.func(fc.boolean()), (pieces, isUpper) => {
        const joined = pieces.map((each) => (isUpper(each) ? each.toUpperCase() : each)).join('')
        for (const text of [joined, pieces.join('')])
          expect(rulesFor(text).map(({ rule }) => rule)).toEqual(
            expect.arrayContaining(secretRules.filter((rule) => rule.find(text).length > 0)),
          )
      }),
      { numRuns: 1_500 },
    )
  })

  it('leaves whatever stands outside of a secret in its place', () => {
    fc.assert(
      fc.property(fc.constantFrom(...allCases.flatMap(({ hits }) => hits)), ([before, secret, after]) => {
        const { text } = redact(`1. 会议在周三 👩‍💻\n${before}${secret}${after}\n2. the end 🏁`)
        expect(text.startsWith('1. 会议在周三 👩‍💻\n')).toBe(true)
        expect(text.endsWith('\n2. the end 🏁')).toBe(true)
        expect(text.isWellFormed()).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  it.each(['💰', '👩‍💻', '👍🏽', '🏳️‍🌈', '𠮷'])('BL-45: no mask ends inside of a character (%s)', (grapheme) => {
    for (let filler = 1_990; filler < 2_010; filler++) {
      const { text } = redact(`password: a1${'k'.repeat(filler)}${grapheme.repeat(20)} end`)
      expect(text.isWellFormed()).toBe(true)
      expect(text.startsWith('password: [masked: password]')).toBe(true)
      expect(text.endsWith(' end')).toBe(true)
    }
  })

  it('stays fast on 200 KB that nearly matches', () => {
    const nearly = [
      'A',
      'A_',
      'a.',
      '1 ',
      '-----BEGIN PRIVATE KEY-----\n',
      'eyJ.',
      'password ',
      'TOKEN_',
      '密码是',
      'http://a:',
      '4',
      'curl -u ',
      'mysql a -',
      'cookie: a=',
      'AccountKey',
      'a@',
      'token: a.b.',
    ]
    for (const unit of nearly) {
      const text = unit.repeat(Math.ceil(200_000 / unit.length))
      const start = performance.now()
      redact(text)
      expect(performance.now() - start, unit).toBeLessThan(4_000)
    }
  }, 120_000)
})

describe('isSecretOnly', () => {
  it.each([
    `gh${'p_'}${mixed(36)}`,
    `my password is hunter2!x`,
    `密码是 Hai7tang2026`,
    `export SERVICE_TOKEN=${mixed(20)}`,
    `请记住我的密码：abc12345`,
    block(`RSA PRIVATE ${'KEY'}`),
  ])('true: %s', (text) => expect(isSecretOnly(text)).toBe(true))

  it.each([
    `the staging box needs the password hunter2!X for user deploy at jump.example`,
    '跳板机 jump.example 端口 2222，密码 Hai7tang#2026',
    'no secret here',
    '',
  ])('false: %s', (text) => expect(isSecretOnly(text)).toBe(false))
})

it('a very long text without a space is masked too, wherever the secret stands', () => {
  const secret = `gh${'p'}_${mixed(36)}`
  const run = 'a1'.repeat(4_500_000)
  for (const [before, after] of [
    ['', run],
    [run, ''],
    ['a1'.repeat(524_280), run],
  ]) {
    const { text, kinds } = redact(`${before} ${secret} ${after}`)
    expect(text.includes(secret)).toBe(false)
    expect(kinds).toContain('github-token')
  }
})
