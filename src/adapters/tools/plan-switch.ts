/**
 * Plan mode of a conversation: its main agent or the person switches it on, and only the person switches it off.
 * 1. While it is on, the whole tree is judged as if main were in plan mode, children that run already included. So it
 *    only takes away, and switching it off gives back no more than was there before.
 * 2. It is a mark on the disk, not in memory: it holds after a kill and in every process that drives the tree. Where nobody
 *    can tell whether there is one, it is on.
 */
import { lstatSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { planFileOf } from '../../core/brief/plan-file.js'
import { createPrivateFile, ensurePrivateDir } from '../os/private-dir.js'
import type { AskUser } from './ask-user.js'
import type { PlanMode } from './plan-mode.js'
import { rootFile } from './root-file.js'

export interface PlanSwitchOptions {
  /** Where the marks lie: closed to tools. */
  readonly directory: string
  /** Where plans are written; absent, none can be. */
  readonly plansDir?: string
  readonly ask: AskUser
  /** For a conversation that was begun in plan mode: goes over to doing, if a person may have that. False: it stays. */
  leaveForGood?(rootId: string): Promise<boolean>
}

export interface PlanSwitch {
  readonly mode: PlanMode
  isOn(rootId: string): boolean
}

export function createPlanSwitch({ directory, plansDir, ask, leaveForGood }: PlanSwitchOptions): PlanSwitch {
  const isOn = (rootId: string) => isPlanning(directory, rootId)
  return {
    isOn,
    mode: {
      async enter(context) {
        if (isOn(context.rootId))
          return { refused: 'Plan mode is on already. Call ExitPlanMode when the plan is ready.' }
        await beginPlanning(directory, context.rootId, 'agent')
        return plansDir === undefined ? {} : { planFile: planFileOf(plansDir, context) }
      },
      async leave(plan, context) {
        const question = `${plan.trim()}\n\nLeave plan mode and do this?`
        const options = [{ label: approval }, { label: refusal }]
        const [answer] = (await ask([{ header: 'Plan', question, options }], context)) ?? []
        const said = readAnswer(answer)
        if (said !== 'yes') return { isApproved: false, ...(said !== 'no' && { feedback: said.feedback }) }
        await endPlanning(directory, context.rootId)
        return { isApproved: true, staysOn: context.mode === 'plan' && !(await leaveForGood?.(context.rootId)) }
      },
    },
  }
}

/** Where the marks of the houses of a state directory lie. */
export const planMarksIn = (data: string): string => join(data, 'planning')

/** Whether the tree of a root plans now. */
export function isPlanning(directory: string, rootId: string): boolean {
  try {
    return lstatSync(rootFile(directory, rootId), { throwIfNoEntry: false }) !== undefined
  } catch {
    return true
  }
}

/** Who switched it on; undefined: it is not. */
export function plannedBy(directory: string, rootId: string): Planner | undefined {
  if (!isPlanning(directory, rootId)) return undefined
  try {
    return readFileSync(rootFile(directory, rootId), 'utf8').trim() === 'person' ? 'person' : 'agent'
  } catch {
    return 'agent'
  }
}

type Planner = 'agent' | 'person'

/** Stored when it resolves. */
export async function beginPlanning(directory: string, rootId: string, by: Planner): Promise<void> {
  if (isPlanning(directory, rootId)) return
  await ensurePrivateDir(directory)
  await createPrivateFile(rootFile(directory, rootId), by === 'person' ? 'person\n' : '')
}

/** The person's own way out. False: it was not on. */
export async function endPlanning(directory: string, rootId: string): Promise<boolean> {
  if (!isPlanning(directory, rootId)) return false
  await rm(rootFile(directory, rootId), { force: true })
  return true
}

/** A copy of a conversation that plans goes on planning. */
export async function copyPlanMark(directory: string, from: string, to: string): Promise<void> {
  const by = plannedBy(directory, from)
  if (by) await beginPlanning(directory, to, by)
}

const approval = 'Yes, do it'
const refusal = 'No, keep planning'
const yesWords: ReadonlySet<string> = new Set(['yes', 'y', '1', approval.toLowerCase()])
const noWords: ReadonlySet<string> = new Set(['', 'no', 'n', '2', refusal.toLowerCase()])

/** A yes is exactly that: "yes, but first …" says what is to be changed. */
function readAnswer(answer = ''): 'yes' | 'no' | { readonly feedback: string } {
  const word = answer.trim().toLowerCase()
  if (yesWords.has(word)) return 'yes'
  return noWords.has(word) ? 'no' : { feedback: answer.trim() }
}
