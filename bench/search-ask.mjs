// One question in a process of its own: bench/search.mjs starts it and reads its one line.
// node search-ask.mjs DIST PLACE(JSON) TARGET QUESTION
import { loadLibrary, openMemory } from './homes.mjs'

const [dist, place, target, query] = process.argv.slice(2)
const library = await loadLibrary(dist)
const loaded = performance.now()
const memory = await openMemory(library, JSON.parse(place))
const opened = performance.now()
await memory.recall({ query, in: target })
const asked = performance.now()
await memory.close()
console.log(JSON.stringify({ loadMs: loaded, openMs: opened - loaded, firstMs: asked - opened }))
