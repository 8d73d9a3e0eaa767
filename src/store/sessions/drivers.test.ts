import { testSessionStore } from '../../testing/session-store-suite.ts'
import { findSqliteDriver } from '../sqlite/find-driver.ts'
import { createMemorySessionStore } from './memory-session-store.ts'
import { openSessionStore } from './sqlite-session-store.ts'

const driver = findSqliteDriver()
const clock = { now: () => Date.parse('2026-03-01T10:00:00Z') }

testSessionStore('memory-session-store', createMemorySessionStore)
if (driver) testSessionStore('sqlite-session-store', () => openSessionStore({ file: ':memory:', driver, clock }))
