/** How the agents commands write: columns, places, diagnostics. */

import { relative } from 'node:path'
import type { LoadedAgents } from '../../../adapters/sources/agents-on-disk.js'
import type { AgentDefinition, AgentSource, ToolGrant } from '../../../core/agent-definition.js'
import { covers } from '../../../core/brief/tool-filter.js'
import type { Diagnostic } from '../../../core/ports.js'
import { commandLine, visible } from '../../../core/text/shell-word.js'
import { counted } from '../../../core/text/text.js'
import { grantText } from '../../../core/tools/grant-text.js'
import { columns, wrapWords } from '../../session/columns.js'

export type Style = (how: 'bold' | 'dim' | 'red' | 'yellow' | 'green' | 'cyan', text: string) => string

export interface Output {
  readonly cwd: string
  readonly write: (text: string) => void
  readonly warn: (text: string) => void
  readonly style?: Style
  /** Of the terminal that is written to. Without one nothing is cut, since a program may read it. */
  readonly terminal?: TerminalRoom
}

export interface TerminalRoom {
  readonly width: number
  /** What is below it is shown as `~/…`. */
  readonly home: string
}

/** What there is, with the plugins that are off: what they bring is not there, and somebody may look for it. */
export interface AllAgents extends LoadedAgents {
  readonly pluginsOff?: readonly Diagnostic[]
}

/** For commands that read every agent there is. */
export interface AgentsOutput extends Output {
  readonly loadAgents: () => Promise<AllAgents>
}

export function sayPluginsOff({ pluginsOff = [] }: AllAgents, { warn }: Output): void {
  for (const { message, hint } of pluginsOff.slice(0, mostOff)) warn(`${visible(`${message}; ${hint}`)}\n`)
  const more = pluginsOff.length - mostOff
  if (more > 0) warn(`${counted(more, 'plugin')} more off: "offshoot plugins list" shows them\n`)
}

const mostOff = 3

export function styleOf(output: Output): Style {
  return output.style ?? ((_how, text) => text)
}

export function json(output: Output, value: unknown): void {
  output.write(`${JSON.stringify(value, null, 2)}\n`)
}

/** As it is shown: a name may have line ends in it, and what moves the cursor. */
export function shortPath(path: string, cwd: string): string {
  const short = relative(cwd, path)
  return visible(short !== '' && !short.startsWith('..') ? short : path)
}

export function toolsText(agent: AgentDefinition): string {
  const denied = agent.disallowedTools?.map(grantText).join(', ')
  const but = denied ? ` but ${denied}` : ''
  if (agent.tools === 'all') return `all${but}`
  return agent.tools.length === 0 ? 'none' : `${agent.tools.map(grantText).join(', ')}${but}`
}

/** What is left of its list where whole tools are denied: that it names them gives it nothing. */
export function toolsLeft(agent: AgentDefinition): string {
  const rules = (agent.permissions?.deny ?? []).map(
    ({ tool, pattern }): ToolGrant => ({ name: tool, ...(pattern && { pattern }) }),
  )
  const denied = [...(agent.disallowedTools ?? []), ...rules]
  const whole = new Set(denied.flatMap(({ name, pattern }) => (pattern === undefined ? [name] : [])))
  if (agent.tools === 'all') {
    const some = denied.filter(({ name, pattern }) => pattern !== undefined && !whole.has(name))
    const but = [...whole, ...some.map(grantText)].join(', ')
    return but === '' ? 'all' : `all but ${but}`
  }
  const tools = agent.tools.filter(({ name }) => ![...whole].some(each => covers({ name: each }, name)))
  const disallowedTools = agent.disallowedTools?.filter(
    ({ name, pattern }) => pattern !== undefined && !whole.has(name),
  )
  return toolsText({ ...agent, tools, disallowedTools })
}

export function placeOf(agent: AgentDefinition, cwd: string): string {
  const { scope, path } = agent.source
  return path === undefined ? scope : `${scope} ${shortPath(path, cwd)}`
}

const severityStyle = { error: 'red', warning: 'yellow', info: 'dim' } as const

/** `file:line:column severity message [code]`, and below it what to do. */
export function diagnosticText(diagnostic: Diagnostic, output: Output): string {
  const style = styleOf(output)
  const { file, line, column, severity, code, message, hint } = diagnostic
  const place =
    file === undefined ? '' : `${shortPath(file, output.cwd)}:${line ?? 1}${column === undefined ? '' : `:${column}`} `
  const lines = [
    ...wrapped(
      `${style('bold', place)}${style(severityStyle[severity], severity)} ${visible(message)} ${style('dim', `[${code}]`)}`,
      output,
    ),
    ...(hint === undefined ? [] : wrapped(visible(hint), output).map(line => `  ${style('dim', line)}`)),
  ]
  return `${lines.join('\n')}\n`
}

const edge = '  '

/** On a terminal, between words. */
function wrapped(text: string, { terminal }: Output): readonly string[] {
  const [first = '', ...rest] = terminal === undefined ? [text] : wrapWords(text, terminal.width - edge.length)
  return [first, ...rest.map(line => edge + line)]
}

/** One line of text and its end, or as many as a terminal needs for it. */
export const paragraph = (output: Output, text: string): string => `${wrapped(text, output).join('\n')}\n`

/** A table that fits on the terminal, if it is written to one. */
export const table = (output: Output, rows: readonly (readonly string[])[], indent = ''): string =>
  columns(rows, indent, output.terminal?.width)

/** Files of the user's own that do not count, since others can write to them or to where they lie: no trust cures that. */
export function openToOthers({ files }: LoadedAgents): ReadonlySet<string> {
  const isOwn = ({ scope, isTrusted }: AgentSource) => !isTrusted && scope !== 'project' && scope !== 'plugin'
  return new Set(files.flatMap(({ source, reading }) => (isOwn(source) ? [reading.path] : [])))
}

export const whyOpen = 'others can write to the file or to a folder above it (chmod go-w, and own it yourself)'

/** Folders of other products from which nothing is read, and how to take over what lies there. */
export function unreadText({ unread }: LoadedAgents, cwd: string): string {
  return unread()
    .map(({ path, agents }) => {
      const found = `${shortPath(path, cwd)}: ${counted(agents, 'agent')}, not read from there`
      return `${found}; to take over: offshoot agents import ${commandLine(pathFrom(path, cwd))}\n`
    })
    .join('')
}

const pathFrom = (path: string, cwd: string): string => {
  const short = relative(cwd, path)
  return short.startsWith('..') ? path : short
}

/** Texts of files, of several lines: nothing in them may move the cursor or change colours. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '�')
}
