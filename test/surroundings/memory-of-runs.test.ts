/** Whether a run may write a memory is part of its brief: what its definition says since then reaches new runs. */
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import type { AgentDefinition } from '../../src/core/agent-definition.js'
import { createCatalog } from '../../src/core/catalog/catalog.js'
import type { RunId } from '../../src/core/message.js'
import type { RunStore } from '../../src/core/run-store.js'
import { called, createNodeStage, type NodeStage, ownAgent } from '../support/node-story.js'
import { storeWith } from '../support/store-with.js'

let stage: NodeStage
beforeEach(() => {
  stage = createNodeStage()
  stage.write('.claude/agent-memory/main/keep', '')
})
afterEach(() => stage.close())

const write = () =>
  called('Write', { file_path: join(stage.home, '.claude/agent-memory/main/MEMORY.md'), content: 'noted' })
const plain = ownAgent('main')
const noting = ownAgent('main', { memory: 'user' })
const open = 'main Write: ok own-place'
const closed = 'main Write: denied no-approver'

async function begunAndResumed(store: RunStore, first: AgentDefinition, second: AgentDefinition) {
  const one = await stage.tell({ main: [write(), 'done'] }, { store, agents: [first] })
  const [{ runId } = { runId: '' as RunId }] = await one.house.list({})
  const two = await stage.open({ main: [write(), 'done'] }, { store, agents: [second] })
  const again = await two.house.resume(runId, 'go on')
  if ('refused' in again) throw new Error(again.refused)
  await again.result
  return [...one.ends, ...two.ends]
}

test.each([
  ['that gained a memory', plain, noting, [closed, closed]],
  ['that has another scope of it', noting, ownAgent('main', { memory: 'project' }), [open, closed]],
  ['that lost its memory', noting, plain, [open, closed]],
  ['that still has it', noting, noting, [open, open]],
] as const)('P13 a run was resumed under a definition %s, and wrote there unasked', async (_, first, second, ends) => {
  expect(await begunAndResumed(memoryStore(), first, second)).toEqual(ends)
})

test('a definition that gained a memory opened it to a run under way', async () => {
  let definition = plain
  const told = await stage.tell(
    {
      main: [
        () => {
          definition = noting
          return write()
        },
        'done',
      ],
    },
    { agents: () => createCatalog([definition]) },
  )
  expect(told.ends).toEqual([closed])
})

test('a run of before, whose brief says nothing of a memory, has the one of its definition', async () => {
  const whole = memoryStore()
  const older = storeWith(whole, {
    begin: (first, owner, entry) => whole.begin!(withoutMemory(first), owner, entry),
    create: (first, ...rest) => whole.create(withoutMemory(first), ...rest),
  })
  expect(await begunAndResumed(older, noting, noting)).toEqual([open, open])
})

function withoutMemory<E extends Parameters<RunStore['create']>[0]>(envelope: E): E {
  const { event } = envelope
  if (event.type !== 'run.queued') return envelope
  const { memory: _, ...brief } = event.brief
  return { ...envelope, event: { ...event, brief } }
}
