/**
 * The conversation behind the screen: one run of depth 0 that every prompt goes on with. Turns what a person does into
 * calls of the house, and what happens there into the screen.
 */
import type { MeasuredStore } from '../../adapters/stores/prune.js'
import type { Envelope } from '../../core/events.js'
import type { RunId } from '../../core/message.js'
import type { RunStore } from '../../core/run-store.js'
import { commandLine, visible } from '../../core/text/shell-word.js'
import type { RunHandle } from '../../runtime/run-handle.js'
import { withCommand } from '../session/commands-for.js'
import type { SessionFlags } from '../session/flags.js'
import { expandCommand, expandMentions, type ForeignCommand, fileReader } from '../session/mentions.js'
import type { Session } from '../session/open-session.js'
import { describePrompt, withItsOrigin } from '../session/session-facts.js'
import { entryLines } from './model/entry-lines.js'
import type { Glyphs } from './model/glyphs.js'
import { hearHouse, rootOf, treeItems } from './model/house-view.js'
import { hangOf, type Line, span, textLines, wrapLine } from './model/line.js'
import { hearScreen, type Screen } from './model/screen.js'
import type { ScreenStore } from './screen-store.js'
import type { SessionMode } from './session-mode.js'

export interface ConversationOptions {
  readonly session: Session
  /** The store of the session, with all that it knows. */
  readonly runs: MeasuredStore
  readonly store: ScreenStore
  readonly modes: SessionMode
  readonly flags: SessionFlags
  readonly glyphs: Glyphs
}

export class Conversation {
  readonly session: Session
  readonly runs: MeasuredStore
  readonly #store: ScreenStore
  readonly #modes: SessionMode
  readonly #glyphs: Glyphs
  readonly #stopHearing: () => void
  #model: string | undefined
  #maxTurns: number | undefined
  #run: RunHandle | undefined
  /** Entries of the conversation that are on paper already. */
  #printed = 0
  #notes = 0
  /** What the conversation before this one came to. */
  #carried = ''

  constructor({ session, runs, store, modes, flags, glyphs }: ConversationOptions) {
    this.session = session
    this.runs = runs
    this.#store = store
    this.#modes = modes
    this.#glyphs = glyphs
    this.#model = flags.model
    this.#maxTurns = flags.maxTurns
    this.#stopHearing = session.house.subscribe({}, envelope => this.#hear(envelope))
  }

  get runId(): RunId | undefined {
    return this.#run?.id
  }

