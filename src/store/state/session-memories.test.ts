import { testSessionMemories } from '../../testing/session-memories-suite.ts'
import { findSqliteDriver } from '../sqlite/find-driver.ts'
import { createMemorySessionMemories } from './memory-session-memories.ts'
import { openStateStore } from './sqlite-state-store.ts'

const driver = findSqliteDriver()
const clock = { now: () => Date.parse('2026-03-01T10:00:00Z') }

testSessionMemories('memory-session-memories', createMemorySessionMemories)
if (driver)
  testSessionMemories(
    'sqlite-session-memories',
    () => openStateStore({ file: ':memory:', driver, clock }).sessionMemories,
  )
