/** The built-in agent that sets up the status line, and what it may change. */
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Approver } from '../../src/core/ports.js'
import { called, createNodeStage, handed, type NodeStage } from '../support/node-story.js'

let stage: NodeStage
beforeEach(() => {
  stage = createNodeStage()
})
afterEach(() => stage.close())

test('statusline-setup could not edit the settings it is there for, and where edits are accepted it could edit all else', async () => {
  const settings = stage.write('project/.offshoot/settings.json', '{ "statusLine": "date" }\n')
  const source = stage.write('project/src/a.txt', 'one\n')
  const edit = (file_path: string, old_string: string, new_string: string) => [
    called('Read', { file_path }),
    called('Edit', { file_path, old_string, new_string }),
  ]
  const script = {
    main: [handed({ subagent_type: 'statusline-setup' }), 'done'],
    'statusline-setup': [...edit(settings, 'date', 'pwd'), ...edit(source, 'one', 'two'), 'set'],
  }
  const asked: string[] = []
  const approver: Approver = {
    isListening: () => true,
    present: ({ approvalId, rule }) => {
      asked.push(rule)
      void told.house.approvals.answer(approvalId, { verdict: 'allow' })
      return () => {}
    },
  }
  const told = await stage.open(script, { approver, policy: { mode: 'acceptEdits' } })
  const { ends } = await told.play()
  expect(asked).toEqual(['protected-path'])
  expect(ends.filter(end => end.includes('Edit'))).toEqual([
    'statusline-setup Edit: ok approved: protected-path',
    'statusline-setup Edit: denied tools: Edit(/.offshoot/settings.json)',
  ])
  expect(readFileSync(settings, 'utf8')).toBe('{ "statusLine": "pwd" }\n')
  expect(readFileSync(source, 'utf8')).toBe('one\n')
})
