/** What is stored, judged and shown is nobody's to change: not a subscriber's, an approver's, a hook's, a judge's or a tool's. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { functionHooks, type HookFunctions } from '../../src/adapters/hooks/function-hooks.js'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import { sqliteStore } from '../../src/adapters/stores/sqlite.js'
import type { Envelope } from '../../src/core/events.js'
import type { Judge } from '../../src/core/ports.js'
import type { RunStore } from '../../src/core/run-store.js'
import type { Offshoot, OffshootOptions } from '../../src/offshoot.js'
import { call, house, tool } from './house.js'

const folder = mkdtempSync(join(tmpdir(), 'offshoot-unchanged-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let databases = 0
const stores: readonly (readonly [string, () => RunStore | Promise<RunStore>])[] = [
  ['memory', () => memoryStore()],
  ['SQLite', () => sqliteStore({ path: join(folder, `${++databases}.db`) })],
]

interface Input {
  path: string
  nested: { secret?: string }
}
const onlyOk: Judge = {
  judge: async ({ input }) =>
    (input as Input).path === '/ok'
      ? { decision: 'allow', rule: 'only /ok' }
      : { decision: 'deny', rule: 'only /ok', reason: 'not ok' },
}

/** A call for /ok, then a word; what the tool got, what the log says it got, and what the model reads of its own call. */
async function story(
  store: RunStore,
  options: Partial<OffshootOptions> = {},
  touch: (input: Input) => void = () => {},
  listen: (offshoot: Offshoot) => void = () => {},
) {
  const ran: string[] = []
  const errors: unknown[] = []
  const act = tool('Act', 'write', (input: Input) => {
    ran.push(input.path)
    touch(input)
    return 'acted'
  })
  const script = { main: [call('Act', { path: '/ok', nested: {} }), 'done', 'again'] }
  const { offshoot, start, model } = house(script, {
    ...{ store, tools: [act], judge: onlyOk, onError: error => void errors.push(error) },
    ...options,
  })
  listen(offshoot)
  const run = await start()
  const result = await run.result
  const events: Envelope[] = []
  for await (const envelope of run.events()) events.push(envelope)
  const started = events.flatMap(({ event }) => (event.type === 'tool.started' ? [event.input] : []))
  const past = model.requests.slice(1).map(({ messages }) => JSON.stringify(messages.find(m => m.role === 'assistant')))
  await offshoot.close()
  return { ran, errors, result, events, started, past }
}

const unchanged = { path: '/ok', nested: {} }

