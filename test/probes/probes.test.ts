import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parsers } from '../../src/adapters/sources/parsers.js'
import type { ToolGrant } from '../../src/core/agent-definition.js'
import { readAgentFile } from '../../src/core/agent-file/read-agent-file.js'
import { createCatalog } from '../../src/core/catalog/catalog.js'
import { sharedFolder } from '../shared-folder.js'
import { expectedStates } from './expected-states.js'

const folder = sharedFolder('probes')

describe.skipIf(folder === undefined)('probes', () => {
  const files = folder === undefined ? [] : filesUnder(join(folder, 'files'))
  const readings = new Map(files.map(path => [relative(join(folder!, 'files'), path), read(path)]))

  test('every probe has its row, and every row its probe', () => {
    expect(Object.keys(expectedStates).sort()).toEqual([...readings.keys()].sort())
  })

  test.each([...readings.keys()])('%s', name => {
    const reading = readings.get(name)!
    const expected = expectedStates[name]!
    const agent = reading.agents[0]?.agent
    expect(reading.state).toBe(expected.state)
    expect([...new Set(reading.diagnostics.map(each => each.code))]).toEqual(expected.codes ?? [])
    expect(agent?.name).toBe(expected.name)
    expect(agent?.tools === 'all' ? 'all' : agent?.tools.map(show)).toEqual(expected.tools)
    expect((agent?.disallowedTools ?? []).map(show)).toEqual(expected.denied ?? [])
  })

  test('every diagnostic names file, line and a hint', () => {
    for (const each of [...readings.values()].flatMap(reading => reading.diagnostics)) {
      expect(each).toMatchObject({
        file: expect.any(String),
        line: expect.any(Number),
        hint: expect.stringMatching(/\w/),
      })
    }
  })

  test('what Claude Code loads, we load, or quarantine with a written reason', () => {
    const there = JSON.parse(readFileSync(join(folder!, 'expected_claude_code.json'), 'utf8'))
    for (const [name, expected] of Object.entries(expectedStates)) {
      if (there[probeId(name)]?.loads_2_1_325 !== true) continue
      const isLoaded = expected.state === 'loaded' || expected.state === 'warned'
      expect(isLoaded || expected.why, name).toBeTruthy()
    }
  })

  test('of two files with one name the sorted path wins, and both are reported', () => {
    const agents = [...readings.values()].flatMap(reading => reading.agents.flatMap(each => each.agent ?? []))
    const catalog = createCatalog(agents)
    expect(catalog.find('dupname')?.description).toBe('first file')
    expect(catalog.diagnostics.map(each => each.code)).toContain('duplicate-name')
  })
})

/** Claude Code's table goes by the stem; two files are there under the name of the agent in them. */
function probeId(name: string): string {
  const stem = name
    .split('/')
    .at(-1)!
    .replace(/\.\w+$/, '')
  return { 'foo.agent': 'agentmd', README: 'readme' }[stem] ?? stem
}

function read(path: string) {
  const source = { scope: 'user', isTrusted: true, path, folder: join(folder!, 'files') } as const
  return readAgentFile({ path, content: readFileSync(path), source }, parsers)
}

function show(grant: ToolGrant): string {
  return grant.pattern === undefined ? grant.name : `${grant.name}(${grant.pattern})`
}

function filesUnder(root: string): readonly string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
}
