/** `offshoot [prompt]`: decides between the terminal UI, one answer, and a stream of prompts, and gathers the prompt. */

import { commandLine } from '../../core/text/shell-word.js'
import { messageOf } from '../../core/thrown.js'
import { chooseRun } from '../session/choose-run.js'
import { exitCodes } from '../session/exit-codes.js'
import type { SessionFlags } from '../session/flags.js'
import { flagConflict } from '../session/flags.js'
import { openSession } from '../session/open-session.js'
import { openRunStore } from '../session/open-store.js'
import { recoveryNote } from '../session/recovery-note.js'
import { sayDiagnostics, toldQuietly } from '../session/say-diagnostics.js'
import type { Streams } from '../session/streams.js'
import { answerWriter } from './answer-format.js'
import { type AskRequest, approverElsewhere, ask } from './ask.js'
import { readStdin } from './read-stdin.js'
import { converse } from './stream-input.js'

export async function answer(words: readonly string[], flags: SessionFlags, streams: Streams): Promise<number> {
  const conflict = flagConflict(flags, words.length > 0)
  if (conflict) return usage(streams, flags, conflict)
  if (isInteractive(flags, streams)) {
    const { openTerminal } = await import('../tui/open-terminal.js')
    return openTerminal({ prompt: words.join(' '), flags, cwd: process.cwd() }, streams)
  }
  if (flags.inputFormat === 'stream-json') return inSession(flags, streams, {})
  const prompt = await gatherPrompt(words, flags, streams)
  return 'fault' in prompt ? usage(streams, flags, prompt.fault) : inSession(flags, streams, prompt)
}

/** A person at both ends, on a terminal that can move its cursor. */
const isInteractive = (flags: SessionFlags, { env }: Streams): boolean =>
  wantsConversation(flags) && env.TERM !== 'dumb' && !env.CI

const wantsConversation = (flags: SessionFlags): boolean =>
  !flags.print &&
  flags.outputFormat === 'text' &&
  flags.inputFormat === 'text' &&
  process.stdin.isTTY === true &&
  process.stdout.isTTY === true

/** Said to whoever sits at a terminal and expects one. */
function whyNoConversation(flags: SessionFlags, { env }: Streams): string {
  if (!wantsConversation(flags)) return ''
  const why = env.TERM === 'dumb' ? 'TERM is "dumb", a terminal that cannot move its cursor' : 'CI is set'
  return `No conversation opens here: ${why}. `
}

async function inSession(flags: SessionFlags, streams: Streams, asked: Asked): Promise<number> {
  const store = await openRunStore(streams.env).catch(error => refuseUnstored(error, flags, streams))
  const isUnprompted = flags.inputFormat === 'text' && !asked.prompt && !asked.context
  const wish = { ...flags, isUnprompted }
  const wanted = flags.continue || flags.resume ? await chooseRun(store, wish, process.cwd(), streams.env) : undefined
  if (wanted && 'fault' in wanted) {
    await store.close()
    return usage(streams, flags, wanted.fault)
  }
  if (!flags.quiet && !wanted) streams.stderr.write(await recoveryNote(store, process.cwd(), { isConversation: false }))
  const session = await openSession({
    cwd: wanted?.cwd ?? process.cwd(),
    env: streams.env,
    flags,
    store,
    warn: text => streams.stderr.write(text),
    ...(flags.waitForApproval && { approver: approverElsewhere }),
  })
  if ('fault' in session) {
    await store.close()
    return usage(streams, flags, session.fault)
  }
  const { diagnostics } = session
  sayDiagnostics(flags.quiet ? toldQuietly(diagnostics) : diagnostics, text => void streams.stderr.write(text))
  try {
    const resume = wanted?.runId
    if (flags.inputFormat === 'stream-json') {
      return await converse({ flags, resume }, streams, session, process.stdin)
    }
    return await ask({ ...asked, cwd: session.cwd, flags, resume }, streams, session)
  } finally {
    await session.house.close('leave')
    await store.close()
  }
}

type Asked = Pick<AskRequest, 'prompt' | 'context'>

/** Words first, then what was piped in: the prompt is the question, the rest is what it is about. */
async function gatherPrompt(
  words: readonly string[],
  flags: SessionFlags,
  streams: Streams,
): Promise<Asked | { readonly fault: string }> {
  const isDash = words.length === 1 && words[0] === '-'
  const typed = isDash ? '' : words.join(' ').trim()
  const piped = await readStdin(process.stdin, {
    isOptional: typed !== '' || flags.continue === true || flags.resume !== undefined,
  })
  if ('fault' in piped) return piped
  if (piped.wasSilent && !flags.quiet)
    streams.stderr.write('offshoot: nothing came on stdin, so it is left out; "< /dev/null" says so at once.\n')
  const context = piped.text.trim()
  const canGoOn = flags.continue || flags.resume !== undefined
  if (typed === '' && context === '' && !canGoOn)
    return {
      fault: `What should I do? ${whereThePromptWent(flags) ?? `${whyNoConversation(flags, streams)}${giveOne}`}`,
    }
  return { ...(typed && { prompt: typed }), ...(context && { context }) }
}

const giveOne = 'Give a prompt, for example: offshoot -p "Where are tools filtered?"'

/** An option that takes a list takes the prompt as well. */
function whereThePromptWent(flags: SessionFlags): string | undefined {
  const lists = [
    ['--allowedTools', flags.allowedTools],
    ['--disallowedTools', flags.disallowedTools],
    ['--add-dir', flags.addDir],
  ] as const
  const taker = lists.find(([, words]) => (words?.length ?? 0) > 1)
  return (
    taker &&
    `${taker[0]} takes every word behind it: put -- before the prompt, as in: ${taker[0]} ${commandLine(taker[1]![0]!)} -- "…"`
  )
}

/** A program that asked for a document gets one; a person is told where whatever is thrown is told. */
function refuseUnstored(error: unknown, { outputFormat }: SessionFlags, { stdout }: Streams): never {
  answerWriter(outputFormat, stdout).refuse({ rule: 'store-unavailable', refused: messageOf(error) })
  throw error
}

/** Said to a person, and to a program in the format it asked for. */
function usage(streams: Streams, { outputFormat }: Pick<SessionFlags, 'outputFormat'>, text: string): number {
  streams.stderr.write(`offshoot: ${text}\n`)
  answerWriter(outputFormat, streams.stdout).refuse({ rule: 'wrong-usage', refused: text })
  return exitCodes.usage
}
