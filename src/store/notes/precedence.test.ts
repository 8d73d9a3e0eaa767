/** The truth table of S5: every combination of layers, name, mute, paths, status, voice and pin. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type LayerName, layerNames, type Standing, type Voice } from '../../domain/index.ts'
import { type Here, type RankedNote, standingsOf } from './precedence.ts'

const keys: Readonly<Record<LayerName, string>> = {
  worktree: 'projects/app-0123abcd/worktrees/feature',
  project: 'projects/app-0123abcd',
  team: 'projects/app-0123abcd/team',
  global: 'global',
}
const here: Here = { within: ['packages', 'web'], day: '2026-11-30' }

function note(id: string, layer: LayerName, more: Partial<RankedNote> = {}): RankedNote {
  return {
    id,
    layer: keys[layer],
    file: `${id}.md`,
    name: id,
    status: 'active',
    voice: 'rule',
    pinned: false,
    mutes: [],
    appliesTo: [],
    expires: null,
    ...more,
  }
}

function stateOf(target: RankedNote, notes: readonly RankedNote[], place = here): Standing['state'] | undefined {
  return standingsOf(notes, place).get(target)?.state
}

const paths = { everywhere: [], here: ['packages/**'], partly: ['packages/web/src/**'], elsewhere: ['packages/api/**'] }
const states: Readonly<Record<string, Partial<RankedNote>>> = {
  active: {},
  'not yet expired': { expires: '2026-11-30' },
  archived: { status: 'archived' },
  superseded: { status: 'superseded' },
  expired: { expires: '2026-11-29' },
}

describe('truth table of precedence [S5]', () => {
  const pairs = layerNames.flatMap((near) => layerNames.map((far) => [near, far] as const))

  it.each(pairs)('a note of %s and one of %s', (near, far) => {
    const isNearer = layerNames.indexOf(near) < layerNames.indexOf(far)
    for (const sameName of [true, false])
      for (const mutes of [true, false])
        for (const [where, appliesTo] of Object.entries(paths))
          for (const [state, fields] of Object.entries(states))
            for (const voices of ['rule rule', 'fact rule', 'quoted rule', 'quoted quoted'])
              for (const pinned of [true, false]) {
                const [ours, theirs] = voices.split(' ') as [Voice, Voice]
                const target = note('FAR', far, { name: 'Package manager', voice: theirs, pinned })
                const other = note('NEAR', near, {
                  name: sameName ? 'package-manager!' : 'Another',
                  mutes: mutes ? ['FAR'] : [],
                  appliesTo,
                  voice: ours,
                  ...fields,
                })
                const counts = state === 'active' || state === 'not yet expired'
                const holdsHere = where === 'everywhere' || where === 'here'
                const mayName = voices !== 'quoted rule' && !(near === 'team' && (pinned || theirs === 'rule'))
                const acts = isNearer && counts && holdsHere && mayName
                const expected = acts && sameName ? 'overridden' : acts && mutes && near !== 'team' ? 'muted' : 'stands'
                const label = JSON.stringify({ sameName, mutes, where, state, voices, pinned })
                for (const order of [
                  [target, other],
                  [other, target],
                ]) {
                  expect(stateOf(target, order), label).toBe(expected)
                  expect(stateOf(other, order), label).toBe(
                    !counts
                      ? 'retired'
                      : where === 'elsewhere'
                        ? 'elsewhere'
                        : isOverridden(near, far, sameName, other, target)
                          ? 'overridden'
                          : 'stands',
                  )
                }
              }
  })

  /** The other way round: what was called the farther note may be the nearer one. */
  function isOverridden(
    near: LayerName,
    far: LayerName,
    sameName: boolean,
    other: RankedNote,
    target: RankedNote,
  ): boolean {
    const isBehind = layerNames.indexOf(far) < layerNames.indexOf(near)
    const isTaken = far === 'team' && (other.pinned || other.voice === 'rule')
    const mayName = !(target.voice === 'quoted' && other.voice !== 'quoted') && !isTaken
    return isBehind && sameName && mayName
  }

  it('a layer that is switched off is not read, so it stands before nothing', () => {
    const [project, global] = [note('P', 'project', { name: 'Indent' }), note('G', 'global', { name: 'Indent' })]
    expect(stateOf(global, [project, global])).toBe('overridden')
    expect(stateOf(global, [global])).toBe('stands')
    expect(stateOf(project, [project])).toBe('stands')
  })

  it('the nearest one wins and is named', () => {
    const all = layerNames.map((layer) => note(layer.toUpperCase(), layer, { name: 'Indent' }))
    const standings = standingsOf(all, here)
    expect(all.map((each) => standings.get(each))).toEqual([
      { state: 'stands' },
      ...['project', 'team', 'global'].map(() => ({
        state: 'overridden',
        by: { id: 'WORKTREE', name: 'Indent', layer: 'worktree' },
      })),
    ])
  })

  it.each<[string, RankedNote[], Record<string, Standing['state']>]>([
    [
      'a muted note overrides nothing',
      [
        note('P', 'project', { mutes: ['T'] }),
        note('T', 'team', { name: 'Indent' }),
        note('G', 'global', { name: 'Indent' }),
      ],
      { P: 'stands', T: 'muted', G: 'stands' },
    ],
    [
      'an overridden note mutes nothing',
      [
        note('W', 'worktree', { name: 'Indent' }),
        note('P', 'project', { name: 'Indent', mutes: ['G'] }),
        note('G', 'global', { name: 'Other' }),
      ],
      { W: 'stands', P: 'overridden', G: 'stands' },
    ],
    ['a note that mutes itself', [note('P', 'project', { mutes: ['P'] })], { P: 'stands' }],
    [
      'two of one layer that mute each other',
      [note('P', 'project', { mutes: ['Q'] }), note('Q', 'project', { mutes: ['P'] })],
      { P: 'stands', Q: 'stands' },
    ],
    [
      'two of two layers that mute each other: only the nearer one does',
      [note('P', 'project', { mutes: ['G'] }), note('G', 'global', { mutes: ['P'] })],
      { P: 'stands', G: 'muted' },
    ],
    [
      'two of one name in one layer both stand, and both stand before a farther one',
      [
        note('P', 'project', { name: 'Indent' }),
        note('Q', 'project', { name: 'indent' }),
        note('G', 'global', { name: 'INDENT' }),
      ],
      { P: 'stands', Q: 'stands', G: 'overridden' },
    ],
    [
      'an id that no note has',
      [note('P', 'project', { mutes: ['NONE'] }), note('G', 'global')],
      { P: 'stands', G: 'stands' },
    ],
    [
      'Chinese names are compared whole',
      [
        note('P', 'project', { name: '构建命令' }),
        note('G', 'global', { name: '构建命令！' }),
        note('H', 'global', { name: '构建' }),
      ],
      { P: 'stands', G: 'overridden', H: 'stands' },
    ],
    [
      'words of tools take no rule away, and a team no rule and no pin',
      [
        note('P', 'project', { name: 'Push', voice: 'quoted', mutes: ['G'] }),
        note('T', 'team', { name: 'Migrate', mutes: ['G', 'H'] }),
        note('G', 'global', { name: 'Push' }),
        note('H', 'global', { name: 'Migrate', pinned: true, voice: 'fact' }),
        note('I', 'global', { name: 'migrate', voice: 'rule' }),
        note('J', 'global', { name: 'MIGRATE', voice: 'fact' }),
      ],
      { P: 'stands', T: 'stands', G: 'stands', H: 'stands', I: 'stands', J: 'overridden' },
    ],
  ])('%s', (_, notes, expected) => {
    const standings = standingsOf(notes, here)
    expect(Object.fromEntries(notes.map((each) => [each.id, standings.get(each)?.state]))).toEqual(expected)
  })

  it('a note counts where a message names its path, but stands before none there', () => {
    const narrowed = note('P', 'project', { name: 'Indent', appliesTo: ['packages/api/**'] })
    const global = note('G', 'global', { name: 'Indent' })
    const named: Here = { ...here, named: [['packages', 'api', 'server.ts']] }
    expect(stateOf(narrowed, [narrowed, global])).toBe('elsewhere')
    expect(stateOf(narrowed, [narrowed, global], named)).toBe('stands')
    expect(stateOf(global, [narrowed, global], named)).toBe('stands')
  })

  it('without a refresh no date has passed, and a condition is no date', () => {
    const dated = note('P', 'project', { expires: '2020-01-01' })
    expect(stateOf(dated, [dated], { ...here, day: null })).toBe('stands')
    expect(stateOf(dated, [dated])).toBe('retired')
    for (const expires of ['version vite >=7', 'exists 2020-01-01.md', 'gone src/old.ts', ''])
      expect(stateOf(note('Q', 'project', { expires }), [note('Q', 'project', { expires })]) ?? 'stands').toBe('stands')
  })
})

