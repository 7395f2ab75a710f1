/** Commands and options. Each command loads its own room. */
import { Command, Option } from 'commander'
import { type OutputFormat, outputFormats } from './answer-format.js'
import { exitCodes } from './exit-codes.js'
import { version } from './version.js'

interface Flags {
  readonly print?: boolean
  readonly outputFormat: OutputFormat
  readonly model?: string
  readonly agent?: string
  readonly resume?: string
  readonly quiet?: boolean
  readonly permissionMode?: 'default' | 'acceptEdits' | 'plan' | 'dontAsk' | 'bypassPermissions'
  readonly addDir?: readonly string[]
  readonly maxTurns?: string
}

export function program(): Command {
  const command = new Command('offshoot')
    .description('A subagent system: hand work to specialised child agents, safely, in parallel, across crashes.')
    .argument('[prompt...]', 'what to do; more can come on stdin')
    .option('-p, --print', 'answer once and exit')
    .addOption(
      new Option('--output-format <format>', 'how the answer is written').choices(outputFormats).default('text'),
    )
    .option('--model <model>', 'an alias or provider/model')
    .option('--agent <name>', 'which agent to be', 'main')
    .option('-r, --resume <run>', 'go on with a run')
    .option('--max-turns <n>', 'at most this many turns')
    .addOption(
      new Option('--permission-mode <mode>', 'how calls without a rule are judged').choices([
        'default',
        'acceptEdits',
        'plan',
        'dontAsk',
        'bypassPermissions',
      ]),
    )
    .option('--add-dir <directory...>', 'further directories to work in')
    .option('-q, --quiet', 'no progress on stderr')
    .version(version, '-v, --version')
    .showSuggestionAfterError()
    .exitOverride(error => process.exit(error.exitCode === 0 ? exitCodes.ok : exitCodes.usage))
    .action(async (words: readonly string[], flags: Flags) => {
      process.exitCode = await answer(words, flags)
    })
  return command
}

async function answer(words: readonly string[], flags: Flags): Promise<number> {
  const piped = process.stdin.isTTY ? '' : await readAll(process.stdin)
  const prompt = [words.join(' '), piped.trim()].filter(Boolean).join('\n\n')
  if (prompt === '') {
    process.stderr.write(
      'offshoot: what should I do? Give a prompt, for example: offshoot -p "Where are tools filtered?"\n',
    )
    return exitCodes.usage
  }
  const { ask } = await import('./ask.js')
  const maxTurns = flags.maxTurns === undefined ? undefined : Number(flags.maxTurns)
  return ask(
    {
      prompt,
      agent: flags.agent,
      model: flags.model,
      format: flags.outputFormat,
      isQuiet: flags.quiet,
      resume: flags.resume,
      node: {
        addedDirectories: flags.addDir,
        policy: { ...(flags.permissionMode && { mode: flags.permissionMode }), ...(maxTurns && { maxTurns }) },
      },
    },
    { stdout: text => void process.stdout.write(text), stderr: process.stderr, env: process.env, onInterrupt },
  )
}

/** Ctrl+C once stops the run and keeps what it has; twice leaves at once. */
function onInterrupt(stop: () => void): () => void {
  let times = 0
  const hear = () => {
    times += 1
    if (times > 1) process.exit(exitCodes.interrupted)
    stop()
  }
  process.on('SIGINT', hear)
  return () => void process.off('SIGINT', hear)
}

async function readAll(stream: NodeJS.ReadStream): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
