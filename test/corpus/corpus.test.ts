import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parsers } from '../../src/adapters/sources/parsers.js'
import { stemOf } from '../../src/core/agent-file/file-name.js'
import { type FileReading, readAgentFile } from '../../src/core/agent-file/read-agent-file.js'
import { definitionFaults } from '../../src/core/catalog/definition-faults.js'
import { sharedFolder } from '../shared-folder.js'

interface Row {
  readonly file: string
  readonly role: 'agent' | 'stray_doc' | 'no_frontmatter_doc'
  readonly name: string | null
  /** As written; of a map, the keys that are true. */
  readonly tools: readonly string[] | null
  readonly model: string | null
  readonly problems: readonly string[]
}

const folder = sharedFolder('corpus')

describe.skipIf(folder === undefined)('corpus', () => {
  const rows: readonly Row[] =
    folder === undefined
      ? []
      : readFileSync(join(folder, 'expected.jsonl'), 'utf8')
          .trim()
          .split('\n')
          .map(line => JSON.parse(line))
  const readings = rows.map(row => ({ row, reading: read(row.file) }))
  const agents = readings.filter(({ row }) => row.role === 'agent')

  test('every real agent is loaded', () => {
    const lost = agents.filter(({ reading }) => reading.state !== 'loaded' && reading.state !== 'warned')
    expect(lost.map(({ row, reading }) => [row.file, reading.diagnostics])).toEqual([])
    expect(agents.length).toBeGreaterThan(300)
  })

  test('no document is loaded, and none is passed over in silence', () => {
    const documents = readings.filter(({ row }) => row.role !== 'agent')
    expect(documents.map(({ reading }) => reading.state)).toEqual(documents.map(() => 'not-an-agent'))
    expect(documents.every(({ reading }) => reading.diagnostics.length > 0)).toBe(true)
  })

  test('no definition that was read is held to be malformed', () => {
    expect(agents.flatMap(({ reading }) => definitionFaults(agentOf(reading)))).toEqual([])
  })

  test('every agent has the name it was given, or its file’s', () => {
    const wrong = agents.filter(({ row, reading }) => agentOf(reading).name !== (row.name ?? stemOf(row.file)))
    expect(wrong.map(({ row }) => row.file)).toEqual([])
  })

  test('every agent has the model it was given', () => {
    const wrong = agents.filter(({ row, reading }) => (agentOf(reading).model?.join() ?? null) !== row.model)
    expect(wrong.map(({ row }) => row.file)).toEqual([])
  })

  test('every agent has the tools it was given: no more, no less', () => {
    const wrong = agents.filter(({ row, reading }) => {
      const { tools } = agentOf(reading)
      // A map that only takes away grants the rest: as opencode reads it.
      const isOpen = row.tools === null || (row.problems.includes('tools_form:map_bool') && row.tools.length === 0)
      if (isOpen || tools === 'all') return tools !== 'all' || !isOpen
      return (
        JSON.stringify(tools.map(grant => grant.name)) !== JSON.stringify([...new Set(row.tools!.flatMap(namesOf))])
      )
    })
    expect(wrong.map(({ row, reading }) => [row.file, agentOf(reading).tools])).toEqual([])
  })

  test('what a map takes away is taken away', () => {
    const agent = agentOf(readings.find(({ row }) => row.file.endsWith('.opencode/agents/test-runner.md'))!.reading)
    expect(agent).toMatchObject({ tools: 'all', disallowedTools: [{ name: 'Write' }, { name: 'Edit' }] })
  })
})

/** Written out by hand, so that a slip in the loader's own table does not pass unseen. */
const namesHere: Readonly<Record<string, string>> = {
  read: 'Read',
  grep: 'Grep',
  glob: 'Glob',
  bash: 'Bash',
  edit: 'Edit',
  write: 'Write',
  webfetch: 'WebFetch',
  websearch: 'WebSearch',
  todo_write: 'TodoWrite',
  skill: 'Skill',
  task: 'Task',
  NotebookRead: 'Read',
  AskUserQuestion: 'AskUser',
  SendMessage: 'TaskSend',
  'mcp__prompt-to-asset': 'mcp__prompt-to-asset__*',
}

function namesOf(written: string): readonly string[] {
  const bare = written.replace(/\(.*$/, '')
  if (bare === 'Agent') return ['Task']
  // The server may end at any of the signs.
  const parts = bare.startsWith('do-memory-mcp_') ? bare.split('_') : []
  const names = parts.map((_, at) => `mcp__${parts.slice(0, at).join('_')}__${parts.slice(at).join('_')}`)
  return names.length > 0 ? names.slice(1) : [namesHere[bare] ?? bare]
}

function read(file: string): FileReading {
  const source = { scope: 'user', isTrusted: true, path: file } as const
  return readAgentFile({ path: file, content: readFileSync(join(folder!, file)), source }, parsers)
}

function agentOf(reading: FileReading) {
  return reading.agents[0]!.agent!
}
