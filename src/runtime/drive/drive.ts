/**
 * The loop of a run: ask `next` what should be, make it so, take what arrives, store it, repeat.
 * D1 each arrival is stored when it comes.  D3 `run.claimed` opens every stretch in a process.  Only this loop writes
 * the run's log, and it waits through Steps alone, so another engine can drive the same loop.
 * A slot is held while a model request or an own tool is in flight, and given back while the run only waits.
 */

import type { DurableEvent } from '../../core/events.js'
import type { RunId } from '../../core/message.js'
import { isDigest } from '../../core/run/digest.js'
import { type Effect, endNow, next, turnUnderWay } from '../../core/run/run-next.js'
import { messageOf } from '../../core/thrown.js'
import type { Result } from '../../core/types.js'
import { translateItem, withEarlierEnds } from '../logs/inbox.js'
import { ClaimLost, isStoreFault, type Log, LogBroken, skippedTime } from '../logs/run-log.js'
import type { Arrival } from './arrival.js'
import type { DrivePorts, Driving, Left, Note } from './drive-ports.js'
import { fitTogether, stillFits } from './fit-together.js'
import { lastStopHook } from './hook-effects.js'
import { Rounds } from './rounds.js'
import type { Slot } from './slots.js'
import { localSteps, type Steps } from './steps.js'
import { TurnInFlight } from './turn-in-flight.js'

export function drive(log: Log, ports: DrivePorts): Driving {
  return new DriveLoop(log, ports).start()
}

class DriveLoop {
  readonly #log: Log
  readonly #ports: DrivePorts
  readonly #steps: Steps<Arrival>
  #slot: Slot | undefined
  #flight: TurnInFlight | undefined
  #mustLook = true
  /** An item was left in the inbox until something else has happened. */
  #hasLater = false
  #wasTold = false
  #isLeft = false
  readonly #rounds = new Rounds(() => this.#steps.post({ type: 'wake' }))

  constructor(log: Log, ports: DrivePorts) {
    this.#log = log
    this.#ports = ports
    this.#steps = localSteps<Arrival>(ports.clock, (key, error) => ({ type: 'threw', key, error }))
  }

  start(): Driving {
    return {
      done: this.run(),
      look: () => this.look(),
      leave: () => this.leave(),
      position: () => this.#slot?.position() ?? 0,
      holdsSlot: () => this.#slot?.isHeld() ?? false,
    }
  }

  look(): void {
    this.#mustLook = true
    this.#wasTold = true
    this.#steps.post({ type: 'wake' })
  }

  leave(): void {
    this.#isLeft = true
    this.#steps.post({ type: 'wake' })
  }

  async run(): Promise<Result | Left> {
    try {
      await this.#enter()
      return await this.#loop()
    } catch (error) {
      if (error instanceof ClaimLost) return { left: 'claim-lost', message: error.message }
      if (error instanceof LogBroken || isStoreFault(error)) return { left: 'log-broken', message: error.message }
      return this.#endAsBug(error)
    } finally {
      // What still works for it hears why, in the words of whoever stopped it.
      this.#steps.close(this.#log.state.stop?.reason ?? 'the run is no longer driven here')
      this.#slot?.release()
    }
  }