describe.each(stores)('with the %s store', (_, open) => {
  test('a subscriber that blanks what it shows changed what the tool ran with, after the judge had said yes', async () => {
    const told = await story(await open(), {}, undefined, offshoot => {
      offshoot.subscribe({}, ({ event }) => {
        if (event.type === 'tool.started') (event.input as Input).path = '***'
      })
    })
    expect(told.ran).toEqual(['/ok'])
    expect(told.started).toEqual([unchanged])
    expect(told.past[0]).toContain('/ok')
    expect(String(told.errors[0])).toMatch(/read only/)
  })

  test('a subscriber that changes a reply changed the call in it', async () => {
    const told = await story(await open(), {}, undefined, offshoot => {
      offshoot.subscribe({}, ({ event }) => {
        if (event.type === 'turn.ended')
          for (const part of event.message.content) if (part.type === 'call') (part.input as Input).path = '/etc/shadow'
      })
    })
    expect(told.ran).toEqual(['/ok'])
    expect(told.past[0]).toContain('/ok')
  })

  test('a tool that changes its own input changed what the model had said, and may do so with a copy', async () => {
    const told = await story(await open(), {}, input => {
      input.path = '/changed'
      input.nested.secret = 's3cret'
    })
    expect(told.result.outcome).toBe('completed')
    expect(told.errors).toEqual([])
    expect(told.started).toEqual([unchanged])
    expect(told.past.join()).not.toMatch(/changed|s3cret/)
    expect(JSON.stringify(told.events)).not.toMatch(/changed|s3cret/)
  })

  test('an approver that blanks a request for its screen had the call run with the blanks', async () => {
    const asks: Judge = { judge: async () => ({ decision: 'ask', rule: 'asks', reason: 'it writes' }) }
    let shown = 0
    let offshoot: Offshoot | undefined
    const approver: OffshootOptions['approver'] = {
      isListening: () => true,
      present: request => {
        shown += 1
        ;(request.input as Input).path = '[hidden]'
        queueMicrotask(() => void offshoot?.approvals.answer(request.approvalId, { verdict: 'allow' }))
        return () => {}
      },
    }
    const told = await story(await open(), { judge: asks, approver }, undefined, opened => {
      offshoot = opened
    })
    expect(shown).toBe(1)
    expect(told.errors).toEqual([])
    expect(told.ran).toEqual(['/ok'])
    expect(told.started).toEqual([unchanged])
  })

  test('a hook that changes the input in place changed the words of the model, and no rule told it', async () => {
    const preTool: HookFunctions['preTool'] = ({ call }) => {
      ;(call!.input as Input).path = '/etc/shadow'
      return undefined
    }
    const told = await story(await open(), { hooks: functionHooks({ preTool }) })
    expect(told.ran).toEqual([])
    expect(told.past[0]).toContain('/ok')
    expect(JSON.stringify(told.events)).toMatch(/pre-tool hook threw: Cannot assign to read only property/)
  })

  test('a hook that keeps the input it gave back could change it once it was judged', async () => {
    const given = { path: '/ok', nested: {} }
    const keeps: Judge = {
      judge: async asked => {
        const verdict = await onlyOk.judge(asked)
        given.path = '/etc/shadow'
        return verdict
      },
    }
    const hooks = functionHooks({ preTool: () => ({ verdict: 'go', input: given }) })
    const told = await story(await open(), { hooks, judge: keeps })
    expect(told.ran).toEqual(['/ok'])
    expect(told.started).toEqual([unchanged])
  })

  test('a judge that changes the input later had another call run than it had judged', async () => {
    const later: Judge = {
      judge: async asked => {
        queueMicrotask(() => {
          try {
            ;(asked.input as Input).path = '/etc/shadow'
          } catch {}
        })
        return onlyOk.judge(asked)
      },
    }
    const told = await story(await open(), { judge: later })
    expect(told.ran).toEqual(['/ok'])
    expect(told.started).toEqual([unchanged])
  })

  test('a subscriber that writes into events broke the log, the result and every reader', async () => {
    const told = await story(await open(), {}, undefined, offshoot => {
      offshoot.subscribe({}, ({ event }) => {
        if (event.type === 'run.ended') (event.result as { text: string }).text = '[redacted]'
        ;(event as { type: string }).type = 'hacked'
      })
      offshoot.subscribe({}, envelope => {
        ;(envelope as { seq: number }).seq = 99
      })
    })
    expect(told.result).toMatchObject({ outcome: 'completed', text: 'done' })
    expect(told.events[0]?.event.type).toBe('run.queued')
    expect(told.events.at(-1)?.event.type).toBe('run.ended')
    expect(told.errors.length).toBeGreaterThan(2)
  })
})

test('what a host gives a run stays its own: it may change it afterwards', async () => {
  const content = [{ type: 'text' as const, text: 'first' }]
  const store = memoryStore()
  const look = tool('Look', 'read', () => {
    content[0]!.text += '!'
    return { content }
  })
  const { run, events, offshoot } = house({ main: [call('Look'), call('Look'), 'done'] }, { store, tools: [look] })
  expect((await run()).outcome).toBe('completed')
  const texts = events.flatMap(({ event }) => (event.type === 'tool.ended' ? event.content : []))
  expect(texts).toEqual([
    { type: 'text', text: 'first!' },
    { type: 'text', text: 'first!!' },
  ])
  const [summary] = await store.list({})
  expect(() => Object.assign(summary!, { status: 'running' })).toThrow(/read only/)
  await offshoot.close()
})
