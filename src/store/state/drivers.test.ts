import { testStateStore } from '../../testing/state-store-suite.ts'
import { findSqliteDriver } from '../sqlite/find-driver.ts'
import { createMemoryStateStore } from './memory-state-store.ts'
import { openStateStore } from './sqlite-state-store.ts'

const driver = findSqliteDriver()
const clock = { now: () => Date.parse('2026-03-01T10:00:00Z') }

testStateStore('memory-state-store', createMemoryStateStore)
if (driver) testStateStore('sqlite-state-store', () => openStateStore({ file: ':memory:', driver, clock }))
