import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import {
  type LockOwner,
  type ProcessTable,
  selfAsOwner,
  startFromStat,
  stateOfOwner,
  systemProcessTable,
} from './lock-owner.ts'

const table: ProcessTable = {
  host: 'desk#0123456789ab',
  hostIsUnique: true,
  boot: 'boot-1',
  namespace: 'pid:[1]',
  pid: 100,
  startOf: (pid) => (pid === 100 ? '5000' : pid === 7 ? null : 'gone'),
}
const owner: LockOwner = { pid: 100, start: '5000', boot: 'boot-1', namespace: 'pid:[1]', host: 'desk#0123456789ab' }

describe('BL-69: a lock of', () => {
  it.each([
    ['a running process', owner, {}, 'alive'],
    ['a process that ended', { ...owner, pid: 99 }, {}, 'gone'],
    ['a process whose pid another program has now', { ...owner, start: '4000' }, {}, 'gone'],
    ['a process before the restart of this machine', { ...owner, boot: 'boot-0' }, {}, 'gone'],
    [
      'another boot, where the host is not known for sure',
      { ...owner, boot: 'boot-0' },
      { hostIsUnique: false },
      'elsewhere',
    ],
    ['another machine', { ...owner, host: 'laptop' }, {}, 'elsewhere'],
    ['another pid namespace', { ...owner, namespace: 'pid:[2]' }, {}, 'elsewhere'],
    ['a process whose start time is not told', { ...owner, pid: 7 }, {}, 'alive'],
    ['a holder that could not tell its own start time', { ...owner, start: null }, {}, 'alive'],
    ['unknown boots on both sides', { ...owner, boot: null }, { boot: null }, 'alive'],
    ['an unknown boot on one side', { ...owner, boot: null }, {}, 'elsewhere'],
  ] as const)('is judged: %s', (_case, holder, change, expected) => {
    expect(stateOfOwner(holder, { ...table, ...change })).toBe(expected)
  })
})

describe('start time from /proc', () => {
  const rest = 'S 1 1 1 0 -1 4194304 1 0 0 0 1 1 0 0 20 0 1 0 987654 1 1'
  it.each([
    ['a plain name', `12 (node) ${rest}`, '987654'],
    ['a name with spaces and brackets', `12 (my (odd) name) S) ${rest}`, '987654'],
    ['a zombie', `12 (node) ${rest.replace('S', 'Z')}`, 'gone'],
    ['a dead task', `12 (node) ${rest.replace('S', 'X')}`, 'gone'],
    ['a cut off line', '12 (node) S 1', null],
  ])('reads %s', (_case, stat, expected) => {
    expect(startFromStat(stat)).toBe(expected)
  })
})

describe('the table of this machine', () => {
  it('knows this process, and one that ended', async () => {
    const system = systemProcessTable()
    expect(stateOfOwner(selfAsOwner(system), system)).toBe('alive')
    const child = spawn(process.execPath, ['-e', ''])
    await once(child, 'exit')
    expect(stateOfOwner({ ...selfAsOwner(system), pid: child.pid ?? 0 }, system)).toBe('gone')
  })
})
