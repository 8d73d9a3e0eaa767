import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openedBy } from './shell-reads.ts'

const opened = (command: string) => openedBy(command, '/w').map(({ reference, folder }) => `${folder} ${reference}`)

describe('files that a command opens [I7]', () => {
  it.each<[string, readonly string[]]>([
    ['cat notes/a.md', ['/w notes/a.md']],
    ['cat /m/a.md /m/b.md', ['/w /m/a.md', '/w /m/b.md']],
    ["sed -n '1,40p' /m/feedback_tabs.md", ['/w /m/feedback_tabs.md']],
    ['head -n 20 ~/.keepsake/memory/global/a.md', ['/w ~/.keepsake/memory/global/a.md']],
    ['/bin/cat "/m/with space.md"', ['/w /m/with space.md']],
    ["cat /m/a\\ b.md '/m/笔记.md'", ['/w /m/a b.md', '/w /m/笔记.md']],
    ['cd /m && cat a.md', ['/m a.md']],
    ['cd /m/global; cd ../p; cat a.md', ['/m/p a.md']],
    ['cd ~/notes && nl -ba a.md', ['~/notes a.md']],
    ['cat /m/a.md | head -50', ['/w /m/a.md']],
    ['cat /m/a.md 2>/dev/null || echo none', ['/w /m/a.md']],
    ['cat /m/a.md 2>&1 | sed -n 1,9p', ['/w /m/a.md']],
    ['pwd\ncat a.md # the note\n', ['/w a.md']],
    ['rg -n "deploy window" /m/a.md', ['/w /m/a.md']],
    ['grep -in tabs /m/a.md', ['/w /m/a.md']],
    ['cat $HOME/a.md /m/b.md', ['/w /m/b.md']],
  ])('%j', (command, expected) => {
    expect(opened(command)).toEqual(expected)
  })

  it.each([
    'cat *.md',
    'cat "$NOTE.md"',
    'cat `ls`.md',
    'cat $(ls /m/a.md)',
    'cat > /m/a.md <<EOF\ncat /m/b.md\nEOF',
    "cat <<'EOF' > x\ncat /m/b.md\nEOF",
    'cat /m/a.md > /m/b.md',
    'cat /m/a.md | wc -l',
    'cat /m/a.md | tee /m/b.md',
    'sed -i s/a/b/ /m/a.md',
    'sed -ni 1p /m/a.md',
    'rm /m/a.md',
    'git log -- /m/a.md',
    'echo cat /m/a.md',
    "echo 'cat /m/a.md'",
    '# cat /m/a.md',
    'rg deploy /m',
    'rg deploy /m/a.md /m/b.md',
    'rg /m/a.md',
    'rg -l deploy /m/a.md',
    'grep -c deploy /m/a.md',
    'rg --files /m/a.md',
    'cat /m/a.txt',
    "cat '/m/a.md",
    `cat /m/a.md ${'x'.repeat(5_000)}`,
  ])('none: %j', (command) => {
    expect(opened(command)).toEqual([])
  })

  it('nothing is known behind a folder that is not', () => {
    expect(openedBy('cd "$X" && cat a.md', '/w')).toEqual([{ by: 'path', reference: 'a.md', folder: null }])
    expect(openedBy('cat a.md', null)).toEqual([{ by: 'path', reference: 'a.md', folder: null }])
  })

  it.each([
    ['keepsake read "Deploy window"', 'Deploy window'],
    ['ks read 01K6ZD5VJ8 --json', '01K6ZD5VJ8'],
    ['/usr/local/bin/keepsake read 发布窗口 | head', '发布窗口'],
  ])('our own command names a note: %j', (command, reference) => {
    expect(openedBy(command, '/w')).toEqual([{ by: 'note', reference, folder: '/w' }])
  })

  it.each(['keepsake list', 'keepsake forget "Deploy window"', 'keepsake read "$X"'])(
    'and here none: %j',
    (command) => {
      expect(openedBy(command, '/w')).toEqual([])
    },
  )

  it('never throws, and is done at once with any command', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'\'"\\|&;<>(){}$`# catmd./\n') })),
        (command) => {
          expect(Array.isArray(openedBy(command, '/w'))).toBe(true)
        },
      ),
    )
    for (const piece of ['"', "'", '\\', '"\\', 'a"', '|', 'cat ']) expect(opened(piece.repeat(2_000))).toEqual([])
  })
})
