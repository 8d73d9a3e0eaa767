import { testWorkingTree } from '../../testing/working-tree-suite.ts'
import { createMemoryWorkingTree } from './memory-working-tree.ts'

testWorkingTree('memory working tree [I5]', () => ({
  make: (steps, { tag, branch }) =>
    createMemoryWorkingTree(steps.map((step) => ({ ...step, tags: [tag], branches: ['main', branch] }))),
  bare: (files) => createMemoryWorkingTree([], { now: files }),
  dispose: () => undefined,
}))
