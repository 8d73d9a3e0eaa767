import { testCallLedger } from '../../testing/call-ledger-suite.ts'
import { testExtractionCursors } from '../../testing/extraction-cursors-suite.ts'
import { testJobQueue } from '../../testing/job-queue-suite.ts'
import { testNoteUses } from '../../testing/note-uses-suite.ts'
import { testStateStore } from '../../testing/state-store-suite.ts'
import { findSqliteDriver } from '../sqlite/find-driver.ts'
import { createMemoryStateStore } from './memory-state-store.ts'
import { openStateStore } from './sqlite-state-store.ts'
import type { StateStore } from './state-store.ts'

const driver = findSqliteDriver()
const clock = { now: () => Date.parse('2026-03-01T10:00:00Z') }

const drivers: [string, () => StateStore][] = [['memory-state-store', createMemoryStateStore]]
if (driver) drivers.push(['sqlite-state-store', () => openStateStore({ file: ':memory:', driver, clock })])

for (const [name, create] of drivers) {
  testStateStore(name, create)
  testJobQueue(`job queue of ${name}`, () => create().queue)
  testCallLedger(`ledger of ${name}`, () => create().ledger)
  testNoteUses(`uses of ${name}`, () => create().uses)
  testExtractionCursors(`extraction cursors of ${name}`, () => create().extractions)
}
