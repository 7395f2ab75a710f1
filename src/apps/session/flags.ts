/** The options of a session: how they are written, and what they come to. Whatever is wrong is one sentence. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { PermissionMode } from '../../core/agent-definition.js'
import { type OutputFormat, outputFormats } from '../cli/answer-format.js'

export interface SessionFlags {
  readonly print?: boolean
  readonly outputFormat: OutputFormat
  readonly inputFormat: 'text' | 'stream-json'
  readonly continue?: boolean
  /** `true`: asked for without an id, to be chosen from a list. */
  readonly resume?: string | true
  readonly forkSession?: boolean
  readonly model?: string
  readonly agent?: string
  /** These four: JSON, or the name of a file that holds it. */
  readonly agents?: string
  readonly maxTurns?: number
  readonly maxBudgetUsd?: number
  readonly jsonSchema?: string
  readonly allowedTools?: readonly string[]
  readonly disallowedTools?: readonly string[]
  readonly permissionMode?: PermissionMode
  readonly mcpConfig?: readonly string[]
  readonly settings?: readonly string[]
  readonly appendSystemPrompt?: string
  readonly addDir?: readonly string[]
  /** False with `--no-wait`. */
  readonly wait: boolean
  readonly waitForApproval?: boolean
  readonly trustProject?: boolean
  readonly quiet?: boolean
  readonly verbose?: boolean
}

export function addSessionOptions(command: Command): Command {
  return command
    .option('-p, --print', 'answer once and exit; also when the output is no terminal')
    .addOption(
      new Option('--output-format <format>', 'how the answer is written').choices(outputFormats).default('text'),
    )
    .addOption(
      new Option('--input-format <format>', 'stream-json: one JSON message a line on stdin')
        .choices(['text', 'stream-json'])
        .default('text'),
    )
    .option('-c, --continue', 'go on with the last conversation of this directory')
    .option('-r, --resume [run]', 'go on with a run; without an id, choose one')
    .option('--fork-session', 'with -c or -r: go on in a copy, and leave the old one as it is')
    .option('--model <model>', 'an alias (haiku, sonnet, opus) or provider/model')
    .option('--agent <name>', 'which agent to be (main)')
    .option('--agents <json>', 'further agents: {"name": {"description": …, "prompt": …}}')
    .option('--max-turns <n>', 'at most this many turns', wholeNumber)
    .option('--max-budget-usd <amount>', 'spend at most this much, children included', amount)
    .option('--json-schema <schema>', 'the answer has to fit this JSON Schema (JSON, or a file)')
    .option('--allowedTools <rules...>', 'calls that need no approval: Read "Bash(git *)"')
    .option('--disallowedTools <rules...>', 'calls that are denied')
    .addOption(new Option('--permission-mode <mode>', 'how calls without a rule are judged').choices(permissionModes))
    .option('--mcp-config <file>', 'MCP servers from a file or JSON (may be repeated)', repeated)
    .option('--settings <file>', 'further settings from a file or JSON (may be repeated)', repeated)
    .option('--append-system-prompt <text>', 'added to the system prompt')
    .option('--add-dir <directories...>', 'further directories to work in')
    .option('--no-wait', 'do not wait for background children: they can be resumed')
    .option('--wait-for-approval', 'without a terminal: wait for "offshoot approvals answer" instead of denying')
    .option('--trust-project', 'let agents, hooks and settings of this folder act, this time')
    .option('-q, --quiet', 'no progress on stderr')
    .option('--verbose', 'every tool call on stderr')
}

/** Collects the values of an option that may be given more than once. */
export const repeated = (value: string, before: readonly string[] = []): readonly string[] => [...before, value]

/** The format that a command line asks for, also where it is wrong elsewhere. */
export function askedFormat(argv: readonly string[]): OutputFormat {
  const end = argv.indexOf('--')
  const words = end < 0 ? argv : argv.slice(0, end)
  const asked = words.flatMap((word, at) =>
    word === '--output-format' ? [words[at + 1]] : (/^--output-format=(.*)$/.exec(word)?.slice(1) ?? []),
  )
  return outputFormats.find(format => format === asked.at(-1)) ?? 'text'
}

const permissionModes: readonly PermissionMode[] = ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions']

/** What cannot be asked for together; undefined when all is well. */
export function flagConflict(flags: SessionFlags, hasPrompt: boolean): string | undefined {
  if (flags.continue && flags.resume) return '--continue and --resume cannot be used together.'
  if (flags.forkSession && !flags.continue && !flags.resume)
    return '--fork-session needs a conversation to copy: add --continue or --resume <run>.'
  if (flags.inputFormat === 'stream-json' && flags.outputFormat !== 'stream-json')
    return '--input-format stream-json needs --output-format stream-json.'
  if (flags.inputFormat === 'stream-json' && hasPrompt)
    return 'With --input-format stream-json the prompts come on stdin; leave the prompt out.'
  return undefined
}

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text) || Number(text) < 1 || Number(text) > 200)
    throw new InvalidArgumentError('A whole number from 1 to 200 is needed.')
  return Number(text)
}

function amount(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value) || value <= 0)
    throw new InvalidArgumentError('An amount in US dollars above 0 is needed, for example 0.50.')
  return value
}
