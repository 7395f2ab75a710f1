/** A person is not asked for a call that cannot succeed, and nobody learns by that of a file they may not look at. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { called, createNodeStage, type NodeStage, ownAgent } from '../support/node-story.js'

let stage: NodeStage
let asked: string[]
beforeEach(() => {
  stage = createNodeStage()
  asked = []
})
afterEach(() => stage.close())

/** Somebody who says yes to everything, one call after the other. */
async function play(calls: readonly (readonly [name: string, input: object])[]) {
  const { play, house } = await stage.open(
    { main: [...calls.map(([name, input]) => called(name, input)), 'done'] },
    {
      agents: [ownAgent('main')],
      approver: {
        isListening: () => true,
        present: ({ approvalId, name, context }) => {
          asked.push(`${name} ${context}`)
          queueMicrotask(() => void house.approvals.answer(approvalId, { verdict: 'allow', scope: 'once' }))
          return () => {}
        },
      },
    },
  )
  return play()
}
const settings = (permissions: object) => stage.write('state/config/settings.json', JSON.stringify({ permissions }))
const edit = (file_path: string, old_string = 'one') => ['Edit', { file_path, old_string, new_string: 'two' }] as const

test('nobody is asked to approve a change of a file the run has not read', async () => {
  stage.write('project/a.txt', 'one\n')
  stage.write('project/n.ipynb', '{"cells":[]}')
  const { answers, ends } = await play([
    edit('a.txt'),
    ['Write', { file_path: 'a.txt', content: 'two' }],
    ['MultiEdit', { file_path: 'a.txt', edits: [{ old_string: 'one', new_string: 'two' }] }],
    ['NotebookEdit', { notebook_path: 'n.ipynb', new_source: 'x', edit_mode: 'insert' }],
  ])
  expect(asked).toEqual([])
  expect(answers).toEqual(Array(4).fill(expect.stringContaining('has not read it. Read it first.')))
  expect(ends).toContain('main Edit: error cannot-succeed')
})

test('nobody is asked for an edit of a file that is not there, or of text that is not in it', async () => {
  stage.write('project/a.txt', 'one\n')
  const { answers } = await play([['Read', { file_path: 'a.txt' }], edit('a.txt', 'three'), edit('b.txt')])
  expect(asked).toEqual([])
  expect(answers.slice(1)).toEqual([
    expect.stringContaining('a.txt was not changed'),
    expect.stringContaining('No such file: b.txt'),
  ])
})

test('what can succeed is asked about, once each', async () => {
  stage.write('project/a.txt', 'one\n')
  const { ends } = await play([
    ['Read', { file_path: 'a.txt' }],
    edit('a.txt'),
    ['Write', { file_path: 'new/b.txt', content: 'b' }],
  ])
  expect(asked).toEqual(['Edit a.txt', 'Write new/b.txt'])
  expect(ends.slice(1).every(end => end.includes(': ok approved'))).toBe(true)
})

test('a deny says it is denied, whether the file is there or not', async () => {
  stage.write('project/private/there.txt', 'one\n')
  settings({ deny: ['Edit(./private/**)'] })
  const { answers, ends } = await play([edit('private/there.txt'), edit('private/not.txt')])
  expect(asked).toEqual([])
  expect(ends).toEqual(Array(2).fill('main Edit: denied Edit(./private/**)'))
  expect(answers[0]!.replaceAll('there.txt', 'not.txt')).toBe(answers[1])
})

test.each(['ask', 'deny'])('a file that a rule keeps from being read (%s) is told of by no answer', async kind => {
  stage.write('project/private/there.txt', 'one\n')
  settings({ [kind]: ['Read(./private/**)'] })
  const write = (file_path: string) => ['Write', { file_path, content: 'x' }] as const
  await play([write('private/there.txt'), write('private/not.txt')])
  expect(asked).toEqual(['Write private/there.txt', 'Write private/not.txt'])
})

test('a secret, which is never read unasked, is told of by no answer', async () => {
  stage.write('project/.env', 'one\n')
  await play([['Write', { file_path: '.env', content: 'x' }]])
  expect(asked).toEqual(['Write .env'])
})