  get model(): string {
    return rootOf(this.#store.screen.house)?.model || this.#model || this.session.house.models.defaultModel.id
  }

  /** The model of the next conversation. */
  set nextModel(model: string) {
    this.#model = model
  }

  /** `command`: the text is that of a command which others wrote. */
  async say(text: string, command?: ForeignCommand): Promise<void> {
    const { house, agent, cwd } = this.session
    const sources = { agents: house.catalog(), read: fileReader(cwd), cwd }
    const { prompt: asked, remarks } = command
      ? await expandCommand(text, command, sources)
      : expandMentions(text, sources)
    for (const remark of remarks) this.note(textLines(remark, { hue: 'yellow' }))
    if (this.#run) {
      const noticeOf = this.#run.id
      if (rootOf(this.#store.screen.house)?.status !== 'ended')
        this.#store.change(screen => ({ ...screen, notice: 'it reads this at its next turn', noticeOf }))
      const words = this.#modes.wordsForAgent()
      return this.send(this.#run.id, words ? `${asked}\n\n${words}` : asked)
    }
    const prompt = this.#carried === '' ? asked : `${carriedText(this.#carried)}\n\n${asked}`
    this.#carried = ''
    const mode = this.#modes.next
    const started = await house.start(
      {
        prompt,
        description: describePrompt(text),
        agent,
        ...(this.#model && { model: this.#model }),
        ...(this.#maxTurns && { maxTurns: this.#maxTurns }),
      },
      { isConversation: true, ...(mode && { mode }) },
    )
    if ('refused' in started) {
      const told = withCommand(started)
      const { refused } = this.#model ? told : withItsOrigin(told, this.session)
      return this.note(textLines(refused, { hue: 'red' }))
    }
    this.#take(started)
    this.#warn(await this.#modes.begun())
  }

  /** Goes on with a run that was begun before: its past is read from the log, and it is driven if it has not ended. */
  async open(runId: RunId): Promise<void> {
    const { house } = this.session
    const { store } = house
    this.clear()
    await this.#readPast(store, runId)
    this.#store.change(screen => ({ ...screen, house: Object.assign(screen.house, { rootId: runId }) }))
    this.#printEntries()
    const summary = await store.summary(runId)
    if (summary?.status !== 'ended') {
      const taken = await house.resume(runId)
      if ('refused' in taken) return this.note(textLines(withCommand(taken).refused, { hue: 'red' }))
    }
    this.#run = house.run(runId)
    this.#warn(this.#modes.wordsOnReturn())
  }

  /** The next prompt begins a new conversation; background children of the old one go on. */
  clear(): void {
    this.#modes.carryOver()
    this.#run = undefined
    this.#printed = 0
    this.#store.change(screen => ({
      ...screen,
      house: Object.assign(screen.house, { rootId: undefined }),
      tree: { isFocused: false, expanded: new Set() },
      transcript: undefined,
      todos: [],
    }))
  }

  async stop(runId?: RunId): Promise<void> {
    const run = runId ? this.session.house.run(runId) : this.#run
    const refusal = await run?.stop('stopped by the user')
    if (refusal) this.#notice(refusal.refused)
  }

  async send(runId: RunId, text: string): Promise<void> {
    const sent = await this.session.house.run(runId).say(text)
    if ('refused' in sent) this.#notice(sent.refused)
  }

  get isAtWork(): boolean {
    const root = rootOf(this.#store.screen.house)
    return this.#run !== undefined && root !== undefined && root.status !== 'ended'
  }

  /** Only if it is at work: nothing is begun by it. */
  async tell(text: string): Promise<boolean> {
    if (!this.#run || !this.isAtWork) return false
    await this.send(this.#run.id, text)
    return true
  }

  /** The conversation sums itself up; the next prompt begins a new one with that summary, and the old one stays. */
  async compact(keep: string): Promise<void> {
    if (!this.#run) return this.#notice('there is nothing to compact yet')
    if (rootOf(this.#store.screen.house)?.status !== 'ended')
      return this.#notice('it is at work; compact it when it is done')
    if (this.model.startsWith('offline/')) return this.note([[span(`${this.model} ${cannotSumUp}`, { hue: 'red' })]])
    const run = this.#run
    const sent = await run.say(summaryRequest(keep))
    if ('refused' in sent) return this.#notice(sent.refused)
    const { outcome, text } = await run.result
    if (outcome !== 'completed' || text.trim() === '')
      return this.note([
        [span(`The conversation could not be summed up (${outcome}); it stays as it is.`, { hue: 'red' })],
      ])
    this.#model = (await run.brief())?.model ?? this.#model
    this.clear()
    this.#carried = text
    const words = `Compacted. The next prompt goes on from this summary; /resume ${run.id} finds the whole.`
    this.note([[span(words, { hue: 'green' })]])
  }

  /** One child, or all that the conversation waits for. */
  async toBackground(runId?: RunId): Promise<void> {
    const { house } = this.#store.screen
    const waiting = treeItems(house, true).filter(
      ({ run }) => run.parentId === house.rootId && run.status !== 'ended' && !run.isBackground,
    )
    const wanted = runId ? [runId] : waiting.map(({ run }) => run.runId)
    if (wanted.length === 0) return this.#store.change(nothingWaitedFor)
    for (const each of wanted) {
      const refusal = await this.session.house.toBackground(each)
      this.#notice(refusal ? refusal.refused : 'moved to the background: you can go on')
    }
  }

  /** Lines above the part that changes, for commands that answer by themselves. */
  note(lines: readonly Line[]): void {
    this.#store.print([
      {
        id: `note-${this.#notes++}`,
        draw: width => [[], ...lines.flatMap(line => wrapLine(line, width, hangOf(line, width)))],
      },
    ])
  }

  async close(): Promise<void> {
    this.#stopHearing()
    await this.session.house.close('leave')
  }

  #take(run: RunHandle): void {
    this.#run = run
    this.#store.change(screen => ({ ...screen, house: Object.assign(screen.house, { rootId: run.id }) }))
    this.#printEntries()
  }

  #hear(envelope: Envelope): void {
    this.#store.change(screen => hearScreen(screen, envelope))
    const kept = keptWords(envelope.event)
    if (kept) this.note(textLines(kept, { hue: 'yellow' }))
    if (envelope.runId === this.#store.screen.house.rootId) this.#printEntries()
  }

  #printEntries(): void {
    const { house } = this.#store.screen
    const root = rootOf(house)
    if (!root) return
    const fresh = root.entries.slice(this.#printed)
    this.#printed = root.entries.length
    const look = { glyphs: this.#glyphs, isConversation: true, house }
    this.#store.print(
      fresh.map(entry => ({ id: entry.id, draw: (width: number) => entryLines(entry, { ...look, width }) })),
    )
  }

  async #readPast(store: RunStore, rootId: RunId): Promise<void> {
    const { house } = this.#store.screen
    for (const { runId } of [...(await store.list({ rootId }))].sort((a, b) => a.createdAt - b.createdAt)) {
      house.runs.delete(runId)
      for await (const envelope of store.read(runId)) hearHouse(house, envelope)
    }
  }

  #warn(words: string | undefined): void {
    if (words) this.note(textLines(words, { hue: 'yellow' }))
  }

  #notice(notice: string): void {
    this.#store.change(screen => ({ ...screen, notice }))
  }
}

/** What was approved "always" outlives the conversation, whoever of its runs asked and wherever it was answered. */
function keptWords(event: Envelope['event']): string | undefined {
  if (event.type !== 'approval.resolved' || event.verdict !== 'allow' || event.scope !== 'always') return undefined
  if (event.lasting === undefined) return undefined
  const back = commandLine('offshoot', 'approvals', 'always', '--revoke', visible(event.lasting))
  return `approved "always" in this project: ${visible(event.lasting)}; ${back} takes it back`
}

const cannotSumUp =
  'is a search and cannot sum up a conversation: it stays as it is. /model chooses a language model for a new one.'

const summaryRequest = (keep: string): string =>
  [
    'Sum up this conversation so that somebody can go on from your summary alone: the goal, what was decided and why,',
    'what was done (with paths), what is open, and anything the user asked to keep to. No tools; only the summary.',
    ...(keep ? [`Above all keep: ${keep}`] : []),
  ].join('\n')

const carriedText = (summary: string): string => `What came before, summed up:\n${summary}`

/** True until it hands something on. */
const nothingWaitedFor = (screen: Screen): Screen => ({
  ...screen,
  notice: 'nothing here is waited for',
  ...(screen.house.rootId && { noticeOf: screen.house.rootId, noticeUntil: 'child.started' }),
})
