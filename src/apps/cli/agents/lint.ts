/** `agents lint`: what is wrong with a set of agent files, in the order a maintainer wants to hear it. */
import { chmodSync, existsSync, lstatSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import type { LoadedAgents } from '../../../adapters/sources/agents-on-disk.js'
import { parsers } from '../../../adapters/sources/parsers.js'
import { readBounded } from '../../../adapters/sources/read-bounded.js'
import { walkFolder } from '../../../adapters/sources/walk-folder.js'
import type { AgentScope } from '../../../core/agent-definition.js'
import { diagnose } from '../../../core/agent-file/diagnostic-codes.js'
import { isAgentFileName } from '../../../core/agent-file/file-name.js'
import { fixAgentText } from '../../../core/agent-file/fix-agent-file.js'
import { type FileReading, type FileState, readAgentFile } from '../../../core/agent-file/read-agent-file.js'
import { createCatalog } from '../../../core/catalog/catalog.js'
import type { Diagnostic } from '../../../core/ports.js'
import { didYouMean } from '../../../core/text/nearest.js'
import { messageOf } from '../../../core/thrown.js'
import { brokenLink } from './broken-link.js'
import { textOf, withLine } from './file-lines.js'
import { lintJson, printLint } from './lint-report.js'
import { type AgentsOutput, shortPath } from './output.js'

export interface LintOptions {
  readonly fix?: boolean
  readonly strict?: boolean
  readonly all?: boolean
  readonly json?: boolean
}

export interface LintResult {
  readonly readings: readonly FileReading[]
  /** Of folders, and between files. */
  readonly diagnostics: readonly Diagnostic[]
  /** Files that were asked about one by one: of these all is said. */
  readonly named: ReadonlySet<string>
  readonly fixed: readonly string[]
  /** Of those, the ones that were trusted as they were before. */
  readonly untrusted: readonly string[]
  /** Of a lint of all that is found from here: what is not read. */
  readonly unread?: LoadedAgents
  /** Files that `--fix` would mend. */
  readonly fixable: ReadonlySet<string>
}

export async function lintAgents(paths: readonly string[], options: LintOptions, deps: AgentsOutput): Promise<number> {
  const missing = paths.find(path => !existsSync(resolve(deps.cwd, path)))
  if (missing !== undefined) {
    const link = brokenLink(resolve(deps.cwd, missing), deps.cwd)
    deps.warn(`offshoot: ${link ?? `There is no file or folder ${missing}`}.\n`)
    return 2
  }
  const loaded = await deps.loadAgents()
  // A project's file says less than one's own: named by its path it is still the project's.
  const scopes = new Map(loaded.files.map(({ reading, source }) => [reading.path, source.scope]))
  const read = (path: string) => readFile(path, scopes.get(path) ?? 'user')
  const found = paths.length > 0 ? readPaths(paths, deps.cwd, read) : readFound(loaded)
  const ends = new Map(options.fix ? found.readings.map(each => [each.path, fixFile(each, deps)]) : [])
  const fixed = [...ends].flatMap(([path, end]) => (end === 'fixed' ? [path] : []))
  const untrusted = fixed.length === 0 ? [] : await noLongerTrusted(fixed, loaded, deps)
  // Some may be links to a file that was fixed.
  const isStale = (reading: FileReading) => fixed.includes(reading.path) || (fixed.length > 0 && isRepaired(reading))
  const after = found.readings.map(reading => (isStale(reading) ? read(reading.path) : reading))
  const fixable = new Set(options.fix ? [] : after.filter(isFixable).map(reading => reading.path))
  const heirs = faultsOfHeirs(after, loaded).map(withLine)
  const readings = after.map(reading => withFaults(withHint(reading, fixable, ends.get(reading.path)), heirs))
  const diagnostics = [...found.diagnostics, ...rivalries(readings, loaded), ...unknownDelegates(readings, loaded)]
  const unread = paths.length === 0 && { unread: loaded }
  const result: LintResult = { readings, diagnostics, named: found.named, fixed, untrusted, fixable, ...unread }
  if (options.json) lintJson(result, deps)
  else printLint(result, options, deps)
  const all = [...result.diagnostics, ...readings.flatMap(reading => reading.diagnostics)]
  const isBad = all.some(each => each.severity === 'error' || (options.strict && each.severity === 'warning'))
  return isBad ? 1 : 0
}

type Found = Pick<LintResult, 'readings' | 'diagnostics' | 'named'>

const between: ReadonlySet<string> = new Set(['duplicate-name', 'alias-taken', 'shadowed'])

function readFound({ files, catalog }: LoadedAgents): Found {
  const readings = files.map(file => file.reading)
  const inFiles = new Set(readings.flatMap(reading => reading.diagnostics))
  const isOfHeir = ({ code, file }: Diagnostic) => code.startsWith('extends-') && file !== undefined
  const isBetween = (each: Diagnostic) => between.has(each.code) || isOfHeir(each)
  const diagnostics = catalog.diagnostics.filter(each => !inFiles.has(each) && !isBetween(each))
  return { readings, diagnostics, named: new Set() }
}

type ReadPath = (path: string) => FileReading

function readPaths(paths: readonly string[], cwd: string, read: ReadPath): Found {
  const readings: FileReading[] = []
  const diagnostics: Diagnostic[] = []
  const named = new Set<string>()
  for (const path of paths.map(each => resolve(cwd, each))) {
    const walk = walkFolder(path, { isOwn: true })
    diagnostics.push(...walk.diagnostics)
    const isFile = statSync(path).isFile()
    if (isFile) named.add(path)
    for (const file of walk.files) {
      const kind = isFile ? undefined : otherKind(relative(path, file), path)
      if (kind !== undefined) readings.push(notAnAgent(file, kind))
      else readings.push(read(file))
    }
  }
  return { readings, diagnostics, named }
}

function readFile(path: string, scope: AgentScope): FileReading {
  const bytes = readBounded(path)
  if ('fault' in bytes) {
    const diagnostic = diagnose(bytes.fault, bytes.message, { file: path, line: 1 })
    return {
      path,
      state: diagnostic.severity === 'error' ? 'quarantined' : 'not-an-agent',
      agents: [],
      diagnostics: [diagnostic],
    }
  }
  const source = { scope, isTrusted: true, path, folder: agentsFolder(path) }
  return readAgentFile({ path, content: bytes.bytes, source }, parsers)
}

/** Collections hold commands, skills and manifests beside agents; the nearest telling folder decides. */
function otherKind(path: string, root: string): string | undefined {
  if (!isAgentFileName(path)) return 'another kind of file'
  const folders = [...root.split(sep).slice(-2), ...dirname(path).split(sep)].reverse()
  const telling = folders.find(folder => isAgentsName(folder) || Object.hasOwn(otherFolders, folder))
  return telling === undefined ? undefined : otherFolders[telling]
}

const otherFolders: Readonly<Record<string, string>> = {
  commands: 'a command',
  skills: 'part of a skill',
  prompts: 'a prompt',
  hooks: 'part of a hook',
  rules: 'a rule',
  references: 'a reference',
  node_modules: 'part of a package',
}

function isAgentsName(folder: string): boolean {
  return /^agents?(?:[-_.].*)?$/.test(folder)
}

function agentsFolder(path: string): string {
  const parts = dirname(path).split(sep)
  const at = parts.findLastIndex(isAgentsName)
  return at < 0 ? dirname(path) : parts.slice(0, at + 1).join(sep)
}

function notAnAgent(path: string, kind: string): FileReading {
  return {
    path,
    state: 'not-an-agent',
    agents: [],
    diagnostics: [
      isAgentFileName(path)
        ? diagnose('not-an-agent', kind, { file: path, line: 1 }, 'move it to a folder of agents if it is one')
        : diagnose('other-extension', kind, { file: path, line: 1 }),
    ],
  }
}

/** Among these files; and names of ours that one of them has for an alias. */
function rivalries(readings: readonly FileReading[], { catalog }: LoadedAgents): readonly Diagnostic[] {
  const agents = readings.flatMap(reading => reading.agents.flatMap(each => each.agent ?? []))
  const ours = catalog.all().flatMap(({ agent }) => (agent.source.scope === 'built-in' ? [agent] : []))
  return createCatalog([...agents, ...ours]).diagnostics.filter(({ code }) => between.has(code) && code !== 'shadowed')
}

/** Agents that one of these may call, and nobody finds: such a call would be refused. */
function unknownDelegates(readings: readonly FileReading[], { catalog }: LoadedAgents): readonly Diagnostic[] {
  const agents = readings.flatMap(({ path, agents }) => agents.flatMap(({ agent }) => (agent ? [{ path, agent }] : [])))
  const named = agents.flatMap(({ path, agent }) =>
    agent.quarantine === undefined && Array.isArray(agent.canSpawn)
      ? agent.canSpawn.filter(name => !/[*:]/.test(name)).map(name => ({ path, agent, name }))
      : [],
  )
  if (named.length === 0) return []
  const all = createCatalog([...agents.map(({ agent }) => agent), ...catalog.all().map(({ agent }) => agent)])
  return named
    .filter(({ name }) => all.lookup(name) === undefined)
    .map(({ path, agent, name }) => {
      const near = didYouMean(
        name,
        all.all().map(entry => entry.agent.name),
      )
      const message = `"${agent.name}" may call "${name.slice(0, 60)}", and there is no such agent`
      const place = { file: path, line: 1 }
      return near === undefined
        ? diagnose('delegate-unknown', message, place)
        : diagnose('delegate-misspelled', message, place, `did you mean "${near}"?`)
    })
}

/** What is wrong with files that build on another agent: that one may be among them, or be found from here. */
function faultsOfHeirs(readings: readonly FileReading[], { catalog }: LoadedAgents): readonly Diagnostic[] {
  const own = readings.flatMap(({ agents }) => agents.flatMap(({ agent }) => agent ?? []))
  if (own.every(agent => agent.extends === undefined)) return []
  const paths = new Set<string | undefined>(readings.map(({ path }) => path))
  const others = catalog.all().flatMap(({ agent }) => (paths.has(agent.source.path) ? [] : [agent]))
  const { diagnostics } = createCatalog([...own, ...others])
  return diagnostics.filter(({ code, file }) => code.startsWith('extends-') && paths.has(file))
}

function withFaults(reading: FileReading, faults: readonly Diagnostic[]): FileReading {
  const own = faults.filter(({ file }) => file === reading.path)
  if (own.length === 0) return reading
  const stateOf = (state: FileState, about: readonly Diagnostic[]): FileState =>
    about.some(({ severity }) => severity === 'error') ? 'quarantined' : state === 'loaded' ? 'warned' : state
  const agents = reading.agents.map(each => {
    const isAbout = ({ message }: Diagnostic) =>
      reading.agents.length === 1 || message.includes(`"${each.agent?.name}"`)
    return { ...each, state: stateOf(each.state, own.filter(isAbout)) }
  })
  return { ...reading, agents, state: stateOf(reading.state, own), diagnostics: [...reading.diagnostics, ...own] }
}

/** What `--fix` leaves alone is not promised to be mended by it. */
function withHint(reading: FileReading, fixable: ReadonlySet<string>, end: End | undefined): FileReading {
  if (!isRepaired(reading)) return reading
  const mended = fixable.has(reading.path) ? 'quote the value (lint --fix does it)' : whyUnfixed(reading)
  // Why it could not be written was said.
  const hint = end === 'failed' ? 'quote the value' : mended
  const diagnostics = reading.diagnostics.map(each => (each.code === repairedCode ? { ...each, hint } : each))
  return { ...reading, diagnostics }
}

function whyUnfixed({ path, state }: FileReading): string {
  if (isLink(path)) return 'it is a link: lint --fix mends the file it leads to, where that is named'
  if (!/\.md$/i.test(path)) return 'correct it by hand: lint --fix mends Markdown files alone'
  return state === 'quarantined' ? 'correct what is wrong with its limits first; then lint --fix can do it' : byHand
}

const byHand = 'correct it by hand: lint --fix is not certain what is meant'

const repairedCode = 'syntax-repaired'
const isRepaired = ({ diagnostics }: FileReading): boolean => diagnostics.some(({ code }) => code === repairedCode)

const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true

/** Trust is for a text: of a file that lies in a project, what was fixed is another. */
async function noLongerTrusted(
  fixed: readonly string[],
  before: LoadedAgents,
  deps: AgentsOutput,
): Promise<readonly string[]> {
  const trusted = (files: LoadedAgents['files']) =>
    new Set(files.flatMap(({ reading, source }) => (source.isTrusted ? [reading.path] : [])))
  const [was, is] = [trusted(before.files), trusted((await deps.loadAgents()).files)]
  return fixed.filter(path => was.has(path) && !is.has(path))
}

const isFixable = (reading: FileReading): boolean => isRepaired(reading) && fixedText(reading) !== undefined

type End = 'fixed' | 'failed' | 'left'

/** Replaced in one step, so that nobody reads half a file. What cannot be written stays as it is, and is named. */
function fixFile(reading: FileReading, { cwd, warn }: AgentsOutput): End {
  const { path } = reading
  const fixed = fixedText(reading)
  if (fixed === undefined) return 'left'
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}.fix`)
  try {
    const { mode, nlink } = statSync(path)
    if ((mode & 0o200) === 0) throw new Error('it is read-only')
    // Written in place it could be left half written; replaced, its other names would keep the old text.
    if (nlink > 1) throw new Error('it has other names (hard links), which would not be fixed with it')
    writeFileSync(draft, fixed, { mode: 0o600 })
    chmodSync(draft, mode & 0o777)
    if (fixedText(reading) !== fixed) throw new Error('it has just changed')
    renameSync(draft, path)
    return 'fixed'
  } catch (error) {
    rmSync(draft, { force: true })
    warn(`offshoot: ${shortPath(path, cwd)} was not fixed: ${messageOf(error)}\n`)
    return 'failed'
  }
}

/** Nothing for what is no agent, and for what a link leads to: that lies elsewhere. */
function fixedText({ path, state }: FileReading): string | undefined {
  if (state === 'not-an-agent' || isLink(path)) return undefined
  const text = textOf(path)
  return text === undefined ? undefined : fixAgentText(text, path, parsers)
}
