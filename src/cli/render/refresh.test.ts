import { describe, expect, it } from 'vitest'
import type { RefreshResult } from '../../domain/index.ts'
import { refreshLines } from './refresh.ts'

const result = (count: number): RefreshResult => ({
  layers: [],
  captured: count,
  settled: count,
  waiting: 0,
  conflicts: [],
  jobs: { done: count, written: count, waiting: count } as unknown as RefreshResult['jobs'], // No more of it is read.
  deferred: {
    one: { memories: count, nothing: 0, failed: 0, waiting: count, stopped: null },
    two: {
      passes: [
        {
          layer: 'global',
          outcome: 'done',
          memories: 1,
          turns: 1,
          changed: 0,
          proposed: count,
          refused: [],
          omittedRefused: count,
          summary: false,
          problem: null,
        },
      ],
      waiting: count,
      stopped: null,
    },
  },
  problems: [],
})

describe('refreshLines', () => {
  it('one', () => {
    expect(refreshLines(result(1)).split('\n')).toEqual([
      '1 message captured',
      '1 conversation read by a model, 1 note',
      '1 waits for a model: keepsake queue',
      '1 idle conversation read by a model: 1 gave something, 0 nothing, 0 failed',
      '1 idle conversation waits',
      'notes of global tidied by a model: 0 changed, 1 waits for your yes: keepsake review',
      '  1 more was refused',
      'notes of 1 layer wait to be tidied',
      'earlier copies of 1 file checked and cleared',
    ])
  })

  it('more', () => {
    expect(refreshLines(result(2)).split('\n')).toEqual([
      '2 messages captured',
      '2 conversations read by a model, 2 notes',
      '2 wait for a model: keepsake queue',
      '2 idle conversations read by a model: 2 gave something, 0 nothing, 0 failed',
      '2 idle conversations wait',
      'notes of global tidied by a model: 0 changed, 2 wait for your yes: keepsake review',
      '  2 more were refused',
      'notes of 2 layers wait to be tidied',
      'earlier copies of 2 files checked and cleared',
    ])
  })
})
