/**
 * For the hook's bundle. Importing a module of Node makes a copy of all that it exports, which for `node:fs` loads half
 * of the streams, and a module like `node:child_process` costs milliseconds in every process, whether or not something
 * is spawned. Here modules are asked of the process itself: the small ones at once, the others at the first call.
 */

/** Only functions are imported from these; each loads its module when it is called. */
const lazy = new Set(['node:child_process', 'node:crypto', 'node:fs/promises', 'node:module', 'node:timers/promises'])
/** Node has these loaded when a program begins. */
const ready = new Set(['node:buffer', 'node:fs', 'node:os', 'node:path', 'node:url', 'node:vm'])

const PREFIX = '\0of-process:'

export function lazyBuiltins() {
  return {
    name: 'lazy-builtins',
    resolveId: {
      order: 'pre' as const,
      handler: (id: string) => (lazy.has(id) || ready.has(id) ? { id: PREFIX + id, moduleSideEffects: false } : null),
    },
    async load(id: string) {
      if (!id.startsWith(PREFIX)) return null
      const name = id.slice(PREFIX.length)
      const names = Object.keys(await import(name)).filter((each) => each !== 'default' && each !== 'module.exports')
      return { code: lazy.has(name) ? lazyModule(name, names) : readyModule(name, names), moduleSideEffects: false }
    },
  }
}

function lazyModule(name: string, names: readonly string[]): string {
  const load = `const load = () => process.getBuiltinModule(${JSON.stringify(name)})`
  const functions = names.map((each) => `export const ${each} = (...given) => load().${each}(...given)`)
  const whole = 'export default /* @__PURE__ */ new Proxy({}, { get: (_, key) => load()[key] })'
  return [load, ...functions, whole].join('\n')
}

function readyModule(name: string, names: readonly string[]): string {
  const load = `const loaded = /* @__PURE__ */ process.getBuiltinModule(${JSON.stringify(name)})`
  const values = names.map((each) => `export const ${each} = loaded.${each}`)
  return [load, ...values, 'export default loaded'].join('\n')
}
