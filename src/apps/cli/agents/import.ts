/**
 * `agents import PATH`: other products' files as ours, and what could not be carried over. As with `new`, a name that another
 * agent has needs to be meant; two agents of one import that would lie in one file, or answer to one name, are never meant.
 */
import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isInside } from '../../../adapters/os/inside.js'
import { projectRoot } from '../../../adapters/os/project-root.js'
import { parsers } from '../../../adapters/sources/parsers.js'
import { readBounded } from '../../../adapters/sources/read-bounded.js'
import { walkFolder } from '../../../adapters/sources/walk-folder.js'
import type { AgentDefinition } from '../../../core/agent-definition.js'
import { isAgentFileName } from '../../../core/agent-file/file-name.js'
import { type FileReading, readAgentFile } from '../../../core/agent-file/read-agent-file.js'
import { decodeText } from '../../../core/agent-file/text/decode.js'
import { looseKey, slugOf } from '../../../core/text/nearest.js'
import { visible } from '../../../core/text/shell-word.js'
import { counted } from '../../../core/text/text.js'
import { brokenLink, whatIsInTheWay } from './broken-link.js'
import { type CarriedOver, carryOver } from './carried-over.js'
import { changedFigures, lostComments } from './lost-words.js'
import { type AgentsOutput, diagnosticText, type Output, printable, shortPath } from './output.js'
import { projectAgents } from './project-folder.js'
import { whyTaken } from './taken-name.js'
import { writeAgentText } from './write-file.js'

export interface ImportOptions {
  readonly to?: string
  readonly print?: boolean
  readonly force?: boolean
}

interface Import extends AgentsOutput {
  readonly options: ImportOptions
  /** Where the files go. */
  readonly folder: string
  /** What was written under a name, by its loose form: `"Same Name" of a.md`. */
  readonly taken: Map<string, string>
}

/** One file, or all agents of a folder. 2: nothing can be done as it was asked for. 1: not all of it was imported. */
export async function importAgents(path: string, options: ImportOptions, deps: AgentsOutput): Promise<number> {
  const full = resolve(deps.cwd, path)
  const link = brokenLink(full, deps.cwd)
  if (link !== undefined || !existsSync(full)) {
    deps.warn(`offshoot: ${link ?? `There is no file or folder ${visible(path)}`}.\n`)
    return 2
  }
  const isFolder = statSync(full).isDirectory()
  const walk = isFolder ? walkFolder(full, { isOwn: true }) : { files: [full], diagnostics: [] }
  for (const each of walk.diagnostics) deps.warn(diagnosticText(each, deps))
  const folder = options.to === undefined ? projectAgents(deps.cwd) : resolve(deps.cwd, options.to)
  const under: Import = { ...deps, options, folder, taken: new Map() }
  let code = walk.diagnostics.length > 0 ? 1 : 0
  let [saved, left] = [0, 0]
  for (const file of walk.files.filter(each => !isFolder || isAgentFileName(each))) {
    const done = await importFile(file, isFolder, under)
    // Of many, one that is left out is no wrong use.
    code = Math.max(code, isFolder ? Math.min(done.code, 1) : done.code)
    saved += done.saved
    left += done.code === 0 ? 0 : 1
  }
  if (isFolder && saved === 0 && code === 0 && !options.print) {
    deps.warn(`offshoot: ${path}: there is no agent in it\n`)
    return 1
  }
  if (isFolder && !options.print)
    deps.warn(
      `${counted(saved, 'agent')} imported${left === 0 ? '' : `; ${counted(left, 'file')} left out, or in part`}\n`,
    )
  if (saved > 0 && options.to === undefined)
    deps.warn('What was imported acts once the folder is trusted as it is now: offshoot trust\n')
  return code
}

interface Imported {
  readonly code: number
  readonly saved: number
}

