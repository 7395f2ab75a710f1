/** BashOutput and KillShell: a run's own background shells, and nobody else's. */
import { commandLost } from '../../core/notices.js'
import type { Tool, ToolContext } from '../../core/ports.js'
import { defineTool, ToolFailure } from './define-tool.js'
import { amountText, endText, leftBehindText, outputText } from './shell-text.js'
import type { BackgroundShell, Shells } from './shells.js'

export function createBashOutputTool(shells: Shells): Tool {
  return defineTool<{ readonly bash_id: string }>({
    spec: {
      name: 'BashOutput',
      comesWith: 'Bash',
      displayName: 'Shell output',
      description: 'New output and state of a background shell.',
      effect: 'read',
      isPolling: true,
      isParallel: false,
      inputSchema: { type: 'object', properties: { bash_id: { type: 'string' } }, required: ['bash_id'] },
    },
    context: input => input.bash_id,
    async run(input, context) {
      const shell = find(shells, input.bash_id, context)
      const taken = shell.started.take()
      const printed = outputText(taken)
      const state = stateOf(shell)
      const content = [state, printed === '' ? '[no new output]' : printed].join('\n')
      const summary = amountText(taken, printed, 'no new output')
      return { content, summary, ...(shell.end && { leftRunning: { id: shell.id, isOver: true } }) }
    },
  })
}

/** Counted as reading: it reaches only what this run was allowed to start. */
export function createKillShellTool(shells: Shells): Tool {
  return defineTool<{ readonly shell_id: string }>({
    spec: {
      name: 'KillShell',
      comesWith: 'Bash',
      displayName: 'End shell',
      description: 'Ends a background shell and everything it started.',
      effect: 'read',
      isParallel: false,
      inputSchema: { type: 'object', properties: { shell_id: { type: 'string' } }, required: ['shell_id'] },
    },
    context: input => input.shell_id,
    async run(input, context) {
      const shell = find(shells, input.shell_id, context)
      const leftRunning = { id: shell.id, isOver: true }
      if (shell.end && shell.end.leftBehind.length === 0) {
        return { content: `${shell.id} had already ended. ${stateOf(shell)}`, summary: 'already ended', leftRunning }
      }
      shell.isKilled = true
      await shell.started.end()
      await shell.started.ended
      return { content: `${shell.id} was ended.`, summary: 'ended', leftRunning }
    },
  })
}

function find(shells: Shells, id: string, { runId, leftRunning }: ToolContext): BackgroundShell {
  const shell = shells.find(runId, id)
  if (shell) return shell
  const what = leftRunning?.(id)
  if (what !== undefined) throw new ToolFailure(commandLost(id, what), 'ended with its process')
  const known = shells.list(runId).map(other => other.id)
  const hint = known.length > 0 ? `Yours: ${known.join(', ')}` : 'This run has none in this process'
  throw new ToolFailure(`No background shell ${id}. ${hint}.`, 'no such shell')
}

function stateOf(shell: BackgroundShell): string {
  if (!shell.end) return shell.isKilled ? '[being ended]' : '[running]'
  const how = shell.isKilled ? '[ended by KillShell]' : (endText(shell.end) ?? '[exit code 0]')
  const rest = leftBehindText(shell.end)
  return rest === undefined ? how : `${how}\n${rest}`
}
