/**
 * `offshoot trust`: shows what a folder brings along that could act (agents, skills, servers, settings), and
 * trusts exactly that, by content. A file that changes afterwards is untrusted again.
 */

import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { openGround } from '../../../adapters/ground/ground.js'
import { agentsDirs } from '../../../adapters/ground/named-folders.js'
import { loadMcpServers } from '../../../adapters/mcp/mcp-files.js'
import { contentHash } from '../../../adapters/os/content-hash.js'
import { homeDirectory, offshootDirectories } from '../../../adapters/os/directories.js'
import { projectRoot } from '../../../adapters/os/project-root.js'
import { openAgentsOnDisk } from '../../../adapters/sources/agents-on-disk.js'
import { loadSkills } from '../../../adapters/sources/skills.js'
import type { TrustStore } from '../../../adapters/sources/trust.js'
import type { FileState } from '../../../core/agent-file/read-agent-file.js'
import type { Diagnostic } from '../../../core/ports.js'
import type { Settings } from '../../../core/settings/settings.js'
import { visible } from '../../../core/text/shell-word.js'
import { counted } from '../../../core/text/text.js'
import { columns, wrapWords } from '../../session/columns.js'
import { commandFiles, strayCommands } from '../../session/custom-commands.js'
import { exitCodes } from '../../session/exit-codes.js'
import { errorsIn, sayDiagnostics } from '../../session/say-diagnostics.js'
import { askAtTerminal } from '../ask-at-terminal.js'
import { type CommandDeps, refusedInsideRun } from '../command-deps.js'
import {
  agentDeeds,
  commandDeeds,
  serverDeeds,
  settingsDeeds,
  shortened,
  shownDeeds,
  textDeeds,
} from './trust-deeds.js'

interface TrustOptions {
  readonly yes?: boolean
  readonly list?: boolean
  readonly json?: boolean
  readonly revoke?: boolean
}
export interface TrustItem {
  readonly kind: string
  readonly path: string
  /** What trust is given to. */
  readonly owner: string
  readonly hash: string
  readonly isTrusted: boolean
  /** What it would do, one thing a line, as it stands in the file. */
  readonly does?: readonly string[]
  /** Why nobody can read what it would do: such a file is not trusted. */
  readonly fault?: string
}

export function registerTrustCommand(program: Command, deps: CommandDeps): void {
  program
    .command('trust')
    .description('look at what this folder brings along, and let it act')
    .option('--yes', 'trust all of it without asking')
    .option('--list', 'only show it')
    .option('--json', 'with --list: print as JSON')
    .option('--revoke', 'trust nothing of this folder any more')
    .action(async (options: TrustOptions) => deps.setExitCode(await trustFolder(options, deps)))
}

export async function trustFolder(options: TrustOptions, deps: CommandDeps): Promise<number> {
  if (!options.list && refusedInsideRun(deps, 'trusting a folder')) return exitCodes.permission
  const { items, trust, diagnostics } = await trustItems(deps)
  sayDiagnostics([...errorsIn(diagnostics), ...noServers(diagnostics), ...strayCommands(deps)], deps.warn)
  const fault = trust.fault?.()
  if (fault !== undefined) {
    deps.warn(`offshoot: ${options.list ? 'what you trust does not count' : 'nothing was changed'}: ${fault}\n`)
    return exitCodes.error
  }
  if (options.revoke) {
    for (const owner of new Set([projectRoot(deps.cwd), ...items.map(item => item.owner)])) trust.revoke(owner)
    deps.warn(`Nothing in ${projectRoot(deps.cwd)} is trusted any more.\n`)
    return exitCodes.ok
  }
  if (options.json) return listAsJson(items, options, deps)
  if (items.length === 0) {
    deps.warn('This folder brings nothing along that could act: no agents, no settings.\n')
    return exitCodes.ok
  }
  showItems(items, deps)
  const broken = items.filter(({ fault }) => fault !== undefined).length
  const fresh = items.filter(({ isTrusted, fault }) => !isTrusted && fault === undefined)
  if (options.list) return exitCodes.ok
  if (broken > 0)
    deps.warn(`offshoot: ${counted(broken, 'file')} broken, and not trusted: mend what is named above first.\n`)
  if (fresh.length === 0) return broken > 0 ? exitCodes.error : exitCodes.ok
  if (!(options.yes || (await isAgreed(fresh.length, deps)))) {
    deps.warn('Nothing was changed.\n')
    return exitCodes.error
  }
  for (const owner of new Set(fresh.map(item => item.owner)))
    trust.trust(
      owner,
      fresh.filter(item => item.owner === owner).map(item => item.hash),
      Object.fromEntries(items.filter(item => item.owner === owner).map(item => [item.path, item.hash])),
    )
  deps.warn(`${fresh.length} trusted, as ${fresh.length === 1 ? 'it is' : 'they are'} now.\n`)
  return broken > 0 ? exitCodes.error : exitCodes.ok
}

function showItems(items: readonly TrustItem[], { look, write, width, isTerminal }: CommandDeps): void {
  const state = ({ isTrusted, fault }: TrustItem) =>
    fault !== undefined ? look.red('broken') : isTrusted ? look.green('trusted') : look.yellow('not trusted')
  const rows = columns(items.map(item => [item.kind, state(item), visible(item.path)])).split('\n')
  const deedsOf = ({ isTrusted, fault, does = [] }: TrustItem) =>
    fault !== undefined ? [visible(fault)] : isTrusted ? [] : shownDeeds(does)
  const linesOf = (deed: string) => (isTerminal ? wrapWords(deed, width - 6) : [deed])
  for (const [at, item] of items.entries()) {
    const lines = deedsOf(item).flatMap(deed =>
      linesOf(deed).map((line, part) => `    ${part === 0 ? '' : '  '}${line}`),
    )
    write([rows[at], ...lines, ''].join('\n'))
  }
}

