/** Code in the pages: TypeScript and JavaScript fit the published types, README's runs, and files are read as they are meant. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { parsers } from '../../src/adapters/sources/parsers.js'
import { loadSettings } from '../../src/adapters/sources/settings.js'
import { readAgentFile } from '../../src/core/agent-file/read-agent-file.js'
import { ensureBuilt } from '../e2e/program.js'
import { blocks, root } from './pages.js'

vi.setConfig({ testTimeout: 90_000 })
beforeAll(ensureBuilt, 120_000)

// Inside the package, so that `offshoot` and its subpaths are found as a user's import finds them.
const folder = join(root, 'dist', `docs-${process.pid}`)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('programs', () => {
  const programs = blocks('ts', 'js')

  test('all of them fit the types of the package', () => {
    mkdirSync(folder, { recursive: true })
    const fileOf = (place: string) => place.replace(/\W+/g, '-')
    for (const { place, text, language } of programs)
      writeFileSync(join(folder, `${fileOf(place)}.${language === 'ts' ? 'mts' : 'mjs'}`), `${text}\nexport {}\n`)
    writeFileSync(join(folder, 'given.d.ts'), given)
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const tsc = spawnSync(process.execPath, [join(root, 'node_modules/.bin/tsc'), '-p', folder], { encoding: 'utf8' })
    expect(tsc.stdout).toBe('')
    expect(programs.length).toBeGreaterThan(8)
  })

  const whole = programs.filter(({ place }) => /^(?:README|docs\/library)/.test(place))
  test.each(whole.map(({ place, text }) => [place, text] as const))('%s runs without a key', (place, text) => {
    mkdirSync(join(folder, 'project'), { recursive: true })
    writeFileSync(join(folder, 'readme.mjs'), text)
    const env = { PATH: process.env.PATH, HOME: folder }
    const cwd = place.startsWith('README') ? root : join(folder, 'project')
    const said = execFileSync(process.execPath, [join(folder, 'readme.mjs')], { cwd, env, encoding: 'utf8' })
    expect(said).toMatch(
      /src\/core\/brief\/tool-filter\.ts|completed after|twelve lamps|right completed A lamp|A long answer/,
    )
  })
})

/** What a page has introduced before the block begins. */
const given = `
import type * as Offshoot from 'offshoot'
declare global {
  const createOffshoot: typeof Offshoot.createOffshoot
  const store: import('offshoot/stores/sqlite').SqliteStore
  const model: Offshoot.Model
  const openMyStore: () => Promise<Offshoot.RunStore>
  const offshoot: Offshoot.Offshoot
  const prices: import('offshoot/models').Models['prices']
  const settings: unknown
  const spec: Offshoot.ToolSpec
  const run: Offshoot.Tool['run']
  const dig: (input: unknown, depth: number) => string
}
`
const config = {
  compilerOptions: {
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2023', 'dom'],
    types: ['node'],
    typeRoots: ['../../node_modules/@types'],
    noEmit: true,
    strict: true,
    allowJs: true,
    checkJs: true,
    // A snippet in JavaScript names no types.
    noImplicitAny: false,
    skipLibCheck: true,
  },
  include: ['*.mts', '*.mjs', '*.d.ts'],
  exclude: ['readme.mjs'],
}

describe('files', () => {
  const settings = blocks('json').map(({ place, text }): [string, string] => [place, text])
  test.each(settings)('%s is settings without a complaint', async (_, text) => {
    const nowhere = mkdtempSync(join(tmpdir(), 'offshoot-docs-settings-'))
    const { diagnostics } = await loadSettings({
      projectDir: nowhere,
      home: nowhere,
      configDir: nowhere,
      trust: { isTrusted: () => true },
      commandLine: [{ origin: '--settings', content: JSON.parse(text) }],
    })
    rmSync(nowhere, { recursive: true })
    expect(diagnostics).toEqual([])
  })

  const fields = blocks('yaml', 'markdown').filter(({ place }) => !place.startsWith('docs/skills'))
  test.each(fields.map(({ place, text }): [string, string] => [place, text]))(
    '%s is an agent without a complaint',
    (_, text) => {
      const whole = text.startsWith('---') ? text : `---\nname: sample\ndescription: Sample.\n${text}---\nDo it.\n`
      const content = whole.trimEnd().endsWith('---') ? `${whole.trimEnd()}\n\nDo it.\n` : whole
      const source = { scope: 'user', isTrusted: true } as const
      const reading = readAgentFile({ path: 'sample.md', content, source }, parsers)
      expect(reading.diagnostics).toEqual([])
      expect(reading.state).toBe('loaded')
    },
  )
})
