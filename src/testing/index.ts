/**
 * For those who write a driver or an adapter of their own: contract suites (they need vitest) and in-memory drivers.
 *
 *     import { testNoteFiles } from 'keepsake/testing'
 *     testNoteFiles('my-note-files', () => createMyHarness())
 */
export { createFakeCompleter, createFakeEmbedder } from '../models/index.ts'
export { createMemoryHistory } from '../store/notes/memory-history.ts'
export { createMemoryNoteFiles } from '../store/notes/memory-note-files.ts'
export { createMemorySearchIndex } from '../store/search-index/memory-search-index.ts'
export { createMemorySessionStore } from '../store/sessions/memory-session-store.ts'
export { createMemoryCallLedger } from '../store/state/memory-call-ledger.ts'
export { createMemoryStateStore } from '../store/state/memory-state-store.ts'
export { type AgentSamples, type AgentUnderTest, testAgentAdapter } from './agent-adapter-suite.ts'
export { testCallLedger } from './call-ledger-suite.ts'
export { testCandidateStore } from './candidate-store-suite.ts'
export { type CompleterHarness, testCompleter } from './completer-suite.ts'
export { testEmbedder } from './embedder-suite.ts'
export { testExtractionCursors } from './extraction-cursors-suite.ts'
export { type HistoryHarness, testHistory } from './history-suite.ts'
export { testJobQueue } from './job-queue-suite.ts'
export { createMemoryAgent, type MemoryAgent } from './memory-agent.ts'
export { type NoteFilesHarness, testNoteFiles } from './note-files-suite.ts'
export { testNoteUses } from './note-uses-suite.ts'
export { testSearchIndex } from './search-index-suite.ts'
export { testSessionMemories } from './session-memories-suite.ts'
export { testSessionStore } from './session-store-suite.ts'
export { testSqliteDriver } from './sqlite-suite.ts'
export { testStateStore } from './state-store-suite.ts'
