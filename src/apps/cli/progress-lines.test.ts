/** What a real run says on stderr, line by line. */
import { expect, test } from 'vitest'
import { agent, house, tool } from '../../../test/scenarios/house.js'
import { functionHooks } from '../../adapters/hooks/function-hooks.js'
import type { Envelope } from '../../core/events.js'
import { paint } from '../session/paint.js'
import { forTerminal } from '../session/terminal-codes.js'
import { hearRun, openRun } from '../tui/model/run-view.js'
import { progressLines } from './progress-lines.js'

const look = tool('Look', 'read', () => ({ content: 'x', summary: '3 files' }))
const fail = tool('Fail', 'read', () => ({ content: 'it broke', isError: true, summary: 'it broke' }))

async function linesOf(isVerbose: boolean, isColoured = false): Promise<readonly string[]> {
  const lines: string[] = []
  const { offshoot, run } = house(
    {
      main: [
        { calls: [{ name: 'Task', input: { subagent_type: 'worker', prompt: 'go', description: 'count the files' } }] },
        'done',
      ],
      worker: [
        { calls: [{ name: 'Look' }, { name: 'Look', input: { again: true } }, { name: 'Fail' }] },
        { calls: [{ name: 'Look', input: { third: 1 } }] },
        'three',
      ],
    },
    { agents: [agent('worker')], tools: [look, fail] },
  )
  offshoot.subscribe(
    {},
    progressLines(line => lines.push(line), paint(isColoured), isVerbose),
  )
  await run()
  return lines.map(line => line.replace(/\d+(\.\d+)?s/g, 'TIME').replace(/[\d.]+k? tokens/g, 'N tokens'))
}

test('calls of a turn are one line, a failed one has its own, and the agent’s name stands before each', async () => {
  expect(await linesOf(false)).toEqual([
    '[worker] Starting: count the files\n',
    '[worker] → Fail: error, it broke\n',
    '[worker] → Look ×2\n',
    '[worker] → Look: 3 files\n',
    '[worker] Completed in TIME (3 turns, 4 tool calls, N tokens, cost unknown)\n',
  ])
})

test('a task that started no child left no line', async () => {
  const lines: string[] = []
  const wish = (subagent_type: string) => ({
    name: 'Task',
    input: { subagent_type, prompt: 'go', description: 'look around' },
  })
  const { offshoot, run } = house(
    {
      main: [{ calls: [wish('nobody'), wish('worker')] }, 'done'],
      worker: [{ error: { kind: 'bad-request', message: 'no' } }],
    },
    { agents: [agent('worker')] },
  )
  offshoot.subscribe(
    {},
    progressLines(line => lines.push(line), paint(false)),
  )
  await run()
  expect(lines.filter(line => line.includes('Task'))).toEqual([
    expect.stringMatching(/^\[main\] → Task look around: error, .*nobody/),
  ])
  expect(lines.filter(line => line.startsWith('[worker] Ended: failed'))).toHaveLength(1)
})

test('verbose: every call is a line', async () => {
  expect((await linesOf(true)).filter(line => line.includes('→'))).toHaveLength(4)
})

test('colours: cyan for a start, red for a failure, green for the end', async () => {
  const lines = (await linesOf(false, true)).map(forTerminal)
  expect(lines[0]).toBe('\u001b[36m[worker]\u001b[39m Starting: count the files\n')
  expect(lines[1]).toContain('\u001b[31m[worker]\u001b[39m')
  expect(lines.at(-1)).toContain('\u001b[32m[worker]\u001b[39m Completed')
})

