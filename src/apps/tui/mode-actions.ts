/** `/mode` and `/plan`: what they do, and the words for modes. */
import type { PermissionMode } from '../../core/agent-definition.js'
import { isAtMost, modesStrictestFirst, modesToSwitch } from '../../core/brief/mode.js'
import * as notices from '../../core/notices.js'
import { didYouMean, looseKey } from '../../core/text/nearest.js'
import type { Conversation } from './conversation.js'
import { bold, dim, span } from './model/line.js'
import type { SessionMode } from './session-mode.js'

interface ModePorts {
  readonly conversation: Conversation
  readonly modes: SessionMode
}

export async function modeAction(rest: string, { conversation, modes }: ModePorts): Promise<void> {
  if (rest === '')
    return conversation.note([
      [bold('Mode '), span(modes.now, { hue: 'cyan' }), dim(planWords(modes) || `: ${withoutRules[modes.now]}`)],
      [dim(`  Shift+Tab goes round ${modesToSwitch(modes.ceiling).join(', ')}; /mode NAME sets one`)],
    ])
  const wanted = modesStrictestFirst.find(mode => looseKey(mode) === looseKey(rest))
  if (!wanted) {
    const near = didYouMean(rest, modesStrictestFirst)
    const help = near ? `Did you mean ${near}?` : `There are ${modesStrictestFirst.join(', ')}.`
    return conversation.note([[span(`There is no mode "${rest}". ${help}`, { hue: 'yellow' })]])
  }
  const refusal = await modes.switchTo(wanted)
  if (refusal) return conversation.note([[span(refusal, { hue: 'yellow' })]])
  await tell({ conversation, modes })
  conversation.note([[span(`Mode ${modes.now}: ${withoutRules[modes.now]}.`, { hue: 'green' })]])
}

export async function planAction(rest: string, ports: ModePorts): Promise<void> {
  const { conversation, modes } = ports
  if (rest === 'off') return planOff(ports)
  if (rest !== '' && rest !== 'on')
    return conversation.note([[span('/plan switches plan mode on, /plan off ends it.', { hue: 'yellow' })]])
  if (modes.now !== 'plan') {
    await modes.switchTo('plan')
    await tell(ports)
  }
  conversation.note([[span(`Plan mode is on${planWords(modes)}`, { hue: 'yellow' })]])
}

async function planOff({ conversation, modes }: ModePorts): Promise<void> {
  const wasOn = modes.now === 'plan'
  if (!(await modes.endPlanning()))
    return conversation.note([[span(`Plan mode is on${planWords(modes)}`, { hue: 'yellow' })]])
  modes.wordsForAgent()
  const isTold = wasOn && (await conversation.tell(notices.planModeOff))
  const rights = wasOn ? ` What the mode ${modes.now} allows and asks for holds again.` : ''
  const next = wasOn && !isTold ? ' Your next prompt says what to do.' : ''
  conversation.note([[span(`Plan mode is off.${rights}${next}`, { hue: 'green' })]])
}

/** What is at work hears of it now; anybody else with the next prompt. */
async function tell({ conversation, modes }: ModePorts): Promise<void> {
  if (!conversation.isAtWork) return
  const words = modes.wordsForAgent()
  if (words) await conversation.tell(words)
}

/** Why it plans, and how that ends. */
export function planWords({ now, plannedBy, ceiling }: Pick<SessionMode, 'now' | 'plannedBy' | 'ceiling'>): string {
  if (now !== 'plan') return ''
  if (plannedBy === 'agent')
    return ': the agent switched it on (EnterPlanMode); only reading, for children too, until you approve its plan or type /plan off'
  if (plannedBy === 'person' || isAtMost('default', ceiling))
    return ': only reading, for children too, until you approve a plan, press Shift+Tab or type /plan off'
  return ': this session was begun in it and stays in it; only reading, for children too'
}

/** For one line of a narrow terminal. */
export const modeWords = (mode: PermissionMode): string => `mode ${mode}: ${inShort[mode]}`

const inShort: Readonly<Record<PermissionMode, string>> = {
  default: 'asks before it changes anything',
  plan: 'only reads and plans',
  dontAsk: 'what would ask is denied',
  acceptEdits: 'edits files here unasked',
  bypassPermissions: 'asks for nothing that no deny forbids',
}

const looking = 'commands known to only look'

/** The defaults by effect, in words. */
export const withoutRules: Readonly<Record<string, string>> = {
  default: `reading is allowed here, and ${looking}; writing, other commands and the network ask`,
  plan: `reading is allowed here, and ${looking}; the rest is denied`,
  dontAsk: `reading is allowed here, and ${looking}; the rest is denied`,
  acceptEdits: `reading and editing are allowed here, and ${looking}; other commands and the network ask`,
  bypassPermissions: 'whatever no deny forbids is allowed',
}
