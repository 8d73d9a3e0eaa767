import { describe, expect, it } from 'vitest'
import { type EditOptions, editOf } from './edit-options.ts'

const of = (options: EditOptions, words: string[] = []) => editOf(options, words, async () => words.join(' '))

describe('editOf [W2]', () => {
  it.each<[string, EditOptions, string[], unknown]>([
    ['a new memory', { type: 'user', pin: true, layer: 'global' }, ['I am Ana'], null],
    ['replace', { replace: 'old' }, ['new'], { action: 'replace', find: 'old', text: 'new', in: undefined }],
    [
      'replace in a note',
      { replace: 'old', in: 'x' },
      ['new'],
      { action: 'replace', find: 'old', text: 'new', in: 'x' },
    ],
    ['remove', { remove: 'old', in: 'x' }, [], { action: 'remove', find: 'old', in: 'x' }],
    ['move', { move: 'x', to: 'profile' }, [], { action: 'move', in: 'x', to: 'profile' }],
    ['move to a layer', { move: 'x', layer: 'global' }, [], { action: 'move', in: 'x', to: 'global' }],
  ])('%s', async (_, options, words, edit) => {
    expect(await of(options, words)).toEqual(edit)
  })

  it.each<[string, EditOptions, string[], string]>([
    ['two changes', { replace: 'a', remove: 'b' }, [], 'action'],
    ['a pin beside a replacement', { replace: 'a', pin: true }, ['b'], 'pin'],
    ['a type beside a removal', { remove: 'a', type: 'user' }, [], 'type'],
    ['a layer beside a replacement', { replace: 'a', layer: 'global' }, ['b'], 'layer'],
    ['a place and a layer', { move: 'x', to: 'note', layer: 'global' }, [], 'layer'],
    ['a place for a new memory', { to: 'profile' }, ['a'], 'to'],
    ['a note for a new memory', { in: 'x' }, ['a'], 'in'],
    ['a note beside a move', { move: 'x', to: 'note', in: 'y' }, [], 'in'],
    ['text beside a removal', { remove: 'a' }, ['b'], 'text'],
    ['a move to nowhere', { move: 'x' }, [], 'to'],
  ])('is refused: %s', async (_, options, words, field) => {
    await expect(of(options, words)).rejects.toMatchObject({ code: 'INPUT_INVALID', data: { field } })
  })
})
