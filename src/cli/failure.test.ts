import { CommanderError } from 'commander'
import { describe, expect, it } from 'vitest'
import { errorCodes, MemoryError, type MemoryErrorCode } from '../errors.ts'
import { exitCodeOf, exitCodes } from './exit-codes.ts'
import { failureOf } from './failure.ts'

describe('failures [U1]', () => {
  it('every error code has an exit code', () => {
    expect(Object.keys(exitCodes).sort()).toEqual(Object.keys(errorCodes).sort())
  })

  it.each(Object.keys(errorCodes) as MemoryErrorCode[])('%s is one line and a hint, without a stack', (code) => {
    const failure = failureOf(new MemoryError(code, 'something', { hint: 'do this' }))
    expect(failure?.text).toBe('keepsake: something\n  do this')
    expect(failure?.json.error).toMatchObject({ code, hint: 'do this' })
  })

  it('candidates are listed', () => {
    const data = { candidates: [{ id: '01J', name: 'one' }, '02J'] }
    expect(failureOf(new MemoryError('NOTE_AMBIGUOUS', '2 notes match', { data }))?.text).toBe(
      'keepsake: 2 notes match\n  - 01J  one\n  - 02J',
    )
  })

  it('a fault of ours shows its stack and exits 1; usage exits 2; help is no failure', () => {
    expect(failureOf(new Error('boom'))).toMatchObject({ exitCode: 1, text: expect.stringContaining('failure.test') })
    expect(failureOf(new CommanderError(1, 'commander.unknownOption', "error: unknown option '--x'"))).toMatchObject({
      exitCode: 2,
      text: expect.stringContaining("unknown option '--x'"),
    })
    expect(failureOf(new CommanderError(0, 'commander.helpDisplayed', ''))).toBeNull()
  })

  it('a refused write is a conflict, an unwritable home is unavailable, everything else is fine', () => {
    const rest = { similar: [], masked: [], notices: [] }
    const rejected = (code: 'threat' | 'home-newer') => ({
      outcome: 'rejected' as const,
      reason: { code, message: '', rule: null, hint: '' },
      ...rest,
    })
    expect(exitCodeOf(rejected('threat'))).toBe(4)
    expect(exitCodeOf(rejected('home-newer'))).toBe(5)
    expect(exitCodeOf({ outcome: 'proposed', proposalId: 'x', reason: '', ...rest })).toBe(0)
  })
})
