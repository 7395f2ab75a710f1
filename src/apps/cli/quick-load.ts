/**
 * Loads the bundled program with what V8 compiled of it at build time: reading that is several times quicker than
 * compiling. A cache of another Node version is refused by V8 itself, and then the text is compiled as ever.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import vm from 'node:vm'

interface LoadedModule {
  readonly exports: object
}
type ModuleBody = (
  exports: object,
  require: (id: string) => unknown,
  module: LoadedModule,
  file: string,
  folder: string,
  importModule: (id: string) => Promise<unknown>,
) => void

const head = '(function(exports,require,module,__filename,__dirname,importModule){'
const loaded = new Map<string, LoadedModule>()
const scripts = new Map<string, vm.Script>()

/** What a file of the bundle exports; its own files come the same way, everything else by Node's `require`. */
export function loadQuickly(file: string): object {
  const known = loaded.get(file)
  if (known) return known.exports
  const module: LoadedModule = { exports: {} }
  loaded.set(file, module)
  const folder = dirname(file)
  const nodeRequire = createRequire(file)
  const require = (id: string): unknown => (id.startsWith('.') ? loadQuickly(resolve(folder, id)) : nodeRequire(id))
  const importModule = (id: string) => import(id.startsWith('.') ? pathToFileURL(resolve(folder, id)).href : id)
  bodyOf(file)(module.exports, require, module, file, folder, importModule)
  return module.exports
}

function bodyOf(file: string): ModuleBody {
  const cache = `${file}.cache`
  const cachedData = existsSync(cache) ? readFileSync(cache) : undefined
  const text = `${head}${readFileSync(file, 'latin1')}\n})`
  const script = new vm.Script(text, { filename: file, ...(cachedData && { cachedData }) })
  scripts.set(file, script)
  return script.runInThisContext() as ModuleBody
}

/** For the build: keeps what has been compiled by now, beside each file. */
export function keepCaches(): void {
  for (const [file, script] of scripts) writeFileSync(`${file}.cache`, script.createCachedData())
}

/** Where the bundle lies, next to the door (its URL); undefined when it was not built. */
export function quickProgram(door: string): string | undefined {
  const file = join(dirname(fileURLToPath(door)), 'quick', 'program.cjs')
  return existsSync(file) ? file : undefined
}