  /** D3. A new run that can begin at once does so in the same entry. */
  async #enter(): Promise<void> {
    const { state, epoch, owner } = this.#log
    const claimed: DurableEvent = { type: 'run.claimed', attempt: state.attempt, epoch, owner }
    await this.#log.record((await this.#canStart()) ? [claimed, { type: 'run.started' }] : [claimed])
  }

  async #canStart(): Promise<boolean> {
    const { state } = this.#log
    if (state.seq > 1) return false
    this.#mustLook = false
    const items = await this.#ports.store.inbox(state.runId)
    // Not `||=`: that would write over a look that was asked for meanwhile.
    if (items.length > 0) this.#mustLook = true
    if (this.#mustLook || this.#isLeft) return false
    const step = next(state, this.#ports.clock.now())
    return 'effects' in step && step.effects.some(isBusy) && (await this.#takeSlot())
  }

  async #loop(): Promise<Result | Left> {
    const { state } = this.#log
    while (!this.#isLeft) {
      // Nothing is taken after the end: what came too late stays in the inbox, and wakes the run from there.
      if (state.result) return state.result
      if (this.#steps.hasArrivals()) await this.#store(await this.#steps.take(undefined))
      // A reply may have been stored with the end it brought.
      if (this.#mustLook && !state.result) await this.#readInbox()
      const step = next(state, this.#ports.clock.now())
      if ('done' in step) return state.result!
      if ('append' in step) await this.#append(step.append)
      else if (await this.#reconcile(step.effects)) await this.#store(await this.#steps.take(step.wakeAt))
    }
    await this.#letGo()
    return { left: 'by-us', message: 'the run was left as it is' }
  }

  /** What `next` decided. An end first hears the inbox out; a turn it cuts off first leaves what it had said. */
  async #append(events: readonly DurableEvent[]): Promise<void> {
    const isLast = events.some(isEnd)
    if (isLast && (await this.#readInbox())) return
    const isCut = isLast || events.some(event => event.type === 'grace.started')
    if (isCut && (await this.#cutTurn())) return
    await this.#log.record(events)
  }

  /** The log says that nothing is out: who takes up a run of which it does not counts a request as lost. */
  async #letGo(): Promise<void> {
    const slotless: DurableEvent = { type: 'clock.stopped', cause: 'slot' }
    if (!(await this.#cutTurn(slotless)) && turnUnderWay(this.#log.state)) await this.#log.record([slotless])
  }

  /** Ends a turn in flight. True when it had been sent, which is now in the log with what it said and cost. */
  async #cutTurn(...also: readonly DurableEvent[]): Promise<boolean> {
    const flight = this.#flight
    if (!flight) return false
    this.#flight = undefined
    this.#steps.abort(flight.key, 'the run does not wait for this turn any more')
    if (flight.partial.trim() === '' && !flight.isOut(this.#ports.clock.now())) return false
    const cut = flight.cutOff(this.#log.state.brief.model, 'cut off before its end')
    // Half a digest would count as one that failed; whoever takes up the run asks for it again.
    const isDropped = this.#isLeft && isDigest(flight.purpose)
    await this.#log.record([isDropped ? { ...cut, partial: '' } : cut, ...also])
    return true
  }

  /** Starts what is wanted and not running, aborts what is running and not wanted. False: ask `next` again. */
  async #reconcile(effects: readonly Effect[]): Promise<boolean> {
    const needsSlot = effects.some(isBusy)
    const hasSlot = needsSlot && (await this.#takeSlot())
    if (hasSlot && this.#log.state.startedAt === undefined) {
      await this.#log.record([{ type: 'run.started' }])
      return false
    }
    if (!needsSlot) this.#giveSlotBack()
    const wanted = hasSlot || !needsSlot ? effects : effects.filter(effect => !isBusy(effect))
    const keys = new Set(wanted.map(effect => effect.key))
    if (this.#flight && !keys.has(this.#flight.key) && (await this.#cutTurn())) return false
    for (const key of [...this.#steps.running()]) if (!keys.has(key)) this.#abort(key)
    const starting = wanted.filter(effect => !this.#steps.has(effect.key))
    // The first children ask their models while the next are being decided on.
    const late = new Set(this.#rounds.late(starting.filter(isDelegating)))
    for (const effect of starting)
      if (!late.has(effect)) this.#steps.start(effect.key, signal => this.#perform(effect, signal))
    return true
  }

  #abort(key: string): void {
    this.#steps.abort(key, 'no longer wanted')
    const [kind, runId, attempt] = key.split('/')
    const child = kind === 'child' ? this.#log.state.children.get(runId as RunId) : undefined
    const isSameAttempt = child?.attempt === Number(attempt)
    if (child && !child.isEnded && isSameAttempt)
      this.#ports.stopChild(child.runId, 'its caller does not wait for it any more')
  }

  /** Whether the slot is held. Waiting for it stands in the log, because it stops the run's clock (D6). */
  async #takeSlot(): Promise<boolean> {
    const { state } = this.#log
    if (!this.#slot) {
      const { runId, rootId, brief } = state
      const isReturning = state.startedAt !== undefined
      const onHeld = () => this.#steps.post({ type: 'wake' })
      this.#slot = await this.#ports.slots.acquire({ runId, rootId, model: brief.model, isReturning }, onHeld)
      if (!this.#slot.isHeld()) {
        this.#log.pass({ type: 'slot.waiting', position: this.#slot.position() })
        if (isReturning) await this.#log.record([{ type: 'clock.stopped', cause: 'slot' }])
      }
    }
    if (!this.#slot.isHeld()) return false
    if (state.clockCauses.has('slot')) await this.#log.record([{ type: 'clock.started', cause: 'slot' }])
    return true
  }

  #giveSlotBack(): void {
    this.#slot?.release()
    this.#slot = undefined
  }

  async #perform(effect: Effect, signal: AbortSignal): Promise<Arrival> {
    const { key } = effect
    switch (effect.do) {
      case 'turn': {
        const { turn, purpose } = effect
        const flight = new TurnInFlight({ turn, purpose, upto: this.#log.state.seq })
        this.#flight = flight
        return { type: 'effect', key, events: await this.#ports.takeTurn(flight, this.#noteFor(key), signal) }
      }
      case 'call':
        return { type: 'effect', key, events: await this.#ports.runCall(effect, this.#noteFor(key), signal) }
      case 'hook':
        return { type: 'effect', key, events: await this.#ports.fireHook(effect, signal) }
      case 'child':
        return {
          type: 'child',
          key,
          child: effect.child,
          result: await this.#ports.joinChild(effect.child, signal),
        }
    }
  }

  /** Facts in the middle of an effect; resolves when they are stored. */
  #noteFor(key: string): Note {
    return events => new Promise((stored, dropped) => this.#steps.post({ type: 'note', key, events, stored, dropped }))
  }

  /** All that has arrived, in one append: results of different effects never contradict each other. */
  async #store(arrivals: readonly Arrival[]): Promise<void> {
    const skipped = skippedTime(this.#log.state, this.#ports.clock)
    if (skipped) await this.#log.record([skipped])
    // A note may arrive together with the end of its effect, which is not running any more by then.
    const finished = new Set(arrivals.map(arrival => (arrival.type === 'effect' ? arrival.key : undefined)))
    const isWanted = ({ key }: { readonly key: string }) => finished.has(key) || this.#steps.has(key)
    const notes = arrivals
      .filter(arrival => arrival.type === 'note')
      .filter(note => isWanted(note) && this.#fitsNow(note))
    const fitting = fitTogether(arrivals.flatMap(arrival => this.#eventsOf(arrival, isWanted)))
    try {
      const events = await this.#withEnd(await withEarlierEnds(this.#log.state, fitting, this.#ports))
      if (events.length > 0) await this.#log.record(events)
      if (this.#hasLater) this.#mustLook = true
      for (const note of notes) note.stored()
    } catch (error) {
      for (const note of notes) note.dropped(error)
      throw error
    }
  }

  /** A last reply, together with the end it brings, unless somebody has something to say to the run before. */
  async #withEnd(events: readonly DurableEvent[]): Promise<readonly DurableEvent[]> {
    const [reply] = events
    if (events.length !== 1 || reply?.type !== 'turn.ended' || reply.calls.length > 0) return events
    const { state } = this.#log
    const after = this.#log.withReply?.(reply)
    const step = after && next(after, this.#ports.clock.now())
    if (!step || !('append' in step) || !step.append.some(isEnd)) return events
    const items = await this.#ports.store.inbox(state.runId)
    const isHeard = items.length === 0 && !this.#mustLook && !this.#isLeft && !this.#steps.hasArrivals()
    return isHeard ? [reply, ...step.append] : events
  }

  #eventsOf(arrival: Arrival, isWanted: (note: { readonly key: string }) => boolean): readonly DurableEvent[] {
    switch (arrival.type) {
      case 'effect':
        if (!arrival.key.startsWith('turn/')) return arrival.events.filter(event => stillFits(this.#log.state, event))
        if (this.#flight?.key !== arrival.key) return []
        this.#flight = undefined
        return arrival.events
      case 'note':
        if (isWanted(arrival) && this.#fitsNow(arrival)) return arrival.events
        arrival.dropped(new DOMException('no longer wanted', 'AbortError'))
        return []
      case 'child':
        // Left with us, most likely, and to be taken up with us: what had ended is found in its log then.
        if (this.#isLeft && arrival.result.outcome === 'interrupted') return []
        return this.#ports.childEnd(this.#log.state, arrival.child, arrival.result)
      case 'threw':
        throw arrival.error
      case 'wake':
        return []
    }
  }

  #fitsNow({ events }: { readonly events: readonly DurableEvent[] }): boolean {
    return events.every(event => stillFits(this.#log.state, event))
  }

  /** True when something was taken that may change what comes next. */
  async #readInbox(): Promise<boolean> {
    this.#mustLook = false
    this.#hasLater = false
    const { state } = this.#log
    let hasChanged = false
    const items = await this.#ports.store.inbox(state.runId)
    // Told to look, and nothing is there: somebody else may have taken the run. An empty append finds out.
    if (this.#wasTold && items.length === 0) await this.#log.record([])
    this.#wasTold = false
    for (const item of items) {
      const events = await translateItem(state, item, this.#ports.clock.now(), this.#ports)
      if (events === 'later') {
        this.#hasLater = true
        continue
      }
      await this.#log.record(events, [item.id])
      hasChanged ||= events.length > 0
    }
    return hasChanged
  }

  /** Our own mistake: it ends this run, with its stack in the log, and nobody else's. */
  async #endAsBug(error: unknown): Promise<Result | Left> {
    const message = messageOf(error)
    const stack = error instanceof Error ? error.stack : undefined
    try {
      const ending = { outcome: 'failed', error: { message, rule: 'bug', stack } } as const
      const { state } = this.#log
      const stop = await lastStopHook(state, ending, (effect, signal) => this.#ports.fireHook(effect, signal))
      await this.#log.record([...stop, ...endNow(state, ending, this.#ports.clock.now())])
      return this.#log.state.result!
    } catch (second) {
      return { left: 'log-broken', message: `${message}; and it could not be stored: ${messageOf(second)}` }
    }
  }
}

const isEnd = ({ type }: DurableEvent): boolean => type === 'run.ended'

/** Waiting for a child, a person or a hook needs no slot. */
function isBusy(effect: Effect): boolean {
  if (effect.do === 'turn') return true
  return effect.do === 'call' && !isDelegating(effect) && effect.call.traits.effect !== 'interactive'
}

const isDelegating = (effect: Effect): boolean => effect.do === 'call' && effect.call.traits.effect === 'delegate'
