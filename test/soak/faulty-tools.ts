/** Tools that fail in every way a tool can, and hooks and a store that do. */
import { existsSync, writeFileSync } from 'node:fs'
import { StoreError } from '../../src/adapters/stores/store-error.js'
import type { Tool, ToolContext, ToolOutput } from '../../src/core/ports.js'
import type { RunStore } from '../../src/core/run-store.js'
import type { Chance } from './chance.js'

export function faultyTools(): readonly Tool[] {
  const tool = (name: string, run: (context: ToolContext) => Promise<ToolOutput>): Tool => ({
    spec: { name, description: `${name}.`, inputSchema: { type: 'object' }, effect: 'execute' },
    run: (_, context) => run(context),
  })
  return [
    tool('Throw', async () => {
      throw new Error('the tool broke')
    }),
    tool('Hang', ({ signal }) => new Promise((_, fail) => signal.addEventListener('abort', () => fail(signal.reason)))),
    // Hears nothing: it is left behind, never waited for.
    tool('Deaf', () => new Promise(() => {})),
    tool('Flood', async () => ({ content: 'flood\n'.repeat(200_000) })),
    tool('Block', async () => {
      for (const end = performance.now() + 120; performance.now() < end; );
      return { content: 'blocked for a while' }
    }),
  ]
}

/** A hook that mostly lets pass: what it does else depends on what it is told. Settings as a user writes them. */
export function faultyHooks(script: string): { readonly hooks: Record<string, unknown> } {
  // The house is opened again and again, and a script that runs cannot be written.
  if (!existsSync(script)) writeFileSync(script, hookScript, { mode: 0o755 })
  const on = (matcher?: string) => [
    { ...(matcher && { matcher }), hooks: [{ type: 'command', command: script, timeout: 1 }] },
  ]
  return {
    hooks: {
      PreToolUse: on('Bash|Write'),
      PostToolUse: on('Edit'),
      SubagentStart: on(),
      SubagentStop: on(),
      Stop: on(),
    },
  }
}

const hookScript = `#!/bin/sh
sum=$(cksum | cut -d' ' -f1)
case $((sum % 24)) in
  0) echo "not now" >&2; exit 2 ;;
  1) sleep 20 ;;
  2) echo '{"decision": "bl' ;;
  3) exit 1 ;;
  4) kill -9 $$ ;;
  5) sleep 20 & exit 0 ;;
esac
exit 0
`

const failing: ReadonlySet<keyof RunStore> = new Set(['create', 'begin', 'append', 'post'] as const)

/** A store whose writes fail now and then, as a full or broken disk would make them, until the storm is over. */
export function faultyStore(inner: RunStore, chance: Chance, isCalm: () => boolean): RunStore {
  const fail = () => {
    if (!isCalm() && chance.is(0.004))
      throw chance.is(0.5) ? new StoreError('full', 'No space left.') : new StoreError('io', 'The disk failed.')
  }
  return new Proxy(inner, {
    get(target, name: keyof RunStore) {
      const value = target[name] as unknown
      if (typeof value !== 'function') return value
      if (!failing.has(name)) return value.bind(target)
      return async (...args: readonly unknown[]) => {
        fail()
        return value.apply(target, args)
      }
    },
  })
}
