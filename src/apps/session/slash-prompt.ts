/** A prompt as it was typed: a command that people wrote is filled in, mentions are looked up, as in a conversation. */
import { homeDirectory, offshootDirectories } from '../../adapters/os/directories.js'
import { projectRoot } from '../../adapters/os/project-root.js'
import type { Diagnostic } from '../../core/ports.js'
import { didYouMean } from '../../core/text/nearest.js'
import { commandLine, visible } from '../../core/text/shell-word.js'
import { fillCommand, readSlashCommand, slashCommands } from '../tui/model/slash-command.js'
import { loadCustomCommands } from './custom-commands.js'
import { type Expanded, expandCommand, expandMentions, fileReader } from './mentions.js'
import type { Session } from './open-session.js'

export interface TypedIn {
  readonly session: Session
  readonly env: Readonly<Record<string, string | undefined>>
  readonly trustsProject: boolean
}

/** What is no command goes out as it is, and a remark says so; a path such as `/etc/hosts` is none to begin with. */
export async function expandPrompt(text: string, { session, env, trustsProject }: TypedIn): Promise<Expanded> {
  const { house, cwd, trust, pluginCommands } = session
  const sources = { agents: house.catalog(), read: fileReader(cwd), cwd }
  const typed = readSlashCommand(text)
  if (!typed) return expandMentions(text, sources)
  const { commands, untrusted } = loadCustomCommands({
    projectDir: projectRoot(cwd),
    home: homeDirectory(env),
    configDir: offshootDirectories(env).config,
    trust,
    trustsProject,
    plugins: pluginCommands,
  })
  const { name, rest } = typed
  const isOfTerminal = slashCommands.some(command => command.name === name)
  const custom = isOfTerminal ? undefined : commands.find(command => command.name === name)
  if (custom) {
    const filled = fillCommand(custom.body, rest)
    return custom.reach
      ? expandCommand(filled, { name, rest, reach: custom.reach }, sources)
      : expandMentions(filled, sources)
  }
  const asItIs = expandMentions(text, sources)
  const near = didYouMean(
    name,
    commands.map(command => command.name),
  )
  const waits = untrusted.length > 0 ? ' Commands of this folder are not trusted yet: offshoot trust.' : ''
  const off = ofPluginOff(name, session.diagnostics)
  const why = isOfTerminal
    ? `/${name} is a command of the terminal UI`
    : `there is no command /${name}${near ? ` (did you mean /${near}?)` : ''}`
  return { ...asItIs, remarks: [`${why}, so it is sent as text.${off ? ` ${off}` : ''}${waits}`, ...asItIs.remarks] }
}

/** `/plug:say` of a plugin that is there and off: why, and how it is let in. */
export function ofPluginOff(command: string, diagnostics: readonly Diagnostic[]): string | undefined {
  const [plugin, ...rest] = command.split(':')
  if (rest.length === 0) return undefined
  const step = commandLine('offshoot', 'plugins', 'trust', plugin!)
  const found = diagnostics.find(({ code, hint }) => /^plugin-(untrusted|changed)$/.test(code) && hint === step)
  return found && `${capitalised(visible(found.message))}; to let it in: ${step}.`
}

const capitalised = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
