/** What is an anchor in plain words, and what only looks like one. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findAnchors } from './find-anchors.ts'

const root = '/home/ana/shop'
/** Kind and text of the likeliest reading; a question mark behind what the tree must tell. */
const found = (body: string) =>
  findAnchors(body, root).map(([{ kind, text, isSure }]) => `${kind} ${text}${isSure ? '' : '?'}`)
const sure = (body: string) => found(body).filter((each) => !each.endsWith('?'))

describe('paths [I5]', () => {
  it.each([
    ['plain', 'Look at src/cart/total.ts first', ['path src/cart/total.ts']],
    ['at the end of a sentence', 'It is in src/cart/total.ts.', ['path src/cart/total.ts']],
    ['between ticks', 'see `src/cart/total.ts`', ['path src/cart/total.ts']],
    ['absolute, in the tree', `it is ${root}/src/cart.ts`, [`path ${root}/src/cart.ts`]],
    ['absolute, elsewhere', 'read /etc/shop/settings.toml', ['path /etc/shop/settings.toml']],
    ['a folder', 'all of `src/cart/`', ['path src/cart/']],
    ['a bare name', 'the `Dockerfile` and package.json', ['path Dockerfile', 'path package.json']],
    ['with a dot before it', '.github/workflows/test.yml runs nightly', ['path .github/workflows/test.yml']],
    ['between Chinese words', '总价在src/cart/total.ts里算', ['path src/cart/total.ts']],
    ['with Chinese names', '见 `docs/设计/总览.md`', ['path docs/设计/总览.md']],
    ['of a route', 'in `app/[shop]/page.tsx`', ['path app/[shop]/page.tsx']],
    ['of another system', 'src\\cart\\total.ts', ['path src\\cart\\total.ts']],
    ['a pattern', 'src/**/*.ts, `packages/*/src`, {a,b}/c.ts', []],
    ['a place upwards', '../other/src/a.ts', []],
    ['a template', '`src/$NAME.ts`, `src/{name}.ts` or src/<name>.ts', []],
    ['an address of an API', 'GET /api/orders and POST /api/orders/:id', []],
    ['products', 'Node.js, Vue.js and Next.js', []],
  ])('%s', (_, body, expected) => {
    expect(sure(body)).toEqual(expected)
  })
})

describe('lines [I5]', () => {
  it.each([
    ['src/a.ts:42', 'src/a.ts:42'],
    ['src/a.ts:42:7 says', 'src/a.ts:42:7'],
    ['`src/a.ts:10-20`', 'src/a.ts:10-20'],
    ['src/a.ts#L10', 'src/a.ts#L10'],
    ['src/a.ts#L10-L20', 'src/a.ts#L10-L20'],
    ['line 42 of src/a.ts', 'line 42 of src/a.ts'],
    ['lines 10 to 20 in `src/a.ts`', 'lines 10 to 20 in `src/a.ts'],
    ['src/a.ts (line 42)', 'src/a.ts (line 42)'],
    ['src/a.ts, line 42', 'src/a.ts, line 42'],
    ['src/a.ts 第 42 行', 'src/a.ts 第 42 行'],
    ['`src/a.ts` 的第42行', 'src/a.ts` 的第42行'],
    ['src/a.ts 第 10-20 行', 'src/a.ts 第 10-20 行'],
  ])('%s', (body, text) => {
    expect(found(body)).toEqual([`line ${text}`])
  })
})

describe('commands, settings, versions, refs, symbols [I5]', () => {
  it.each([
    ['npm run build:web, then pnpm run lint', ['command npm run build:web', 'command pnpm run lint']],
    ['`pnpm --filter web dev`', ['command pnpm --filter web dev']],
    ['`yarn lint` and `make docs`', ['command yarn lint', 'command make docs']],
    ['`cargo xtask` and npx tsc', ['command cargo xtask', 'command npx tsc']],
    ['./scripts/x.sh --fast', ['command ./scripts/x.sh']],
    ['python -m shop.tools.load', ['command python -m shop.tools.load']],
    ['node scripts/build.mjs', ['command node scripts/build.mjs']],
    ['`pnpm install` and npm ci', []],
    ['PORT=8080 in .env.example', ['config PORT=8080', 'path .env.example']],
    ['tsconfig.json: "strict": true', ['path tsconfig.json', 'config "strict": true']],
    ['react@19.2.0 and httpx==0.27', ['version react@19.2.0', 'version httpx==0.27']],
    ['branch `main` and branch feature/cart-2', ['ref main', 'ref feature/cart-2']],
    ['tag v1.2.3, commit 3f2a91c', ['ref v1.2.3', 'ref 3f2a91c']],
    ['分支 feature/灯, 标签 v1.2.3, 提交 3f2a91c', ['ref feature/灯', 'ref v1.2.3', 'ref 3f2a91c']],
    ['`addItem()` and Cart.total()', ['symbol addItem()', 'symbol Cart.total()']],
    ['`parse_row` and `useCart`', ['symbol parse_row', 'symbol useCart']],
  ])('%s', (body, expected) => {
    expect(sure(body)).toEqual(expected)
  })
})

it.each([
  'Make sure that just about everybody can read and/or write; client/server is fine, 24/7 is not.',
  'Please make it short, e.g. three sentences, i.e. about 3.5 lines. Chapter 4.1 is the model, see item 2.3.',
  'We met on 2026-03-01 at 10:15, again on 01/03/2026; the ratio was 16:9, 99.9 % said yes.',
  'Write to ana@example.org or look at https://example.org/src/a.ts#L10, git@example.org:shop/web.git.',
  'She types fast, functions well under pressure, and the class of 2024 was good.',
  '回答用中文，先说结论；会议在 2026-03-01 下午 3:30，和/或 24/7 都不要。',
  '预算 3.2 万，第 3 行代码由老周写，版本以后再说。',
  'Never commit on Fridays. Branch offices and price tags are none of our business.',
  'Yarn is knitted, cargo is shipped, npm is fine, bun is bread.',
  'The address is 10.0.0.1:8080, the phone 030/1234567, the ticket SHOP-1234, the colour #ff9c2a.',
])('ordinary words are no anchors: %s', (body) => {
  expect(sure(body)).toEqual([])
})

describe('for any text [I5]', () => {
  const words = fc.constantFrom(
    ...[
      'src/a.ts',
      '`',
      ':',
      '12',
      'npm run ',
      'make ',
      ' in ',
      '.env',
      '=',
      '"',
      '分支',
      '第',
      '行',
      '#L',
      '/',
      '\\',
      '@',
      '1.2.3',
    ],
    ...[
      'function ',
      'branch ',
      'v',
      '\n',
      '..',
      '--',
      '(',
      ')',
      '()',
      '::',
      '*',
      ' ',
      '\u0000',
      '\ud800',
      '，',
      'is ',
      '是',
    ],
  )
  const text = fc.oneof(
    fc.string({ maxLength: 200 }),
    fc.array(words, { maxLength: 60 }).map((parts) => parts.join('')),
  )

  it('it finds places that are there, in order, and none twice', () => {
    fc.assert(
      fc.property(text, (body) => {
        const anchors = findAnchors(body, root).map(([first]) => first)
        for (const { at, end, text: words } of anchors) expect(body.slice(at, end)).toBe(words)
        expect(anchors.map(({ at }) => at)).toEqual(anchors.map(({ at }) => at).sort((one, other) => one - other))
        expect(new Set(anchors.map(({ kind, text: words }) => `${kind} ${words}`)).size).toBe(anchors.length)
      }),
      { numRuns: 300 },
    )
  })
})
