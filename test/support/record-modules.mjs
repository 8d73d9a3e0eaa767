// Preloaded with `node --import`: appends every module that the process loads to the file KEEPSAKE_TEST_MODULES.
import { appendFileSync } from 'node:fs'
import Module, { register } from 'node:module'
import vm from 'node:vm'

const file = process.env.KEEPSAKE_TEST_MODULES
const note = (name) => appendFileSync(file, `${name}\n`)

register(
  `data:text/javascript,${encodeURIComponent(`
    import { appendFileSync } from 'node:fs'
    export async function resolve(specifier, context, next) {
      const found = await next(specifier, context)
      appendFileSync(${JSON.stringify(file)}, found.url + '\\n')
      return found
    }
  `)}`,
)

const load = Module._load
Module._load = function (request, ...rest) {
  note(request)
  return Reflect.apply(load, this, [request, ...rest])
}

const getBuiltinModule = process.getBuiltinModule
if (getBuiltinModule)
  process.getBuiltinModule = (name) => {
    note(name)
    return getBuiltinModule(name)
  }

// Parts of the hook are scripts.
vm.Script = class extends vm.Script {
  constructor(source, options) {
    super(source, options)
    if (options?.filename) note(options.filename)
  }
}