const noServers = (diagnostics: readonly Diagnostic[]) => diagnostics.filter(({ code }) => code === 'mcp-no-json')

function listAsJson(items: readonly TrustItem[], { list }: TrustOptions, deps: CommandDeps): number {
  if (!list) {
    deps.warn('offshoot: --json is for --list; nothing was changed.\n')
    return exitCodes.usage
  }
  const shown = items.map(({ kind, path, isTrusted, does = [], fault }) => ({
    kind,
    path,
    isTrusted,
    does: does.map(shortened),
    ...(fault !== undefined && { fault }),
  }))
  deps.write(`${JSON.stringify(shown, null, 2)}\n`)
  return exitCodes.ok
}

/** Everything of a project that acts only when trusted. */
export async function trustItems({ cwd, env }: Pick<CommandDeps, 'cwd' | 'env'>): Promise<{
  readonly items: readonly TrustItem[]
  readonly trust: TrustStore
  readonly diagnostics: readonly Diagnostic[]
}> {
  const { settings, trust } = await openGround({ cwd, env })
  // What the project's settings would name once they are trusted is shown, and trusted, together with them.
  const { settings: ifTrusted } = await openGround({ cwd, env, trustsProject: true })
  const folders = { agentsDirs: agentsDirs({ cwd, env }, ifTrusted) }
  const { files } = await openAgentsOnDisk({ cwd, env, trust, folders }).load()
  const root = projectRoot(cwd)
  const { items: brought, diagnostics } = await broughtAlong(root, env, settings, trust)
  const isProject = (path: string) => path.startsWith(`${root}/`)
  return {
    trust,
    diagnostics: [...settings.diagnostics, ...diagnostics],
    items: [
      // What is shown of a file is what is trusted: the hash is of the same reading.
      ...ifTrusted.files
        .filter(({ path }) => isProject(path))
        .map(({ path, hash }) => ({
          ...{ kind: 'settings', path, owner: root, hash, does: settingsDeeds(ifTrusted, path) },
          isTrusted: settings.files.some(each => each.path === path && each.hash === hash && each.isTrusted),
          ...brokenSettings(ifTrusted, path),
        })),
      ...files
        .filter(({ source, reading }) => source.scope === 'project' && source.contentHash && isAgentFile(reading))
        .map(({ reading, source, folder }) => ({
          kind: 'agent',
          path: reading.path,
          owner: folder.owner,
          hash: source.contentHash!,
          isTrusted: source.isTrusted,
          does: agentDeeds(reading.agents.flatMap(({ agent }) => agent ?? [])),
        })),
      ...brought,
      ...commandFiles(root).map(({ path, hash, bytes }) => ({
        kind: 'command',
        path,
        owner: root,
        hash,
        isTrusted: trust.isTrusted(root, hash, path),
        does: commandDeeds(bytes.toString('utf8')),
      })),
    ],
  }
}

/** A document among them does nothing that could be trusted. */
const isAgentFile = ({ state }: { readonly state: FileState }): boolean => state !== 'not-an-agent'

/** Trusted, it would only keep the program from starting: nobody knows which denials are in it. */
function brokenSettings({ diagnostics }: Settings, path: string): Pick<TrustItem, 'fault'> {
  const fault = diagnostics.find(({ code, file }) => code === 'settings-no-json' && file === path)
  return fault ? { fault: fault.message } : {}
}

/** Servers and skills of the project. */
async function broughtAlong(
  root: string,
  env: CommandDeps['env'],
  settings: Settings,
  trust: TrustStore,
): Promise<{ readonly items: readonly TrustItem[]; readonly diagnostics: readonly Diagnostic[] }> {
  const { config: configDir } = offshootDirectories(env)
  const { file, servers, diagnostics } = await loadMcpServers({
    projectDir: root,
    settings,
    trust: { isTrusted: () => true },
  })
  const { files } = await loadSkills({ projectDir: root, home: homeDirectory(env), configDir, trust })
  const items = [
    ...(file
      ? [
          {
            ...{ kind: 'servers', owner: root, path: file.path, hash: file.hash },
            isTrusted: trust.isTrusted(root, file.hash, file.path),
            does: serverDeeds(servers.filter(({ origin }) => origin === file.path)),
          },
        ]
      : []),
    ...files.map(skill => ({ kind: 'skill', owner: root, ...skill, does: textDeeds(textOf(skill)) })),
  ]
  return { items, diagnostics }
}

/** Nothing where it is another by now: what is shown of a file is what is trusted. */
function textOf({ path, hash }: { readonly path: string; readonly hash: string }): string {
  const bytes = readFileSync(path)
  return contentHash(bytes) === hash ? bytes.toString('utf8') : ''
}

async function isAgreed(count: number, { warn }: CommandDeps): Promise<boolean> {
  if (!process.stdin.isTTY) {
    warn('offshoot: nobody is there to ask; --yes trusts what is listed above.\n')
    return false
  }
  return askAtTerminal(
    count === 1
      ? 'Above is what it would do, as far as it fits; have you read it? Trust this file as it is now?'
      : `Above is what they would do, as far as it fits; have you read them? Trust these ${count} files as they are now?`,
  )
}
