/** Hooks, skills and servers cost nothing where there are none: what they need is not even read from the disk. */
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { expect, test } from 'vitest'

const source = resolve(import.meta.dirname, '../../src')

/** Everything that is loaded with a file before any of its code runs. */
function loadedWith(entry: string): { readonly files: ReadonlySet<string>; readonly packages: ReadonlySet<string> } {
  const files = new Set<string>()
  const packages = new Set<string>()
  const visit = (path: string) => {
    if (files.has(path)) return
    files.add(path)
    const statements = readFileSync(path, 'utf8').matchAll(
      /^(?:import|export)\s+(?!type\b)(?:[^'"`;]*?\sfrom\s+)?'([^']+)'/gm,
    )
    for (const [whole, target] of statements) {
      const names = /\{([^}]*)\}/.exec(whole)?.[1]?.split(',') ?? ['all']
      if (names.every(name => name.trim() === '' || name.trim().startsWith('type '))) continue
      if (target!.startsWith('.')) visit(resolve(dirname(path), target!.replace(/\.js$/, '.ts')))
      else if (!target!.startsWith('node:')) packages.add(target!)
    }
  }
  visit(resolve(source, entry))
  return { files, packages }
}

test('opening the surroundings loads no package at all: not the protocol, not a parser, not a schema check', () => {
  const { files, packages } = loadedWith('adapters/ground/surroundings.ts')
  expect([...packages]).toEqual([])
  // The look itself sees what it should: these are loaded, and there is a package behind each of the others.
  expect(files.size).toBeGreaterThan(20)
  expect([...loadedWith('adapters/sources/parsers.ts').packages]).toContain('yaml')
  expect([...loadedWith('adapters/schema/ajv.ts').packages]).toContain('ajv/dist/2020.js')
})

test('telemetry is loaded by whoever asks for it, and by nobody else', () => {
  for (const entry of ['offshoot.ts', 'node.ts', 'index.ts', 'apps/session/open-session.ts'])
    expect([...loadedWith(entry).files].filter(path => path.includes('/telemetry/'))).toEqual([])
})