async function importFile(full: string, isOfFolder: boolean, under: Import): Promise<Imported> {
  const shown = shortPath(full, under.cwd)
  const read = readBounded(full)
  if ('fault' in read) {
    under.warn(`offshoot: ${shown}: ${read.message}\n`)
    return { code: 1, saved: 0 }
  }
  const source = { scope: 'user', isTrusted: true } as const
  const reading = readAgentFile({ path: full, content: read.bytes, source }, parsers)
  // Documents lie in such folders, too.
  if (isOfFolder && reading.state === 'not-an-agent') return { code: 0, saved: 0 }
  const sound = reading.agents.flatMap(({ agent, usual = [] }) =>
    agent && agent.quarantine === undefined ? [{ agent, usual }] : [],
  )
  reportLosses(reading, sound.length === 0, under)
  if (sound.length === 0) {
    under.warn(`offshoot: ${shown}: nothing was imported\n`)
    return { code: 1, saved: 0 }
  }
  const left = reading.agents.length - sound.length
  if (left > 0)
    under.warn(
      `offshoot: ${shown}: ${left} of ${reading.agents.length} agents cannot be read for certain, and were left out\n`,
    )
  let code = left > 0 ? 1 : 0
  let saved = 0
  const texts: string[] = []
  for (const { agent, usual } of sound) {
    const carried = carriedTo(agent, reading, under)
    texts.push(carried.text)
    reportCarried(agent, carried, usual, under)
    const done = await keep(agent, carried, full, under)
    if (done === 0 && !under.options.print) saved++
    code = Math.max(code, done)
  }
  reportUnsaid(full, read.bytes, { texts, agents: sound.map(({ agent }) => agent) }, under)
  return { code, saved }
}

function carriedTo(agent: AgentDefinition, { diagnostics }: FileReading, { cwd, folder }: Import): CarriedOver {
  const scope = isInside(folder, projectRoot(cwd)) ? 'project' : 'user'
  return carryOver(agent, { path: pathIn(folder, agent), scope, said: diagnostics })
}

const pathIn = (folder: string, { name }: AgentDefinition): string => join(folder, `${slugOf(name) || 'agent'}.md`)

async function keep(agent: AgentDefinition, carried: CarriedOver, from: string, under: Import): Promise<number> {
  if (carried.fault !== undefined) {
    under.warn(
      `offshoot: ${shortPath(from, under.cwd)}: "${printable(agent.name)}" was not imported: ${printable(carried.fault)}\n`,
    )
    return 1
  }
  if (!under.options.print) return save(agent, carried.text, from, under)
  under.write(carried.text)
  return 0
}

async function save(agent: AgentDefinition, text: string, from: string, under: Import): Promise<number> {
  const { options, cwd, taken } = under
  const path = pathIn(under.folder, agent)
  const refuse = (code: number, why: string) => {
    under.warn(`offshoot: ${why}\n`)
    return code
  }
  const rival = taken.get(path) ?? taken.get(looseKey(agent.name))
  const own = `"${printable(agent.name)}" of ${shortPath(from, cwd)}`
  if (rival !== undefined)
    return refuse(1, `${own} was not imported: it has the name of ${rival}. Give one of them another name first.`)
  const obstacle = whatIsInTheWay(path, cwd)
  if (obstacle !== undefined) return refuse(1, obstacle)
  if (existsSync(path) && !options.force)
    return refuse(1, `${shortPath(path, cwd)} exists already; --force replaces it.`)
  // Beside the file it comes from it may stand, and elsewhere beside anybody.
  const isBeside = (path: string) => path === from || options.to !== undefined
  const standing = options.force ? undefined : await whyTaken(agent.name, under, isBeside)
  if (standing !== undefined) return refuse(2, standing)
  const fault = writeAgentText(path, text, { replaces: options.force === true, cwd })
  if (fault !== undefined) return refuse(1, fault)
  taken.set(path, own).set(looseKey(agent.name), own)
  under.write(`${shortPath(path, cwd)}\n`)
  return 0
}

function reportCarried(
  { name }: AgentDefinition,
  { text, leftOut, notes }: CarriedOver,
  usual: readonly string[],
  output: Output,
): void {
  if (usual.length > 0)
    output.warn(
      `${name}: added, since files of this kind mean it without saying so: ${linesOf(text, usual).join(', ')}\n`,
    )
  if (leftOut.length > 0)
    output.warn(
      `${name}: not carried over: ${printable(leftOut.join(', '))}, which no file of ours can say. Servers' tools stay under their rules (mcp__…); a tool of a host with such a name does not.\n`,
    )
  for (const each of notes) output.warn(diagnosticText(each, output))
}

/** What no reading knows of. */
function reportUnsaid(
  full: string,
  bytes: Uint8Array,
  { texts, agents }: { readonly texts: readonly string[]; readonly agents: readonly AgentDefinition[] },
  output: Output,
): void {
  const decoded = decodeText(bytes)
  const shown = shortPath(full, output.cwd)
  const lines = lostComments(decoded.text, full, texts.join('\n'))
  if (lines.length > 0)
    output.warn(`${shown}: comments are not carried over: line${lines.length > 1 ? 's' : ''} ${lines.join(', ')}\n`)
  const extras = agents.map(({ extra }) => extra ?? {})
  for (const [figure, now] of changedFigures(decoded.text, full, extras))
    output.warn(`${shown}: ${figure} is written as ${now}; put it in quotes to keep it as it is\n`)
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