describe('laws of precedence [S5]', () => {
  const ids = ['A', 'B', 'C', 'D', 'E', 'F', 'G']
  const anyNote = fc
    .record({
      id: fc.constantFrom(...ids),
      layer: fc.constantFrom(...layerNames),
      name: fc.constantFrom('Indent', 'indent!', '缩进', 'Deploy'),
      voice: fc.constantFrom<Voice>('rule', 'fact', 'quoted'),
      pinned: fc.boolean(),
      status: fc.constantFrom('active' as const, 'archived' as const),
      mutes: fc.subarray(ids),
      appliesTo: fc.constantFrom(...Object.values(paths)),
    })
    .map(({ id, layer, ...more }) => note(id, layer, more))
  const anyNotes = fc.uniqueArray(anyNote, { maxLength: 7, selector: ({ id }) => id })
  const states = (notes: readonly RankedNote[]) => {
    const standings = standingsOf(notes, here)
    return new Map(notes.map((each) => [each.id, standings.get(each)]))
  }

  it('the same for any order, whoever mutes whom', () => {
    fc.assert(
      fc.property(anyNotes, fc.infiniteStream(fc.nat()), (notes, order) => {
        const rank = new Map(notes.map(({ id }) => [id, order.next().value ?? 0]))
        const shuffled = [...notes].sort((one, other) => (rank.get(one.id) ?? 0) - (rank.get(other.id) ?? 0))
        expect(states(shuffled)).toEqual(states(notes))
      }),
    )
  })

  it('who silences another one counts here itself and lies nearer', () => {
    fc.assert(
      fc.property(anyNotes, (notes) => {
        const found = states(notes)
        for (const { id, layer } of notes) {
          const standing = found.get(id)
          if (standing?.state !== 'overridden' && standing?.state !== 'muted') continue
          expect(found.get(standing.by.id)?.state).toBe('stands')
          const own = layerNames.findIndex((name) => keys[name] === layer)
          expect(layerNames.indexOf(standing.by.layer)).toBeLessThan(own)
        }
      }),
    )
  })

  it('an active global note always stands unless something nearer is named', () => {
    fc.assert(
      fc.property(anyNotes, (notes) => {
        const found = states(notes)
        for (const each of notes.filter(({ layer, status }) => layer === 'global' && status === 'active'))
          if (each.appliesTo.length === 0)
            expect(['stands', 'overridden', 'muted']).toContain(found.get(each.id)?.state)
      }),
    )
  })
})
