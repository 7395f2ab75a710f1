/** EnterPlanMode and ExitPlanMode: the main conversation's switch between planning and doing. */
import type { Tool, ToolContext } from '../../core/ports.js'
import { defineTool, ToolFailure } from './define-tool.js'

export interface PlanMode {
  /** A sentence why not, when it cannot be entered. */
  enter(context: ToolContext): Promise<string | undefined>
  /** Shows the plan and waits for the user. Rejects on abort. */
  leave(plan: string, context: ToolContext): Promise<{ readonly isApproved: boolean; readonly feedback?: string }>
}

export function createPlanModeTools(mode: PlanMode): readonly Tool[] {
  return [
    defineTool<Record<string, never>>({
      spec: {
        name: 'EnterPlanMode',
        displayName: 'Plan',
        description: 'Switches to plan mode: look and plan, change nothing.',
        effect: 'interactive',
        isMainOnly: true,
        inputSchema: { type: 'object', properties: {} },
      },
      context: () => '',
      async run(_input, context) {
        const refused = await mode.enter(context)
        if (refused !== undefined) throw new ToolFailure(refused, 'refused')
        return {
          content: 'Plan mode is on: only reading. When the plan is ready, call ExitPlanMode.',
          summary: 'planning',
        }
      },
    }),
    defineTool<{ readonly plan: string }>({
      spec: {
        name: 'ExitPlanMode',
        displayName: 'Present plan',
        description: 'Presents the plan (Markdown) to the user and, if approved, leaves plan mode.',
        effect: 'interactive',
        isMainOnly: true,
        inputSchema: { type: 'object', properties: { plan: { type: 'string' } }, required: ['plan'] },
      },
      context: ({ plan }) => plan.split('\n', 1)[0] ?? '',
      async run({ plan }, context) {
        const { isApproved, feedback } = await mode.leave(plan, context)
        const said = feedback === undefined ? '' : ` The user says: ${feedback}`
        if (isApproved) return { content: `The plan was approved; plan mode is off.${said}`, summary: 'approved' }
        return {
          content: `The plan was not approved; stay in plan mode and revise it.${said}`,
          summary: 'not approved',
        }
      },
    }),
  ]
}
