/**
 * Loads the bundled program with what V8 compiled of it at build time: reading that is several times quicker than
 * compiling. The cache is a help, never a need:
 *
 * Q1 No cache, a torn one, one of another Node, processor or set of V8's flags: V8 refuses it, the text is compiled as ever.
 * Q2 V8 knows a text by its length alone. So only files whose name carries a hash of what they hold have a cache.
 * Q3 Caches are written by the build and by nothing else; an installed program writes nothing into its own folder.
 * Q4 Caches remember which functions were run so often that V8's quick compiler took them on, and such a function is
 *    compiled again where it is first called. At a start that costs more than it saves: no function is to be known so.
 * Q5 How large the heap may be is settled before anything runs and changes nothing in what is compiled, but V8 refuses a
 *    cache for it. `NODE_OPTIONS=--max-old-space-size=…` is common: while a cache is read, such flags are as V8 has them.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
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
  const importModule = async (id: string): Promise<unknown> => {
    if (id.startsWith('.')) return import(pathToFileURL(resolve(folder, id)).href)
    // The packages outside the bundle are CommonJS: found without waking the loader of ESM.
    const exports = nodeRequire(id) as object
    return { ...exports, default: exports }
  }
  bodyOf(file)(module.exports, require, module, file, folder, importModule)
  return module.exports
}

function bodyOf(file: string): ModuleBody {
  const cachedData = cacheOf(file)
  const text = `${head}${readFileSync(file, 'latin1')}\n})`
  const script = asUsual(() => new vm.Script(text, { filename: file, ...(cachedData && { cachedData }) }))
  scripts.set(file, script)
  return script.runInThisContext() as ModuleBody
}

function cacheOf(file: string): Buffer | undefined {
  if (!isNamedByContent(file)) return undefined
  try {
    return readFileSync(`${file}.cache`)
  } catch {
    return undefined
  }
}

/** `answer-Cw-AoY_T.cjs` (Q2). */
const isNamedByContent = (file: string): boolean => /-[\w-]{8}\.cjs$/.test(file)

/** For the build (Q3): keeps what has been compiled by now, beside each file. */
export function keepCaches(): void {
  for (const [file, script] of scripts)
    if (isNamedByContent(file))
      writeFileSync(
        `${file}.cache`,
        asUsual(() => script.createCachedData()),
      )
}

const harmless: Readonly<Record<string, number>> = {
  'max-old-space-size': 0,
  'max-semi-space-size': 0,
  'min-semi-space-size': 0,
  'max-heap-size': 0,
  'initial-heap-size': 0,
  'initial-old-space-size': 0,
  'stack-trace-limit': 10,
}

/** Loading it takes a while, and few starts have a flag to set. */
const setFlag = (flag: string): void => process.getBuiltinModule('node:v8').setFlagsFromString(flag)

let isKeeping = false

/**
 * Before the build's runs (Q4). V8's quick compiler is off while the program runs, and on, as ever, where caches are read
 * and made: they hold what V8 is set to.
 */
export function prepareToKeep(): void {
  isKeeping = true
  setFlag('--no-sparkplug')
}

/** Q5: as they were given, and as V8 has them. */
const givenFlags = [...(process.env.NODE_OPTIONS ?? '').split(/\s+/), ...process.execArgv].flatMap(given => {
  const [, flag, name] = /^(--([a-z_-]+)=)\d+$/.exec(given) ?? []
  if (flag === undefined || name === undefined) return []
  const usual = harmless[name.replaceAll('_', '-')]
  return usual === undefined ? [] : [{ given, usual: flag + usual }]
})

function asUsual<Made>(make: () => Made): Made {
  for (const { usual } of givenFlags) setFlag(usual)
  if (isKeeping) setFlag('--sparkplug')
  try {
    return make()
  } finally {
    for (const { given } of givenFlags) setFlag(given)
    if (isKeeping) setFlag('--no-sparkplug')
  }
}
