/**
 * `agents import PATH`: other products' files as ours, and what could not be carried over. As with `new`, a name that another
 * agent has needs to be meant.
 */
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { makeDirectories } from '../../../adapters/os/make-directories.js'
import { parsers } from '../../../adapters/sources/parsers.js'
import { readBounded } from '../../../adapters/sources/read-bounded.js'
import { walkFolder } from '../../../adapters/sources/walk-folder.js'
import type { AgentDefinition } from '../../../core/agent-definition.js'
import { isAgentFileName } from '../../../core/agent-file/file-name.js'
import { type FileReading, readAgentFile } from '../../../core/agent-file/read-agent-file.js'
import { writeAgentFile } from '../../../core/agent-file/write-agent-file.js'
import { defaultPolicy } from '../../../core/policy.js'
import { slugOf } from '../../../core/text/nearest.js'
import { brokenLink, whatIsInTheWay } from './broken-link.js'
import { type AgentsOutput, diagnosticText, type Output, printable, shortPath } from './output.js'
import { whyTaken } from './taken-name.js'

export interface ImportOptions {
  readonly to?: string
  readonly print?: boolean
  readonly force?: boolean
}

/** One file, or all agents of a folder. */
export async function importAgents(path: string, options: ImportOptions, deps: AgentsOutput): Promise<number> {
  const full = resolve(deps.cwd, path)
  const link = brokenLink(full, deps.cwd)
  if (link !== undefined) {
    deps.warn(`offshoot: ${link}.\n`)
    return 2
  }
  const isFolder = statSync(full, { throwIfNoEntry: false })?.isDirectory() === true
  const files = isFolder ? walkFolder(full, { isOwn: true }).files.filter(isAgentFileName) : [full]
  let code = 0
  let saved = 0
  for (const file of files) {
    const done = await importFile(file, isFolder, options, deps)
    code = Math.max(code, done.code)
    saved += done.saved
  }
  if (isFolder && saved === 0 && code === 0 && !options.print) {
    deps.warn(`offshoot: ${path}: there is no agent in it\n`)
    return 1
  }
  if (saved > 0 && options.to === undefined)
    deps.warn('What was imported acts once the folder is trusted as it is now: offshoot trust\n')
  return code
}

interface Imported {
  readonly code: number
  readonly saved: number
}

async function importFile(
  full: string,
  isOfFolder: boolean,
  options: ImportOptions,
  deps: AgentsOutput,
): Promise<Imported> {
  const shown = shortPath(full, deps.cwd)
  const read = readBounded(full)
  if ('fault' in read) {
    deps.warn(`offshoot: ${shown}: ${read.message}\n`)
    return { code: 2, saved: 0 }
  }
  const source = { scope: 'user', isTrusted: true } as const
  const reading = readAgentFile({ path: full, content: read.bytes, source }, parsers)
  // Documents lie in such folders, too.
  if (isOfFolder && reading.state === 'not-an-agent') return { code: 0, saved: 0 }
  const sound = reading.agents.flatMap(({ agent, usual = [] }) =>
    agent && agent.quarantine === undefined ? [{ agent, usual }] : [],
  )
  reportLosses(reading, sound.length === 0, deps)
  if (sound.length === 0) {
    deps.warn(`offshoot: ${shown}: nothing was imported\n`)
    return { code: 1, saved: 0 }
  }
  const left = reading.agents.length - sound.length
  if (left > 0)
    deps.warn(
      `offshoot: ${shown}: ${left} of ${reading.agents.length} agents cannot be read for certain, and were left out\n`,
    )
  let code = left > 0 ? 1 : 0
  let saved = 0
  for (const { agent, usual } of sound) {
    const text = textFor(agent, options, deps)
    if (usual.length > 0)
      deps.warn(
        `${agent.name}: added, since files of this kind mean it without saying so: ${linesOf(text, usual).join(', ')}\n`,
      )
    if (options.print) deps.write(text)
    else {
      const done = await save(agent.name, text, full, options, deps)
      if (done === 0) saved++
      code = Math.max(code, done)
    }
  }
  return { code, saved }
}

async function save(
  name: string,
  text: string,
  from: string,
  options: ImportOptions,
  deps: AgentsOutput,
): Promise<number> {
  const folder = resolve(deps.cwd, options.to ?? join('.offshoot', 'agents'))
  const path = join(folder, `${slugOf(name) || 'agent'}.md`)
  if (existsSync(path) && !options.force) {
    deps.warn(`offshoot: ${shortPath(path, deps.cwd)} exists already; --force replaces it.\n`)
    return 1
  }
  const obstacle = whatIsInTheWay(path, deps.cwd)
  if (obstacle !== undefined) {
    deps.warn(`offshoot: ${obstacle}\n`)
    return 1
  }
  // Beside the file it comes from it may stand, and elsewhere beside anybody.
  const isBeside = (path: string) => path === from || options.to !== undefined
  const taken = options.force ? undefined : await whyTaken(name, deps, isBeside)
  if (taken !== undefined) {
    deps.warn(`offshoot: ${taken}\n`)
    return 2
  }
  makeDirectories(folder)
  writeFileSync(path, text, options.force ? {} : { flag: 'wx' })
  deps.write(`${shortPath(path, deps.cwd)}\n`)
  return 0
}

/** In another product's folder what the file leaves unsaid has that product's limits: there they are written out. */
function textFor(agent: AgentDefinition, { to }: ImportOptions, { cwd }: Output): string {
  const text = writeAgentFile(agent)
  if (to === undefined) return text
  const path = join(resolve(cwd, to), 'a.md')
  const there = readAgentFile({ path, content: text, source: agent.source }, parsers).agents[0]?.agent?.limits
  const { maxTurns, timeoutMs } = defaultPolicy
  const unsaid = {
    ...(agent.limits?.maxTurns === undefined && there?.maxTurns !== undefined && { maxTurns }),
    ...(agent.limits?.timeoutMs === undefined && there?.timeoutMs !== undefined && { timeoutMs }),
  }
  return Object.keys(unsaid).length === 0 ? text : writeAgentFile({ ...agent, limits: { ...agent.limits, ...unsaid } })
}

/** The front matter comes first, so that a line of the prompt is never meant. */
function linesOf(text: string, keys: readonly string[]): readonly string[] {
  const lines = text.split('\n')
  return keys.flatMap(key => lines.find(line => line.startsWith(`${key}:`)) ?? [])
}

/** Where nothing is carried over (`isLost`), notes may be the reason. */
function reportLosses(reading: FileReading, isLost: boolean, deps: Output): void {
  for (const each of reading.diagnostics) if (isLost || each.severity !== 'info') deps.warn(diagnosticText(each, deps))
  for (const { agent } of isLost ? [] : reading.agents) {
    const keys = Object.keys(agent?.extra ?? {})
    if (keys.length > 0)
      deps.warn(`${agent!.name}: kept as they are, though nothing here reads them: ${printable(keys.join(', '))}\n`)
  }
}
