/** docs/api.md has every name a user can import, and whoever can import a name can also import the types it speaks of. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { ensureBuilt } from '../e2e/program.js'
import { root } from './pages.js'

vi.setConfig({ hookTimeout: 120_000 })
const script = join(root, 'scripts/api.mjs')
const api = (tree: string, ...args: readonly string[]) => {
  const { status, stderr } = spawnSync(process.execPath, [script, '--root', tree, ...args], { encoding: 'utf8' })
  return { status, stderr }
}

test('the page is what the sources say, and every public name says what it is', () => {
  expect(api(root)).toEqual({ status: 0, stderr: '' })
})

describe('planted in a tree of its own', () => {
  function tree(source: string): string {
    const path = mkdtempSync(join(tmpdir(), 'offshoot-api-'))
    for (const folder of ['docs', 'src']) mkdirSync(join(path, folder))
    writeFileSync(join(path, 'package.json'), '{"name":"house","exports":{".":{"types":"./dist/index.d.ts"}}}')
    writeFileSync(join(path, 'src/index.ts'), "export { open } from './open.js'\n")
    writeFileSync(join(path, 'src/open.ts'), source)
    return path
  }
  const open = '/** Opens it. Never throws. */\nexport function open(): void {}\n'

  test.each([
    [
      'a name that came',
      `${open}/** Closes it. */\nexport const close = 1\n`,
      "export { close, open } from './open.js'\n",
    ],
    ['a name that went', `${open}/** Closes it. */\nexport const close = 1\n`, "export { close } from './open.js'\n"],
    ['another sentence', open.replace('Opens', 'Unlocks'), undefined],
    ['a name without a comment', 'export function open(): void {}\n', undefined],
  ])('%s is a fault', (_, source, index) => {
    const path = tree(open)
    try {
      expect(api(path, '--write').status).toBe(0)
      expect(readFileSync(join(path, 'docs/api.md'), 'utf8')).toContain('- `open`: Opens it.\n')
      writeFileSync(join(path, 'src/open.ts'), source)
      if (index) writeFileSync(join(path, 'src/index.ts'), index)
      expect(api(path).status).toBe(1)
    } finally {
      rmSync(path, { recursive: true })
    }
  })
})

describe('declarations as they are shipped', () => {
  beforeAll(() => ensureBuilt())

  test('a type that a public signature names can be imported too', () => {
    const doors = Object.values(
      JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).exports as Record<
        string,
        string | { types: string }
      >,
    ).flatMap(target => (typeof target === 'string' ? [] : [resolve(root, target.types)]))
    const names = doors.flatMap(door => [...moduleOf(door).exported].map(name => declarationOf(door, name)!))
    const known = new Set(names.map(idOf))
    const hidden = names.flatMap(({ file, name }) =>
      typesIn(file, name)
        .filter(type => !known.has(idOf(type)))
        .map(type => `${name} speaks of ${type.name} (${relative(root, type.file)})`),
    )
    expect(names.length).toBeGreaterThan(200)
    expect(hidden).toEqual([])
  })
})

interface Declaration {
  readonly file: string
  readonly name: string
}
interface Module {
  /** Its own declarations: the text of each. */
  readonly own: ReadonlyMap<string, string>
  readonly exported: ReadonlySet<string>
  /** What comes from elsewhere: the name there, and the module. */
  readonly taken: ReadonlyMap<string, Declaration>
}

const idOf = ({ file, name }: Declaration): string => `${file}#${name}`
const read = new Map<string, Module>()

function moduleOf(file: string): Module {
  const known = read.get(file)
  if (known) return known
  const text = readFileSync(file, 'utf8')
  const starts = [...text.matchAll(/^(export )?(?:declare )?(?:type|interface|function|const|class) (\w+)/gm)]
  const own = new Map(starts.map((start, i) => [start[2]!, text.slice(start.index, starts[i + 1]?.index)]))
  const exported = new Set(starts.flatMap(start => (start[1] ? [start[2]!] : [])))
  const taken = new Map<string, Declaration>()
  for (const [, door, list, from] of text.matchAll(/^(import|export) (?:type )?\{([^}]*)\} from '(\.[^']+)'/gm)) {
    for (const item of list!.split(',').flatMap(part => part.trim().replace(/^type /, '') || [])) {
      const [there, here = there] = item.split(' as ')
      taken.set(here!, { file: join(dirname(file), from!.replace(/\.js$/, '.d.ts')), name: there! })
      if (door === 'export') exported.add(here!)
    }
  }
  const module = { own, exported, taken }
  read.set(file, module)
  return module
}

function declarationOf(file: string, name: string): Declaration | undefined {
  const module = moduleOf(file)
  if (module.own.has(name)) return { file, name }
  const elsewhere = module.taken.get(name)
  return elsewhere && declarationOf(elsewhere.file, elsewhere.name)
}

function typesIn(file: string, name: string): readonly Declaration[] {
  const text = moduleOf(file)
    .own.get(name)!
    .replace(/\/\*[\s\S]*?\*\/|'[^']*'/g, '')
  const words = new Set(text.match(/\b[A-Z]\w+\b/g))
  return [...words].flatMap(word => (word === name ? [] : (declarationOf(file, word) ?? [])))
}
