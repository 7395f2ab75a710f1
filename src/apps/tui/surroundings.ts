/** What lies around a conversation: the folder, its commands and files, the mode, the user's own status line. */
import { homeDirectory, offshootDirectories } from '../../adapters/os/directories.js'
import { projectRoot } from '../../adapters/os/project-root.js'
import { findSetting } from '../../core/settings/settings.js'
import { oneLine } from '../../core/text/text.js'
import { type CustomCommand, loadCustomCommands } from '../session/custom-commands.js'
import type { SessionFlags } from '../session/flags.js'
import { shortWhyNot, unusableAgents } from '../session/mentions.js'
import { version } from '../session/version.js'
import type { Conversation } from './conversation.js'
import { fileIndex } from './file-index.js'
import type { FrameFacts } from './model/frame.js'
import type { Glyphs } from './model/glyphs.js'
import { bold, dim, type Line, span } from './model/line.js'
import { hasPlaces, type SlashCommand, slashCommands } from './model/slash-command.js'
import type { SuggestionSources } from './model/suggestions.js'
import type { ScreenStore } from './screen-store.js'
import { sessionJson } from './session-json.js'
import type { SessionMode } from './session-mode.js'
import { type StatusCommand, statusCommand } from './status-command.js'

export interface SurroundingsOptions {
  readonly conversation: Conversation
  readonly store: ScreenStore
  readonly modes: SessionMode
  readonly flags: SessionFlags
  readonly env: Readonly<Record<string, string | undefined>>
  readonly glyphs: Glyphs
}

export class Surroundings {
  readonly commands: readonly CustomCommand[]
  readonly #options: SurroundingsOptions
  readonly #home: string
  readonly #files: ReturnType<typeof fileIndex>
  readonly #status: StatusCommand | undefined
  readonly #startedAt = Date.now()
  readonly #untrusted: number

  constructor(options: SurroundingsOptions) {
    const { conversation, flags, env } = options
    const { cwd, trust, pluginCommands } = conversation.session
    this.#options = options
    this.#home = homeDirectory(env)
    this.#files = fileIndex(cwd)
    const { commands, untrusted } = loadCustomCommands({
      projectDir: projectRoot(cwd),
      home: this.#home,
      configDir: offshootDirectories(env).config,
      trust,
      trustsProject: flags.trustProject === true,
      plugins: pluginCommands,
    })
    this.commands = commands
    this.#untrusted = untrusted.length
    this.#status = this.#ownStatus()
  }

  /** As the next call is judged. */
  get mode(): string {
    return this.#options.modes.now
  }

  readonly frameFacts = (): FrameFacts => {
    const { conversation, glyphs } = this.#options
    const { house, cwd } = conversation.session
    const { model } = conversation
    const isHome = cwd === this.#home || cwd.startsWith(`${this.#home}/`)
    return {
      glyphs,
      mode: this.mode,
      model,
      cwd: isHome ? `~${cwd.slice(this.#home.length)}` : cwd,
      contextWindow: house.models.infos.find(info => info.id === model)?.contextWindow,
    }
  }

  readonly sources = (): SuggestionSources => {
    const catalog = this.#options.conversation.session.house.catalog()
    return {
      commands: [...slashCommands, ...this.commands.map(withPlaces)],
      agents: [
        ...catalog.offered().map(agent => ({ name: agent.name, about: agent.description ?? '' })),
        ...unusableAgents(catalog).map(entry => ({ name: entry.agent.name, about: shortWhyNot(entry) })),
      ],
      files: this.#files.files(),
    }
  }

  /** Looks up the files once; calls back when they are there. */
  loadFiles(onLoaded: () => void): void {
    this.#files.load(onLoaded)
  }

  /** Something changed that a status line may show. */
  refresh(): void {
    this.#status?.refresh()
  }

  close(): void {
    this.#status?.close()
  }

  welcome(recovery: string): readonly Line[] {
    const { model, cwd } = this.frameFacts()
    const { defaultModel } = this.#options.conversation.session.house.models
    const unfinished = recovery.split('\n').filter(line => line.trim() !== '')
    const untrusted = {
      agents: this.#options.conversation.session.house
        .catalog()
        .all()
        .filter(({ agent }) => agent.source.scope === 'project' && !agent.source.isTrusted).length,
      commands: this.#untrusted,
    }
    return [
      [bold('Offshoot'), dim(` ${version}`)],
      [dim(`${cwd}  ${model}`)],
      ...(model === defaultModel.id ? [[dim(oneLine(defaultModel.why, 200))]] : []),
      ...Object.entries(untrusted).flatMap(([what, count]): Line[] =>
        count > 0 ? [[span(`${what} of this folder that are not trusted: ${count} (offshoot trust)`, yellow)]] : [],
      ),
      ...unfinished.map((text): Line => [span(text, yellow)]),
    ]
  }

  /** Only from settings that count: the user's own, or trusted ones. */
  #ownStatus(): StatusCommand | undefined {
    const { conversation, store, env } = this.#options
    const { session } = conversation
    const value = findSetting(session.settings, 'statusLine')?.value as { readonly command?: unknown } | undefined
    if (typeof value?.command !== 'string') return undefined
    const facts = () => ({
      runId: conversation.runId,
      model: conversation.model,
      cwd: session.cwd,
      projectDir: projectRoot(session.cwd),
      version,
      mode: this.mode,
      agent: session.agent,
      startedAt: this.#startedAt,
    })
    const show = (ownStatus: string) => store.change(screen => ({ ...screen, ownStatus }))
    return statusCommand(value.command, () => sessionJson(store.screen, facts()), show, env)
  }
}

/** A command that has places to fill in takes arguments, also where it does not say which. */
const withPlaces = (command: CustomCommand): SlashCommand =>
  command.arguments === undefined && hasPlaces(command.body) ? { ...command, arguments: '' } : command

const yellow = { hue: 'yellow' } as const
