/** What the person says is what is recorded: answers that were given, and a yes to a plan that is one. */
import { afterAll, expect, test } from 'vitest'
import { createTestRun, createTestWorkspace, textOf } from '../../../test/support/tool-workspace.js'
import { createAskUserTool } from './ask-user.js'
import { createPlanModeTools } from './plan-mode.js'
import { createPlanSwitch } from './plan-switch.js'

const workspace = createTestWorkspace()
afterAll(() => workspace.remove())

test.each([
  [['', ''], 'no answer'],
  [['Red', ''], '1 of 2 answered'],
  [['Red'], '1 of 2 answered'],
  [['Red', 'Hall'], '2 answers'],
])('questions left open were recorded as answers: %j is "%s"', async (answers, summary) => {
  const ask = createAskUserTool(async () => answers)
  const result = await createTestRun(workspace.root).call(ask, {
    questions: [{ question: 'Colour?' }, { question: 'Room?' }],
  })
  expect(result.summary).toBe(summary)
  expect(textOf(result).match(/→ \(no answer\)/g)?.length ?? 0).toBe(2 - answers.filter(Boolean).length)
})

test.each([
  ...['yes', 'Yes', ' y ', '1', 'YES, DO IT', 'Yes, do it'].map(said => [said, true, '']),
  ...['no', 'N', '2', 'No, keep planning', ''].map(said => [said, false, '']),
  ...['yes, but first the tests', 'yesterday', 'y?', '1 step is missing', 'nothing of this'].map(said => [
    said,
    false,
    `The user says: ${said}`,
  ]),
] as [string, boolean, string][])('"yes" to a plan was a no: %j', async (said, isApproved, feedback) => {
  const directory = `${workspace.root}/marks`
  const { mode, isOn } = createPlanSwitch({ directory, ask: async () => [said] })
  const run = createTestRun(workspace.root)
  const [enter, leave] = createPlanModeTools(mode)
  await run.call(enter!, {})
  const result = await run.call(leave!, { plan: 'Do it' })
  expect([result.summary, isOn(run.context.rootId)]).toEqual([isApproved ? 'approved' : 'not approved', !isApproved])
  expect(textOf(result).endsWith(feedback)).toBe(true)
  if (feedback === '') expect(textOf(result)).not.toContain('The user says')
})
