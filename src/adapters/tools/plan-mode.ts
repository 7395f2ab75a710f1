/** EnterPlanMode and ExitPlanMode: the main conversation's switch between planning and doing. */
import type { Tool, ToolContext } from '../../core/ports.js'
import { defineTool, ToolFailure } from './define-tool.js'

/** The switch behind EnterPlanMode and ExitPlanMode; only a person leaves it. */
export interface PlanMode {
  /** A sentence why not, when it cannot be entered; else the file the plan may be written to, if there is one. */
  enter(context: ToolContext): Promise<{ readonly refused: string } | { readonly planFile?: string }>
  /** Shows the plan and waits for the user. Rejects on abort. */
  leave(plan: string, context: ToolContext): Promise<PlanAnswer>
}

/** What the person says to a plan. */
export interface PlanAnswer {
  readonly isApproved: boolean
  readonly feedback?: string
  /** Approved, but the conversation itself was begun in plan mode. */
  readonly staysOn?: boolean
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
        const entered = await mode.enter(context)
        if ('refused' in entered) throw new ToolFailure(entered.refused, 'refused')
        const file = entered.planFile === undefined ? '' : ` The one file to write is ${entered.planFile}.`
        return {
          content: `Plan mode is on: only reading, also for children.${file} When the plan is ready, call ExitPlanMode.`,
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
        const { isApproved, feedback, staysOn } = await mode.leave(plan, context)
        const said = feedback === undefined ? '' : ` The user says: ${feedback}`
        if (isApproved && staysOn) return { content: begunInPlanMode, summary: 'approved' }
        if (isApproved) return { content: `The plan was approved; plan mode is off.${said}`, summary: 'approved' }
        return {
          content: `The plan was not approved; stay in plan mode and revise it.${said}`,
          summary: 'not approved',
        }
      },
    }),
  ]
}

const begunInPlanMode =
  'The plan was approved. This conversation was begun in plan mode and stays in it: report the plan as your answer; the user can start again without plan mode to have it done.'
