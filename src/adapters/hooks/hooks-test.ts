/** For tests of command hooks: events to fire, settings to fire them at, a project to run in. */
import type { TestWorkspace } from '../../../test/support/tool-workspace.js'
import type { HookEventName } from '../../core/hook-config.js'
import type { HookEvent, Hooks } from '../../core/hooks.js'
import type { CallId, Json, RunId } from '../../core/message.js'
import { commandEnvironment } from '../os/command-environment.js'
import { type CommandHooksOptions, commandHooks } from './command-hooks.js'

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