test('G03 what a model and a tool wrote reached the terminal as it was, with all it can do there', async () => {
  const evil = '\u001b]52;c;ZXZpbA==\u0007\u001b[2J\u009b1G\u202e'
  const lines: string[] = []
  const { offshoot, run } = house(
    {
      main: [
        { calls: [{ name: 'Task', input: { subagent_type: 'worker', prompt: 'go', description: evil } }] },
        'done',
      ],
      worker: [{ calls: [{ name: 'Fail', input: { evil } }, { name: evil }] }, { calls: [{ name: 'Look' }] }, 'ok'],
    },
    {
      agents: [agent('worker')],
      tools: [tool('Look', 'read', () => ({ content: 'x', summary: evil })), fail],
    },
  )
  offshoot.subscribe(
    {},
    progressLines(line => lines.push(line), paint(false), true),
  )
  await run()
  expect(lines.length).toBeGreaterThan(3)
  expect(lines.join('')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
})

test('what a hook said for people, at a start, a call or an end, was not shown', async () => {
  const lines: string[] = []
  const note = (text: string) => () => ({ verdict: 'go' as const, notes: [text] })
  const { offshoot, run } = house(
    { main: [{ calls: [{ name: 'Look' }] }, 'done'] },
    {
      tools: [look],
      hooks: functionHooks({ start: note('at start'), preTool: note('at call'), stop: note('at end') }),
    },
  )
  offshoot.subscribe(
    {},
    progressLines(line => lines.push(line), paint(false)),
  )
  await run()
  expect(lines).toEqual(['[main] at start\n', '[main] at call\n', '[main] → Look: 3 files\n', '[main] at end\n'])
})

test('a call that a guard denied was told without what it was about, and the reason was cut', async () => {
  const lines: string[] = []
  const reason = 'Files of the readme are off limits here, whoever asks and whatever for: /etc/offshoot/settings.json'
  const { offshoot, run } = house(
    { main: [{ calls: [{ name: 'Look', input: { path: 'README.md' } }] }, 'done'] },
    { tools: [look], hooks: functionHooks({ preTool: () => ({ verdict: 'refuse', reason }) }) },
  )
  offshoot.subscribe(
    {},
    progressLines(line => lines.push(line), paint(false)),
  )
  await run()
  expect(lines).toEqual([`[main] → Look README.md: denied, ${reason}\n`])
})

test('a skill that is not there was told to nobody', async () => {
  const lines: string[] = []
  const { offshoot, run } = house(
    { main: ['done'] },
    { agents: [agent('main')], promptParts: () => [{ kind: 'skill', origin: 'release', text: '' }] },
  )
  offshoot.subscribe(
    {},
    progressLines(line => lines.push(line), paint(false), false),
  )
  await run()
  expect(lines).toContain('[main] there is no skill "release", which it is to begin with\n')
})

test('one last turn was announced where the budget paid none', async () => {
  const linesWith = async (about: object) => {
    const lines: string[] = []
    const h = house({ main: [{ calls: [{ name: 'Look' }] }, 'what I have'] }, { tools: [look], onError: () => {} })
    h.offshoot.subscribe(
      {},
      progressLines(line => lines.push(line), paint(false)),
    )
    const result = await h.run(about)
    const view = openRun(h.events[0]!)
    for (const envelope of h.events) hearRun(view, envelope)
    const notes = view.entries.flatMap(entry => (entry.kind === 'note' ? [entry.text] : []))
    return { lines: lines.filter(line => line.includes('last turn')), notes, result }
  }
  const unpaid = await linesWith({ budget: { tokens: 5 } })
  expect(unpaid.result).toMatchObject({ outcome: 'budget' })
  expect(unpaid.lines).toEqual([expect.stringMatching(/budget: no last turn for the report: the first request alone /)])
  expect(unpaid.notes).toEqual([unpaid.result.error!.message])
  const paid = await linesWith({ maxTurns: 1 })
  expect(paid.result).toMatchObject({ outcome: 'completed', recoveredFrom: 'max_turns' })
  expect(paid.lines).toEqual(['[main] max_turns: one last turn for the report\n'])
  expect(paid.notes).toEqual(['max_turns: one last turn for the report'])
})

test('a child whose report is not backed as its definition demands ended like any other', async () => {
  const lines: string[] = []
  const wish = { name: 'Task', input: { subagent_type: 'worker', prompt: 'go', description: 'look around' } }
  const { offshoot, run } = house(
    { main: [{ calls: [wish] }, 'done'], worker: ['all is well'] },
    { agents: [agent('worker', { evidence: true })] },
  )
  offshoot.subscribe(
    {},
    progressLines(line => lines.push(line), paint(false)),
  )
  await run()
  expect(lines.join('')).toMatch(/\[worker\] Completed in \S+ This report is not verified: .*call.*\(/)
})

test('a conversation of the terminal that went on with -p was said to lack what only a terminal has', () => {
  const lines: string[] = []
  const hear = progressLines(line => lines.push(line), paint(false))
  const missed = (...names: readonly string[]) =>
    hear({ runId: 'r', agent: 'main', depth: 0, event: { type: 'tools.missed', names } } as unknown as Envelope)
  missed('TodoWrite', 'AskUser', 'EnterPlanMode', 'ExitPlanMode')
  expect(lines).toEqual([])
  missed('AskUser', 'mcp__files__read')
  expect(lines).toEqual(['[main] Goes on without mcp__files__read: whoever offers it is not there any more\n'])
})
