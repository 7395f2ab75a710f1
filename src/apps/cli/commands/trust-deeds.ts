/**
 * What a file that waits for trust would do, for whoever is about to give it. What acts (hooks, servers, allows) comes
 * before what only limits. It is text of others: bounded, and with nothing in it that cannot be seen.
 */
import type { AgentDefinition } from '../../../core/agent-definition.js'
import { readHookConfig } from '../../../core/hooks/hook-config.js'
import { type McpServer, readMcpServers } from '../../../core/mcp/mcp-config.js'
import type { Json } from '../../../core/message.js'
import type { Setting, Settings } from '../../../core/settings/settings.js'
import { commandLine, visible } from '../../../core/text/shell-word.js'
import { counted } from '../../../core/text/text.js'
import { mentionsIn } from '../../session/mention-words.js'
import { toolsLeft } from '../agents/output.js'
import { concealSetting } from './conceal-settings.js'

/** Of settings that were read as if they were trusted. */
export function settingsDeeds(settings: Settings, path: string): readonly string[] {
  const isHere = ({ origin }: { readonly origin: string }) => origin === path
  const own = [...settings.values, ...settings.overridden].filter(isHere)
  const isServer = ({ key }: Setting) => key.startsWith('mcpServers.')
  const servers = Object.fromEntries(own.filter(isServer).map(({ key, value }) => [key.slice(11), value]))
  const rules = settings.rules.filter(isHere)
  return [
    ...settings.hooks.filter(isHere).flatMap(({ hooks }) => hookDeeds(hooks).map(deed => `hook ${deed}`)),
    ...serverDeeds(readMcpServers(servers, { origin: path, isPersonal: false }).servers),
    ...(['allow', 'ask', 'deny'] as const).flatMap(kind =>
      rules.flatMap(({ rules: lists }) => lists[kind].map(({ text }) => `${kind} ${text}`)),
    ),
    ...own.filter(each => !isServer(each)).map(({ key, value }) => `sets ${key} = ${valueText(key, value)}`),
  ]
}

export function agentDeeds(agents: readonly AgentDefinition[]): readonly string[] {
  return agents.flatMap(agent => {
    if (agent.quarantine !== undefined) return [`agent ${agent.name}: quarantined, will not run: ${agent.quarantine}`]
    const rules = agent.permissions
    return [
      `agent ${agent.name}: tools ${toolsLeft(agent)}${agent.permissionMode ? `, mode ${agent.permissionMode}` : ''}`,
      ...hookDeeds(agent.hooks).map(deed => `hook ${deed}`),
      ...(agent.mcpServers ?? []).flatMap(server =>
        typeof server === 'string' ? [`server ${server}`] : serverDeeds(inline(server, agent)),
      ),
      ...(['allow', 'ask', 'deny'] as const).flatMap(kind => rules?.[kind].map(({ text }) => `${kind} ${text}`) ?? []),
    ]
  })
}

export const serverDeeds = (servers: readonly McpServer[]): readonly string[] =>
  servers.map(({ name, transport }) => {
    const at = transport.kind === 'http' ? transport.url : commandLine(transport.command, ...transport.args)
    return `server ${name}: ${at}`
  })

const inline = ({ name, config }: InlineServer, { source }: AgentDefinition): readonly McpServer[] =>
  readMcpServers({ [name]: config }, { origin: source.path ?? source.scope, isPersonal: false }).servers

type InlineServer = Exclude<NonNullable<AgentDefinition['mcpServers']>[number], string>

/** A prompt that somebody wrote runs nothing by itself: what it says is what it does, with the files it takes along. */
export function commandDeeds(text: string): readonly string[] {
  const takes = [...mentionsIn(text)].map(([name]) => `takes @${name} along, where that is a file of this folder`)
  return [...textDeeds(text), ...takes, 'runs nothing by itself: your rules hold for what a model does about it']
}

/** What a model is told, as far as it fits. */
export function textDeeds(text: string): readonly string[] {
  const lines = text.split('\n').filter(line => /[^\s-]/.test(line))
  const more = lines.length - mostSaid
  return [
    ...lines.slice(0, mostSaid).map(line => `says ${line.trimEnd()}`),
    ...(more > 0 ? [`… and ${counted(more, 'line')} more: read the file`] : []),
  ]
}

const mostSaid = 8

/** The commands of hooks, as settings and agent files write them. */
export const hookDeeds = (hooks: unknown): readonly string[] =>
  readHookConfig(hooks).entries.map(
    ({ event, matcher, command }) => `${event}${matcher ? ` (${matcher})` : ''}: ${command}`,
  )

function valueText(key: string, value: Json): string {
  const safe = concealSetting(key, value)
  return typeof safe === 'string' ? safe : JSON.stringify(safe)
}

const mostLines = 20
const mostLetters = 400

/** Lines to print below a file. */
export function shownDeeds(deeds: readonly string[]): readonly string[] {
  const more = deeds.length - mostLines
  return [...deeds.slice(0, mostLines).map(shortened), ...(more > 0 ? [`… and ${more} more: read the file`] : [])]
}

export function shortened(deed: string): string {
  const text = visible(deed)
  const more = text.length - mostLetters
  return more > 0 ? `${text.slice(0, mostLetters)} … (${more} more letters: read the file)` : text
}
