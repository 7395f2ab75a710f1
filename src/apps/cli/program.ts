/** Commands and options. Each command loads its own room when it is called. */
import { Argument, Command, CommanderError } from 'commander'
import { storeCommand } from '../session/commands-for.js'
import { exitCodes } from '../session/exit-codes.js'
import { addSessionOptions, askedFormat, type SessionFlags } from '../session/flags.js'
import { processStreams, type Streams } from '../session/streams.js'
import { version } from '../session/version.js'
import { answerWriter, type OutputFormat } from './answer-format.js'
import { processDeps } from './command-deps.js'
import { guessCommand } from './command-guess.js'
import { withCounterpart } from './counterparts.js'
import { addCommands, knownCommands } from './program-commands.js'

export async function runProgram(argv: readonly string[]): Promise<void> {
  const streams = processStreams()
  try {
    const asked = askedHelp(argv) ?? argv
    await (await program(streams, asked)).parseAsync(withList(asked), { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
      if (error.exitCode !== 0) refuseIn(sessionFormat(argv), streams, error.message.replace(/^error: /, ''))
    } else {
      streams.stderr.write(`offshoot: ${faultText(error)}\n`)
      if (process.env.OFFSHOOT_DEBUG && error instanceof Error) streams.stderr.write(`${error.stack}\n`)
      process.exitCode = exitCodes.error
    }
  }
}

/** Commands have formats of their own. */
const sessionFormat = (argv: readonly string[]): OutputFormat =>
  knownCommands.some(({ name }) => name === argv[0]) ? 'text' : askedFormat(argv)

/** A program that asked for a document gets one, whatever was wrong. */
const refuseIn = (format: OutputFormat, { stdout }: Streams, refused: string): void =>
  answerWriter(format, stdout).refuse({ rule: 'wrong-usage', refused })

function faultText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return (error as NodeJS.ErrnoException).syscall === 'uv_cwd'
    ? 'the directory you are in does not exist any more: go to one that does.'
    : `${error.message}${storeCommand(error)}`
}

/** `help`, `help agents new`: what `--help` of that command says. Undefined for what reads like a prompt: `help me`. */
export function askedHelp(argv: readonly string[]): readonly string[] | undefined {
  const [first, ...path] = argv
  if (first !== 'help') return undefined
  if (path.length === 0) return ['--help']
  const command = knownCommands.find(({ name }) => name === path[0])
  const isKnown = command && path.slice(1).every((word, at) => at === 0 && command.subcommands.includes(word))
  return isKnown ? [...path, '--help'] : undefined
}

/** A command that can list shows its list when it stands alone. */
function withList(argv: readonly string[]): string[] {
  const isBare = argv.length === 1 && knownCommands.find(({ name }) => name === argv[0])?.subcommands.includes('list')
  return isBare ? [...argv, 'list'] : [...argv]
}

export async function program(streams: Streams, argv: readonly string[]): Promise<Command> {
  const command = new Command('offshoot')
    .description('A subagent system: hand work to specialised child agents, safely, in parallel, across crashes.')
    .argument('[prompt...]', 'what to do; "-" reads it from stdin, anything else piped in is context')
    .version(version, '-v, --version')
    .showSuggestionAfterError()
    .showHelpAfterError('(the same with --help shows what it takes)')
    .configureOutput({
      writeOut: streams.stdout,
      writeErr: text => void streams.stderr.write(text),
      outputError: (text, write) => write(withCounterpart(text.replace(/^error: /, 'offshoot: '), argv)),
    })
    .exitOverride()
    // Options after a command's name are the command's own.
    .enablePositionalOptions()
  addSessionOptions(command)
  command.addHelpText('after', exitHelp)
  const options = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv
  const isForHelp = options.includes('--help') || options.includes('-h')
  await addCommands(command, argv, processDeps(streams, isForHelp))
  if (isForHelp || argv.includes('completion')) listWords(command)
  command.action(async (words: readonly string[], flags: SessionFlags) => {
    // Who says which conversation or agent it is for means a prompt.
    const isPrompt = flags.print || flags.continue || flags.resume || flags.forkSession || flags.agent !== undefined
    const guess = isPrompt || argv.includes('--') ? undefined : guessCommand(words, knownCommands)
    if (guess) {
      streams.stderr.write(`offshoot: ${guess}\n`)
      refuseIn(flags.outputFormat, streams, guess)
      process.exitCode = exitCodes.usage
      return
    }
    const { answer } = await import('./answer.js')
    process.exitCode = await answer(words, flags, streams)
  })
  return command
}

/** To be shown and completed: both are answered before commander is asked, so that `-p help` stays a prompt. */
function listWords(command: Command): void {
  command.command('version').description('print the version')
  const names = new Argument('[command...]').choices(knownCommands.map(({ name }) => name))
  command.command('help').description('show what a command takes').addArgument(names)
}

const exitHelp = `
Without -p, in a terminal, a conversation opens.

Exit codes:
  0 answered          4 a permission was needed and nobody was there to ask
  1 failed            130 interrupted
  2 wrong usage       141 nobody read the rest
  3 limit or budget   143 terminated
    reached (with what there was as the answer)

Examples:
  offshoot                                   a conversation in this folder
  offshoot -p "Where are retries handled?"   one answer, on stdout
  git diff | offshoot -p "Review this"       what is piped in is context
  offshoot -c                                go on where you left off
  offshoot -p --allowedTools "Bash(npm test)" -- "Run the tests"
  offshoot --agent Explore -p "How does the login work?"
  offshoot trust                             what this folder would bring along
  offshoot doctor                            what is here and what is missing`
