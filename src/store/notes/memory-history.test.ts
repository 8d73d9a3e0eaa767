import { testHistory } from '../../testing/history-suite.ts'
import { createMemoryHistory } from './memory-history.ts'

testHistory('memory', () => ({ history: createMemoryHistory(), dispose: () => undefined }))
