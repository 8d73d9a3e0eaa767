import { testSearchIndex } from '../../testing/search-index-suite.ts'
import { findSqliteDriver } from '../sqlite/find-driver.ts'
import { createMemorySearchIndex } from './memory-search-index.ts'
import { openSqliteSearchIndex } from './sqlite-search-index.ts'

testSearchIndex('memory search index', createMemorySearchIndex)

const driver = findSqliteDriver()
if (driver)
  testSearchIndex(`sqlite search index on ${driver.name}`, () => openSqliteSearchIndex({ file: ':memory:', driver }))
