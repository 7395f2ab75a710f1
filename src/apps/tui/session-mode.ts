/**
 * The mode of the open conversation, and the person's switch of it. Stored before it counts; before the first prompt
 * there is nothing to count for, and the run begins in what was chosen.
 */
import { modeCeilingOf, modeOf } from '../../adapters/ground/policy-settings.js'
import { switchedMode, switchedModesIn, switchMode } from '../../adapters/tools/mode-switch.js'
import { beginPlanning, endPlanning, planMarksIn, plannedBy } from '../../adapters/tools/plan-switch.js'
import type { PermissionMode } from '../../core/agent-definition.js'
import { ceilingOf, isAtMost, modeAfter, modeInForce, strictestMode } from '../../core/brief/mode.js'
import type { RunId } from '../../core/message.js'
import * as notices from '../../core/notices.js'
import type { PermissionLink } from '../../core/types.js'
import type { SessionFlags } from '../session/flags.js'
import type { Session } from '../session/open-session.js'
import type { ScreenStore } from './screen-store.js'

export interface SessionModeOptions {
  readonly session: Pick<Session, 'house' | 'settings'>
  readonly store: Pick<ScreenStore, 'screen'>
  readonly flags: Pick<SessionFlags, 'permissionMode'>
}

export class SessionMode {
  readonly #store: SessionModeOptions['store']
  readonly #session: Required<Pick<PermissionLink, 'mode' | 'ceiling'>>
  readonly #plans: string
  readonly #modes: string
  /** Of the conversation that the next prompt begins. */
  #next: PermissionMode | undefined
  /** The conversation whose agent was told that it plans. */
  #told: RunId | undefined
  #switching: Promise<unknown> = Promise.resolve()

  constructor({ session, store, flags }: SessionModeOptions) {
    const { data } = session.house.directories
    this.#store = store
    this.#plans = planMarksIn(data)
    this.#modes = switchedModesIn(data)
    this.#session = {
      mode: modeOf(session.settings, flags) ?? 'default',
      ceiling: modeCeilingOf(session.settings, flags),
    }
  }

  /** As the next call is judged. */
  get now(): PermissionMode {
    const rootId = this.#rootId
    if (!rootId) return this.#next ?? this.#session.mode
    return this.plannedBy ? 'plan' : modeInForce(this.#chain(rootId), switchedMode(this.#modes, rootId))
  }

  get ceiling(): PermissionMode {
    return this.#rootId ? ceilingOf(this.#chain(this.#rootId)) : this.#session.ceiling
  }

  /** Who switched plan mode on; undefined also where it was begun in it. */
  get plannedBy(): 'agent' | 'person' | undefined {
    return this.#rootId && plannedBy(this.#plans, this.#rootId)
  }

  /** What a conversation is begun with. */
  get next(): PermissionMode | undefined {
    return this.#next
  }

  /** A refusal in words, when it cannot be had. */
  async switchTo(mode: PermissionMode): Promise<string | undefined> {
    return this.#inTurn(() => this.#switchTo(mode))
  }

  /** One further in the round. */
  async switchOn(): Promise<string | undefined> {
    return this.#inTurn(() => this.#switchTo(modeAfter(this.now, this.ceiling)))
  }

  /** Back to what was before it, or out of one that the conversation was begun in. False: it stays on. */
  async endPlanning(): Promise<boolean> {
    return this.#inTurn(async () => {
      if (this.#rootId) await endPlanning(this.#plans, this.#rootId)
      if (this.now === 'plan') await this.#switchTo('default')
      return this.now !== 'plan'
    })
  }

  /** A conversation has begun: what was chosen for it, and is looser than its brief, counts from now on. */
  async begun(): Promise<string | undefined> {
    const wanted = this.#next
    this.#next = undefined
    return wanted && wanted !== this.now ? this.switchTo(wanted) : undefined
  }

  /** The conversation is left for a new one: that has the mode which is on the screen. */
  carryOver(): void {
    this.#next = strictestMode(this.#session.ceiling, this.now)
  }

  /** What the agent has to hear of plan mode with the next prompt, once. */
  wordsForAgent(): string | undefined {
    const rootId = this.#rootId
    const isOn = this.plannedBy === 'person'
    if (!rootId || isOn === (this.#told === rootId)) return undefined
    this.#told = isOn ? rootId : undefined
    return isOn ? notices.planModeOn : notices.planModeOff
  }

  /** Of a conversation that was taken up again, where it is not as the session was begun. */
  wordsOnReturn(): string | undefined {
    const rootId = this.#rootId
    const { now } = this
    const had = rootId && switchedMode(this.#modes, rootId)
    if (had && !had.isOfThisSession && now !== had.mode && isAtMost(now, had.mode))
      return `This conversation was in ${had.mode} and goes on in ${now}: what was switched in another session only takes away. ${howToSwitch}`
    return now === this.#session.mode ? undefined : `This conversation goes on in ${now}. ${howToSwitch}`
  }

  get #rootId(): RunId | undefined {
    return this.#store.screen.house.rootId
  }

  /** With what the rules of today will be laid over it. */
  #chain(rootId: RunId): readonly Pick<PermissionLink, 'mode' | 'ceiling'>[] {
    return [...(this.#store.screen.house.runs.get(rootId)?.chain ?? []), this.#session]
  }

  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const mine = this.#switching.then(change)
    this.#switching = mine.catch(() => {})
    return mine
  }

  async #switchTo(mode: PermissionMode): Promise<string | undefined> {
    const { ceiling, now } = this
    const rootId = this.#rootId
    if (!isAtMost(mode, ceiling))
      return `${mode} cannot be had here: ${ceiling} is the loosest mode (rule: mode-ceiling). What managed settings, the agent and the start of the session say binds.`
    if (!rootId) this.#next = mode
    else if (mode === 'plan' && now !== 'plan') await beginPlanning(this.#plans, rootId, 'person')
    else if (mode !== 'plan') {
      await switchMode(this.#modes, rootId, mode)
      // Last: whatever fails before it leaves the stricter one.
      await endPlanning(this.#plans, rootId)
    }
    return undefined
  }
}

const howToSwitch = 'Shift+Tab or /mode changes it.'
