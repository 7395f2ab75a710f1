/** For tests of command hooks: events to fire, settings to fire them at, a project to run in. */

import { type CommandHooksOptions, commandHooks } from '../../src/adapters/hooks/command-hooks.js'
import { commandEnvironment } from '../../src/adapters/os/command-environment.js'
import type { HookEventName } from '../../src/core/hooks/hook-config.js'
import type { HookEvent, Hooks } from '../../src/core/hooks/hooks.js'
import type { CallId, Json, RunId } from '../../src/core/message.js'
import type { TestWorkspace } from './tool-workspace.js'

export const neverAborted = new AbortController().signal

export const hookConfig = (event: HookEventName, command: string, more: object = {}, matcher?: string): Json => ({
  [event]: [{ ...(matcher !== undefined && { matcher }), hooks: [{ type: 'command', command, ...more }] }],
})

/** A command that prints this. */
export const prints = (output: unknown): string => `cat <<'END'\n${JSON.stringify(output)}\nEND`

export const hooksIn =
  (project: TestWorkspace) =>
  (settings: readonly Json[], more: Partial<CommandHooksOptions> = {}): Hooks =>
    commandHooks({
      settings: settings.map(hooks => ({ origin: 'test', hooks })),
      projectDir: project.root,
      env: commandEnvironment(process.env),
      ...more,
    })

export function hookEvent(point: HookEvent['point'], more: Partial<HookEvent> = {}): HookEvent {
  return {
    point,
    key: `hook/${point}`,
    runId: 'run-1' as RunId,
    rootId: 'root-1' as RunId,
    parentId: 'root-1' as RunId,
    prompt: 'look around',
    call: { id: 'call-1' as CallId, name: 'Bash', input: { command: 'ls' }, effect: 'execute' },
    ...more,
    brief: {
      agent: 'Explore',
      path: ['main', 'Explore'],
      depth: 1,
      description: 'a look',
      model: 'test/model',
      chain: [],
      ...more.brief,
    },
  }
}
