import { testCandidateStore } from '../../testing/candidate-store-suite.ts'
import { findSqliteDriver } from '../sqlite/find-driver.ts'
import { createMemoryCandidateStore } from './memory-candidate-store.ts'
import { openStateStore } from './sqlite-state-store.ts'

const driver = findSqliteDriver()
const clock = { now: () => Date.parse('2026-03-01T10:00:00Z') }

testCandidateStore('memory-candidate-store', createMemoryCandidateStore)
if (driver)
  testCandidateStore('sqlite-candidate-store', () => openStateStore({ file: ':memory:', driver, clock }).candidates)
