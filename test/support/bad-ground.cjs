/**
 * Loaded before the program (`node --require`) to make this machine a worse one. `TEST_GROUND` names how, by commas:
 * `sqlite-absent`, `sqlite-throws`, `no-fts5`, `network-disk`, `clock:<milliseconds>` (how far the clock is off).
 */
const fs = require('node:fs')
const Module = require('node:module')

const ground = (process.env.TEST_GROUND ?? '').split(',')
const load = Module._load
const getBuiltinModule = process.getBuiltinModule?.bind(process)

if (ground.includes('sqlite-absent') || ground.includes('sqlite-throws')) {
  if (getBuiltinModule)
    process.getBuiltinModule = (name) => (/^(node:)?sqlite$/.test(name) ? undefined : getBuiltinModule(name))
  Module._load = (request, ...rest) => {
    if (request !== 'better-sqlite3') return load(request, ...rest)
    if (ground.includes('sqlite-throws')) throw new Error('was compiled against a different Node.js version')
    throw Object.assign(new Error("Cannot find module 'better-sqlite3'"), { code: 'MODULE_NOT_FOUND' })
  }
}

if (ground.includes('no-fts5')) {
  const refuse = (prototype) => {
    const { exec } = prototype
    prototype.exec = function (sql) {
      if (/fts5/i.test(sql)) throw new Error('no such module: fts5')
      return exec.call(this, sql)
    }
  }
  const builtin = getBuiltinModule?.('node:sqlite')
  if (builtin) refuse(builtin.DatabaseSync.prototype)
  Module._load = (request, ...rest) => {
    const loaded = load(request, ...rest)
    if (request === 'better-sqlite3' && !loaded.prototype.isWithoutFts5) {
      refuse(loaded.prototype)
      loaded.prototype.isWithoutFts5 = true
    }
    return loaded
  }
}

if (ground.includes('network-disk')) {
  const { statfsSync } = fs
  fs.statfsSync = (...words) => ({ ...statfsSync(...words), type: 0x6969 })
  Module.syncBuiltinESMExports()
}

const clock = ground.find((each) => each.startsWith('clock:'))
if (clock) {
  const offset = Number(clock.slice('clock:'.length))
  const RealDate = Date
  globalThis.Date = class extends RealDate {
    constructor(...words) {
      if (words.length === 0) super(RealDate.now() + offset)
      else super(...words)
    }
    static now() {
      return RealDate.now() + offset
    }
  }
}
