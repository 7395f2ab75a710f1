/** Plan mode as the program has it: main enters, nothing is changed by anybody, and only the person lets it out. */
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { AskUser } from '../../src/adapters/tools/ask-user.js'
import { isPlanning } from '../../src/adapters/tools/plan-switch.js'
import { call, calls, type Part, task } from '../e2e/scripted-server.js'
import { createStage, type OpenStage, type Stage } from '../support/session.js'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close()
})

async function stageWith(parts: Readonly<Record<string, Part>>): Promise<Stage> {
  const stage = await createStage(parts)
  open.push(stage)
  return stage
}

async function opened(stage: Stage, askUser?: AskUser, permissionMode?: 'plan'): Promise<OpenStage> {
  const flags = { allowedTools: ['Write', 'Edit', 'Bash'], ...(permissionMode && { permissionMode }) }
  const session = await stage.open({ flags, ...(askUser && { askUser }) })
  open.push(session)
  return session
}

const planFileIn = (text: string) => /write is (\S+\.md)/.exec(text)?.[1] ?? 'no plan file'
const write = (path: string) => call('Write', { file_path: path, content: 'x\n' })

test('C02 main plans: it and its children change nothing but the plan file, until the person says yes', async () => {
  const asked: string[] = []
  const says = ['shorter, please', 'Yes, do it']
  const askUser: AskUser = async questions => {
    asked.push(questions[0]!.question)
    return [says[asked.length - 1]!]
  }
  let planFile = ''
  const stage = await stageWith({
    worker: ({ turn }) =>
      turn === 0 ? calls(write('by-child.txt'), call('Bash', { command: 'touch by-shell' })) : 'done',
    main: ({ turn, last }) => {
      if (turn === 0) return call('EnterPlanMode', {})
      if (turn === 1) {
        planFile = planFileIn(last)
        return calls(write('early.txt'), write(planFile), call('Bash', { command: 'ls' }), call('EnterPlanMode', {}))
      }
      if (turn === 2) return task('worker', 'write')
      if (turn === 3) return call('ExitPlanMode', { plan: 'a long plan' })
      if (turn === 4) return call('ExitPlanMode', { plan: 'a plan' })
      return turn === 5 ? write('late.txt') : 'all done'
    },
  })
  const { ask, answers } = await opened(stage, askUser)
  expect(await ask('make it so')).toBe('all done')
  expect(existsSync(`${stage.project}/early.txt`)).toBe(false)
  expect(existsSync(`${stage.project}/by-child.txt`)).toBe(false)
  expect(existsSync(`${stage.project}/by-shell`)).toBe(false)
  expect(existsSync(planFile)).toBe(true)
  expect(stage.text('late.txt')).toBe('x\n')
  expect(answers('Write')[0]).toContain('plan mode')
  expect(answers('EnterPlanMode')[1]).toContain('on already')
  expect(answers('ExitPlanMode')[0]).toContain('not approved; stay in plan mode and revise it. The user says: shorter')
  expect(answers('ExitPlanMode')[1]).toContain('plan mode is off')
  expect(asked[1]).toBe('a plan\n\nLeave plan mode and do this?')
})

test('plan mode holds after the program was started again', async () => {
  const stage = await stageWith({
    main: ({ turn }) => (turn === 0 ? call('EnterPlanMode', {}) : turn === 2 ? write('early.txt') : 'said'),
  })
  const first = await stage.open({ askUser: async () => ['Yes, do it'] })
  await first.ask('plan')
  const runId = (await first.session.house.list({}))[0]!.runId
  await first.close('leave')
  const second = await opened(stage, async () => [])
  const resumed = await second.session.house.resume(runId, 'go on')
  if ('refused' in resumed) throw new Error(resumed.refused)
  await resumed.result
  expect(second.answers('Write')[0]).toContain('plan mode')
  expect(existsSync(`${stage.project}/early.txt`)).toBe(false)
})

const presents: Part = ({ turn }) =>
  turn === 0 ? call('ExitPlanMode', { plan: 'p' }) : turn === 1 ? write('x.txt') : 'end'

test('a conversation begun in plan mode stays in it where its agent says so, and the answer says it', async () => {
  const stage = await stageWith({ careful: presents, main: presents })
  const agents = JSON.stringify({ main: { description: 'm', prompt: 'AGENT:main', permissionMode: 'plan' } })
  const session = await stage.open({
    flags: { allowedTools: ['Write'], agents },
    askUser: async () => ['Yes, do it'],
  })
  open.push(session)
  await session.ask('plan')
  expect(session.answers('ExitPlanMode')[0]).toContain('begun in plan mode and stays in it')
  expect(existsSync(`${stage.project}/x.txt`)).toBe(false)
})

test('a person who began in plan mode and approved the plan stayed in it', async () => {
  const stage = await stageWith({ main: presents })
  const { ask, answers } = await opened(stage, async () => ['Yes, do it'], 'plan')
  await ask('plan')
  expect(answers('ExitPlanMode')[0]).toContain('plan mode is off')
  expect(stage.text('x.txt')).toBe('x\n')
})

test('a child has no switch for plan mode, and without a person nobody has', async () => {
  const stage = await stageWith({
    worker: ({ turn }) => (turn === 0 ? call('ExitPlanMode', { plan: 'p' }) : 'done'),
    main: ({ turn }) =>
      turn === 0 ? task('worker', 'leave plan mode') : turn === 1 ? call('EnterPlanMode', {}) : 'end',
  })
  const { ask, answers } = await opened(stage)
  await ask('go')
  expect(answers('ExitPlanMode')[0]).toMatch(/ExitPlanMode/)
  expect(answers('ExitPlanMode')[0]).not.toContain('approved')
  expect(answers('EnterPlanMode')[0]).not.toContain('Plan mode is on')
})

test('plan mode was off where nobody could tell whether it is on', () => {
  const folder = mkdtempSync(join(tmpdir(), 'offshoot-plan-'))
  const [marks, lost] = [join(folder, 'marks'), join(folder, 'lost')]
  expect(isPlanning(marks, 'run')).toBe(false)
  writeFileSync(lost, 'no folder')
  symlinkSync('around', join(folder, 'around'))
  expect([isPlanning(join(folder, 'around'), 'run'), isPlanning(join(lost, 'below'), 'run')]).toEqual([true, true])
  rmSync(folder, { recursive: true })
})
