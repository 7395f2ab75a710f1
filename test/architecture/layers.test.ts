/** Imports point inwards. The rules are tried on planted violations too, so that a rule that sees nothing is noticed. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const src = resolve(dirname(fileURLToPath(import.meta.url)), '../../src')

interface Source {
  /** Relative to `src`. */
  readonly path: string
  readonly text: string
}

const may: Readonly<Record<string, readonly string[]>> = {
  core: ['core'],
  runtime: ['core', 'runtime'],
  task: ['core', 'task'],
  adapters: ['core', 'adapters'],
  testing: ['core', 'testing', 'adapters/stores'],
}
/** What core must not touch: it takes values and returns values. */
const impure =
  /\b(Date\.now|new Date\(\)|Math\.random|process\.|console\.|setTimeout|setInterval|setImmediate|await fetch\(|crypto\.|performance\.)/

function violations(sources: readonly Source[]): readonly string[] {
  return sources.flatMap(source => [...importFaults(source), ...purityFaults(source)])
}

function importFaults({ path, text }: Source): readonly string[] {
  const layer = path.split('/')[0]!
  const allowed = may[layer]
  if (!allowed) return []
  return importsOf(text).flatMap(target => {
    if (!target.startsWith('.'))
      return layer === 'core'
        ? [`${path} imports ${target}`]
        : layer === 'task'
          ? [`${path} imports ${target}`]
          : layer === 'runtime' && !target.startsWith('node:')
            ? [`${path} imports ${target}`]
            : []
    const inside = join(dirname(path), target)
    return allowed.some(room => inside.startsWith(`${room}/`)) ? [] : [`${path} imports ${inside}`]
  })
}

function purityFaults({ path, text }: Source): readonly string[] {
  if (!path.startsWith('core/')) return []
  return text.split('\n').flatMap((line, i) => {
    const code = line.replace(/\/\/.*|^\s*\*.*|^\s*\/\*\*.*|'[^']*'|`[^`]*`/g, '')
    return impure.test(code) ? [`${path}:${i + 1} is not pure: ${line.trim()}`] : []
  })
}

function importsOf(text: string): readonly string[] {
  return [
    ...text.matchAll(
      /^\s*(?:import|export)\b[^'"]*?from\s+['"]([^'"]+)['"]|^\s*import\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm,
    ),
  ].map(match => match[1] ?? match[2] ?? match[3]!)
}

function readSources(dir = src): readonly Source[] {
  return readdirSync(dir, { withFileTypes: true }).flatMap(entry => {
    const full = join(dir, entry.name)
    if (entry.isDirectory()) return readSources(full)
    return /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name)
      ? [{ path: relative(src, full), text: readFileSync(full, 'utf8') }]
      : []
  })
}

/** Value imports only: a type leaves nothing behind. */
function circles(sources: readonly Source[]): readonly string[] {
  const graph = new Map(
    sources.map(({ path, text }) => [
      path,
      [...text.matchAll(/^\s*(?:import|export)\s+(?!type\b)[^'"]*?from\s+['"](\.[^'"]+)['"]/gm)].map(match =>
        join(dirname(path), match[1]!).replace(/\.js$/, '.ts'),
      ),
    ]),
  )
  const done = new Set<string>()
  const found: string[] = []
  const visit = (path: string, trail: readonly string[]) => {
    if (trail.includes(path)) return void found.push([...trail.slice(trail.indexOf(path)), path].join(' → '))
    if (done.has(path)) return
    for (const target of graph.get(path) ?? []) visit(target, [...trail, path])
    done.add(path)
  }
  for (const path of graph.keys()) visit(path, [])
  return found
}

test('imports point inwards and core is pure', () => {
  expect(violations(readSources())).toEqual([])
})

test('there is no import circle', () => {
  expect(circles(readSources())).toEqual([])
})

test('a planted violation of each kind is seen', () => {
  const planted: readonly [Source, RegExp][] = [
    [{ path: 'core/a.ts', text: "import { x } from '../runtime/b.js'" }, /core\/a\.ts imports runtime\/b\.js/],
    [{ path: 'core/a.ts', text: "import type { x } from 'node:fs'" }, /imports node:fs/],
    [{ path: 'core/a.ts', text: "const y = await import('yaml')" }, /imports yaml/],
    [{ path: 'core/a.ts', text: 'const now = Date.now()' }, /core\/a\.ts:1 is not pure/],
    [{ path: 'core/a.ts', text: 'console.log(1)' }, /not pure/],
    [{ path: 'runtime/a.ts', text: "import { x } from '../adapters/os/b.js'" }, /runtime\/a\.ts imports adapters/],
    [{ path: 'runtime/a.ts', text: "import Ajv from 'ajv'" }, /runtime\/a\.ts imports ajv/],
    [{ path: 'task/a.ts', text: "import { x } from '../runtime/b.js'" }, /task\/a\.ts imports runtime/],
    [
      { path: 'adapters/tools/a.ts', text: "export * from '../../runtime/b.js'" },
      /adapters\/tools\/a\.ts imports runtime/,
    ],
    [{ path: 'testing/a.ts', text: "import '../adapters/models/b.js'" }, /testing\/a\.ts imports adapters\/models/],
  ]
  for (const [source, expected] of planted) expect(violations([source]).join('\n')).toMatch(expected)
  expect(
    circles([
      { path: 'core/a.ts', text: "import { b } from './b.js'" },
      { path: 'core/b.ts', text: "export { a } from './a.js'" },
    ]),
  ).toHaveLength(1)
})
