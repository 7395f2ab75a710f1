/** Carries out what a person wishes, and keeps the screen's clock and suggestions up to date. */
import type { RunId } from '../../core/message.js'
import { commandLine } from '../../core/text/shell-word.js'
import { messageOf } from '../../core/thrown.js'
import type { Conversation } from './conversation.js'
import type { HistoryFile } from './history-file.js'
import { modeWords } from './mode-actions.js'
import { rootOf } from './model/house-view.js'
import { type KeyPress, press, type Wish } from './model/keys.js'
import { textLines } from './model/line.js'
import { contextOfKeys, type Screen } from './model/screen.js'
import { readSlashCommand } from './model/slash-command.js'
import { suggest } from './model/suggestions.js'
import type { PeoplePorts } from './people-ports.js'
import type { ScreenStore } from './screen-store.js'
import type { SessionMode } from './session-mode.js'
import { runSlashCommand } from './slash-actions.js'
import type { Surroundings } from './surroundings.js'

export interface TerminalPorts {
  readonly conversation: Conversation
  readonly store: ScreenStore
  readonly people: PeoplePorts
  readonly history: HistoryFile
  readonly surroundings: Surroundings
  readonly modes: SessionMode
}

const tickMs = 100

export class TerminalActions {
  readonly #ports: TerminalPorts
  #quit = () => {}
  #suspend = () => {}

  constructor(ports: TerminalPorts) {
    this.#ports = ports
  }

  onQuit(quit: () => void): void {
    this.#quit = quit
  }

  onSuspend(suspend: () => void): void {
    this.#suspend = suspend
  }

  press(key: KeyPress): void {
    const { store } = this.#ports
    const before = store.screen
    const { screen, wish } = press({ ...before, now: Date.now() }, key)
    store.change(() => (screen.editor === before.editor ? screen : this.#withSuggestions(screen)))
    // A transcript takes the whole terminal: what stood there before is put back.
    if (before.transcript && !screen.transcript) store.redraw()
    if (wish) void this.#carryOut(wish).catch(error => this.#complain(error))
  }

  resize(width: number, height: number): void {
    this.#ports.store.change(screen => ({ ...screen, width, height }))
    this.#ports.store.redraw()
  }

  /** What the command line asks for. */
  begin(text: string): void {
    void this.submit(text).catch(error => this.#complain(error))
  }

  async submit(text: string): Promise<void> {
    const { conversation, store, surroundings, modes, history } = this.#ports
    history.add(text)
    const command = readSlashCommand(text)
    const quit = () => this.#leave()
    if (command) await runSlashCommand(command, { conversation, store, surroundings, modes, quit })
    else await conversation.say(text)
    surroundings.refresh()
  }

  /** Moves the clock while anything moves. Returns how to stop it. */
  tick(): () => void {
    const { store, surroundings } = this.#ports
    let wasBusy = false
    let mode = surroundings.mode
    const timer = setInterval(() => {
      const isBusy = [...store.screen.house.runs.values()].some(run => run.status !== 'ended')
      if (isBusy || wasBusy) store.change(screen => ({ ...screen, now: Date.now() }))
      if (wasBusy !== isBusy || (isBusy && mode !== surroundings.mode)) surroundings.refresh()
      wasBusy = isBusy
      if (isBusy) mode = surroundings.mode
    }, tickMs)
    return () => clearInterval(timer)
  }

  /** What goes on without us, for the last words of the program. */
  whatIsLeft(): string {
    const { conversation, store } = this.#ports
    const root = rootOf(store.screen.house)
    if (!conversation.runId || !root) return ''
    const open = [...store.screen.house.runs.values()].filter(run => run.status !== 'ended')
    const rest = open.length > 0 ? ` (${open.length} unfinished)` : ''
    return `to go on${rest}: ${commandLine('offshoot', '--resume', conversation.runId)}\n`
  }

  async #carryOut(wish: Wish): Promise<void> {
    const { conversation, people } = this.#ports
    switch (wish.do) {
      case 'submit':
        return this.submit(wish.text)
      case 'stop':
        return conversation.stop(wish.runId)
      case 'background':
        return conversation.toBackground(wish.runId)
      case 'send':
        return conversation.send(wish.runId, wish.text)
      case 'approve':
        return people.approve(wish.approvalId, wish.choice, wish.reason)
      case 'answer':
        return people.answer(wish.questionId, wish.text)
      case 'pick':
        return wish.purpose === 'resume' ? conversation.open(wish.id as RunId) : this.submit(`/model ${wish.id}`)
      case 'mode':
        return this.#switchMode()
      case 'quit':
        return this.#leave()
      case 'redraw':
        return this.#ports.store.redraw()
      case 'suspend':
        return this.#suspend()
    }
  }

  async #switchMode(): Promise<void> {
    const { modes, store, surroundings } = this.#ports
    const refusal = await modes.switchOn()
    store.change(screen => ({ ...screen, notice: refusal ?? modeWords(modes.now) }))
    surroundings.refresh()
  }

  #leave(): void {
    this.#ports.store.change(screen => ({ ...screen, isQuitting: true }))
    this.#ports.store.flush()
    this.#quit()
  }

  #withSuggestions(screen: Screen): Screen {
    const context = contextOfKeys(screen)
    if (context !== 'prompt' && context !== 'working') return screen
    const { surroundings } = this.#ports
    if (screen.editor.text.includes('@'))
      surroundings.loadFiles(() => this.#ports.store.change(now => this.#withSuggestions(now)))
    return { ...screen, suggestions: suggest(screen.editor, surroundings.sources()) }
  }

  #complain(error: unknown): void {
    const text = messageOf(error)
    this.#ports.conversation.note(textLines(text, { hue: 'red' }))
  }
}
