/**
 * The terminal UI, from opening the session to leaving it. Ink and React are loaded with this file, so that nothing
 * else pays for them.
 */
import { render } from 'ink'
import { offshootDirectories } from '../../adapters/os/directories.js'
import type { MeasuredStore } from '../../adapters/stores/prune.js'
import { type ChosenRun, chooseRun } from '../session/choose-run.js'
import { exitCodes } from '../session/exit-codes.js'
import type { SessionFlags } from '../session/flags.js'
import { keptConflict } from '../session/kept-conflict.js'
import { openSession } from '../session/open-session.js'
import { openRunStore } from '../session/open-store.js'
import { mayUseUnicode, wantsColour } from '../session/paint.js'
import { recoveryNote } from '../session/recovery-note.js'
import { sayDiagnostics } from '../session/say-diagnostics.js'
import type { Streams } from '../session/streams.js'
import { App } from './components/app.js'
import { Conversation } from './conversation.js'
import { historyFile } from './history-file.js'
import { bracketedPaste, openKeyboard } from './keyboard.js'
import { lastWords, watchForFaults } from './last-resort.js'
import { frameHeight } from './model/frame.js'
import { asciiGlyphs, unicodeGlyphs } from './model/glyphs.js'
import { dim, textLines } from './model/line.js'
import { emptyScreen, type Screen } from './model/screen.js'
import { PeoplePorts } from './people-ports.js'
import { ScreenStore } from './screen-store.js'
import { SessionMode } from './session-mode.js'
import { Surroundings } from './surroundings.js'
import { cursor, suspend, whenGoingOn } from './suspend.js'
import { TerminalActions } from './terminal-actions.js'

export interface TerminalRequest {
  readonly prompt: string
  readonly flags: SessionFlags
  readonly cwd: string
}

export async function openTerminal(request: TerminalRequest, streams: Streams): Promise<number> {
  const runs = await openRunStore(streams.env)
  const opened = await openConversation(request, streams, runs)
  if ('fault' in opened) {
    await runs.close()
    streams.stderr.write(`offshoot: ${opened.fault}\n`)
    return exitCodes.usage
  }
  const { conversation, actions } = opened
  const faults = watchForFaults()
  const recovery = opened.wanted ? '' : await recoveryNote(runs, request.cwd, { isConversation: true })
  const screen = openScreen(opened, streams)
  const fault = await faults.during(async () => {
    await begin(opened, request, recovery)
    await screen.left
  })
  await screen.close(fault !== undefined)
  const left = actions.whatIsLeft()
  const isClosed = faults.during(async () => {
    await conversation.close()
    await runs.close()
  })
  const broken = fault ?? (await isClosed)
  if (broken) return lastWords(broken, left, isClosed, streams)
  faults.close()
  streams.stderr.write(left)
  return exitCodes.ok
}

async function begin(
  { conversation, actions, surroundings, wanted }: Opened,
  request: TerminalRequest,
  recovery: string,
) {
  conversation.note(surroundings.welcome(recovery))
  sayDiagnostics(conversation.session.diagnostics, text =>
    conversation.note(textLines(text.trimEnd(), { hue: 'yellow' })),
  )
  surroundings.refresh()
  if (wanted) await conversation.open(wanted.runId)
  if (request.flags.resume === true) actions.begin('/resume')
  if (request.prompt) actions.begin(request.prompt)
}

interface OpenScreen {
  readonly left: Promise<unknown>
  /** Gives the terminal back. `isBroken`: what still comes is thrown away, it was not meant for a shell. */
  close(isBroken: boolean): Promise<void>
}

/** The keyboard is read here and not by Ink, which ends the program at a sequence it does not know. */
function openScreen({ store, actions, surroundings }: Opened, { env }: Streams): OpenScreen {
  const stopTicking = actions.tick()
  process.stdout.write(bracketedPaste.on)
  const ink = render(
    <App
      store={store}
      paper={{ isColoured: wantsColour(process.stdout, env), isAscii: !mayUseUnicode(env) }}
      facts={surroundings.frameFacts}
      onResize={(width, height) => actions.resize(width, height)}
    />,
    { exitOnCtrlC: false, maxFps: 60, patchConsole: false },
  )
  const keyboard = openKeyboard(process.stdin, key => actions.press(key))
  // React draws the screen without its frame first: what is drawn when Ink leaves stays in the terminal.
  actions.onQuit(() => void setImmediate(() => ink.unmount()))
  const stops = whenGoingOn(() => store.redraw())
  actions.onSuspend(() => suspend(stops.goOn))
  const close = async (isBroken: boolean) => {
    stops.close()
    stopTicking()
    surroundings.close()
    if (isBroken) {
      await keyboard.drain()
      ink.unmount()
    }
    keyboard.close()
    process.stdout.write(bracketedPaste.off + (isBroken ? cursor.show : ''))
  }
  return { left: ink.waitUntilExit(), close }
}

interface Opened {
  readonly conversation: Conversation
  readonly store: ScreenStore
  readonly actions: TerminalActions
  readonly surroundings: Surroundings
  readonly wanted: ChosenRun | undefined
}

/**
 * Clears what can be seen; what was scrolled away stays. Line by line: many terminals scroll a screen that is cleared as
 * a whole away, and every frame that was drawn would stay in the scrollback.
 */
const wipe = () => {
  const home = '\u001b[H'
  const lines = Array.from({ length: process.stdout.rows }, () => '\u001b[2K')
  process.stdout.write(`${home}${lines.join('\u001b[1B')}${home}`)
}

async function openConversation(
  { flags, cwd: here }: TerminalRequest,
  { env, stderr }: Streams,
  runs: MeasuredStore,
): Promise<Opened | { readonly fault: string }> {
  const isNamed = flags.continue || (flags.resume !== undefined && flags.resume !== true)
  const wanted = isNamed ? await chooseRun(runs, flags, here, env) : undefined
  if (wanted && 'fault' in wanted) return wanted
  const history = historyFile(offshootDirectories(env).data)
  const glyphs = mayUseUnicode(env) ? unicodeGlyphs : asciiGlyphs
  const empty = emptyScreen(history.read(), process.stdout.columns, process.stdout.rows)
  // The cursor stands on a line of its own below the frame.
  const room = (screen: Screen) => screen.height - frameHeight(screen, glyphs) - 1
  const store = new ScreenStore(empty, { wipe, room })
  const people = new PeoplePorts(store, { isAscii: glyphs === asciiGlyphs })
  const warn = (text: string) => stderr.write(text)
  const cwd = wanted?.cwd ?? here
  // There is a conversation to say it in long before files are watched.
  const sayAgents = (words: string) => conversation.note([[dim(words)]])
  const session = await openSession({ cwd, env, flags, store: runs, warn, sayAgents, ...people.ports })
  if ('fault' in session) return session
  const conflict = wanted && (await keptConflict(session, wanted.runId, flags))
  if (conflict) {
    await session.house.close('leave')
    return { fault: conflict.refused }
  }
  people.connect(session.house)
  const modes = new SessionMode({ session, store, flags })
  const conversation = new Conversation({ session, runs, store, modes, flags, glyphs })
  const surroundings = new Surroundings({ conversation, store, modes, flags, env, glyphs })
  const actions = new TerminalActions({ conversation, store, people, history, surroundings, modes })
  return { conversation, store, actions, surroundings, wanted }
}
