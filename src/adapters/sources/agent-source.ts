/**
 * Agents from folders on disk.
 * S1 the order is that of the folders, then of sorted paths: the same files give the same catalog, byte for byte.
 * S2 a file that is being written does not count: until it has been still for a while, what it last held does (settling.ts).
 * S3 project and plugin files are trusted by content hash; what lies in the user's own and managed folders is, unless
 *    others can write to it (ownership.ts). S4 nothing here throws for what is on disk: it becomes a diagnostic.
 * S5 a flag that trusts a project trusts what the first load found. Else whatever a run writes there, or fetches, would be
 *    trusted with it, hooks and servers included.
 */
import type { Stats } from 'node:fs'
import { dirname, relative, sep } from 'node:path'
import type { AgentDefinition, AgentSource } from '../../core/agent-definition.js'
import type { Parsers } from '../../core/agent-file/block.js'
import { diagnose } from '../../core/agent-file/diagnostic-codes.js'
import { isAgentFileName, nameByFile } from '../../core/agent-file/file-name.js'
import type { readAtAGlance } from '../../core/agent-file/plain-file.js'
import type { AgentFile, FileReading, readAgentFile } from '../../core/agent-file/read-agent-file.js'
import type { Close } from '../../core/message.js'
import type { Diagnostic, Source } from '../../core/ports.js'
import { contentHash } from '../os/content-hash.js'
import type { AgentFolder } from './agent-folders.js'
import type { FileAsRead, KeptReadings } from './kept-readings.js'
import { ownershipBelow, type UnsafePlace } from './ownership.js'
import { readBounded } from './read-bounded.js'
import { type Seen, Settling, type Stamp, stampFrom, stampOf } from './settling.js'
import type { TrustStore } from './trust.js'
import { walkFolder } from './walk-folder.js'
import { watchDirectories } from './watch.js'

export interface AgentSourceOptions {
  /** Asked at every load, so that folders which appear later are found. */
  readonly folders: () => readonly AgentFolder[]
  readonly trust: TrustStore
  /** Trust what lies in the project at the first load, for this process: an explicit flag of a headless run. */
  readonly trustsProjects?: boolean
  readonly now?: () => number
  readonly monotonic?: () => number
  readonly settleMs?: number
  /** What was read at an earlier start. Absent: every file is read anew. */
  readonly kept?: KeptReadings | undefined
}

export interface LoadedFile {
  readonly reading: FileReading
  readonly source: AgentSource
  readonly folder: AgentFolder
}

export interface LoadedFolders {
  readonly files: readonly LoadedFile[]
  /** What they define, the first of a name first; in the place of what cannot be read, that its names are taken. */
  readonly agents: readonly AgentDefinition[]
  /** Of folders; those of files are in their readings. */
  readonly diagnostics: readonly Diagnostic[]
}

export interface AgentFilesSource extends Source {
  /** Every file looked at, with its state: what `agents list --all` and `lint` show. */
  loadFiles(): Promise<LoadedFolders>
  watch(onChange: () => void): Close
}

export function createAgentSource(options: AgentSourceOptions): AgentFilesSource {
  const { now, monotonic, settleMs = usualSettleMs } = options
  const settling = new Settling({ now, monotonic, settleMs })
  const memory: Memory = { files: new Map(), directories: [], isWatching: false, settling }
  const loadFiles = () => loadAll(options, memory)
  return {
    loadFiles,
    load: async () => {
      const { files, agents, diagnostics } = await loadFiles()
      return {
        agents,
        diagnostics: [...diagnostics, ...files.flatMap(file => file.reading.diagnostics)],
      }
    },
    watch: onChange => {
      memory.isWatching = true
      return watchDirectories({
        directories: () => watched(options.folders(), memory),
        hasUnsettled: () => settling.isWaiting,
        settleMs,
        onChange,
      })
    },
  }
}

function agentsOf({ reading, source }: LoadedFile): readonly AgentDefinition[] {
  const why = reading.diagnostics.findLast(({ severity }) => severity !== 'info')?.message ?? 'the file is empty'
  return [
    ...reading.agents.flatMap(({ agent }) => agent ?? []),
    ...(reading.holds ?? []).map(name => placeHolder(name, source, why)),
  ]
}

const placeHolder = (name: string, source: AgentSource, quarantine: string): AgentDefinition => ({
  name,
  source,
  systemPrompt: '',
  tools: [],
  quarantine,
})

const usualSettleMs = 150
const sliceMs = 15

interface Memory {
  /** By folder and path: in another folder's scope the same file may say something else. */
  files: Map<string, Remembered>
  directories: readonly string[]
  isWatching: boolean
  readonly settling: Settling
  /** What the first load found, by content and path. */
  atFirst?: ReadonlySet<string>
}
interface Remembered {
  readonly stamp: Stamp
  readonly hash: string
  readonly file: LoadedFile
  readonly fault: UnsafePlace | undefined
}

async function loadAll(options: AgentSourceOptions, memory: Memory): Promise<LoadedFolders> {
  const reader = new ReaderOnDemand()
  const scratch = Buffer.allocUnsafe(64 * 1024)
  const files: LoadedFile[] = []
  const agents: AgentDefinition[] = []
  const diagnostics: Diagnostic[] = []
  const remembered = new Map<string, Remembered>()
  const directories: string[] = []
  const walked = new Set<string>()
  let sliceEnd = performance.now() + sliceMs
  for (const folder of options.folders()) {
    const isOwn = folder.scope === 'user' || folder.scope === 'managed'
    const walk = walkFolder(folder.path, { isOwn })
    const ownership = isOwn && walk.files.length > 0 ? ownershipBelow(folder.path) : undefined
    const unsafe = new UnsafePlaces(ownership?.whyUnsafe(folder.path))
    const keyOf = keysIn(folder)
    directories.push(...walk.directories)
    diagnostics.push(...walk.diagnostics)
    if (isOwn) agents.push(...walk.broken.flatMap(path => heldByLink(path, folder)))
    for (const path of walk.files) {
      const key = keyOf(path)
      const isLinked = walk.linked.has(path)
      const whyUnsafe = (opened?: Stats) => ownership?.whyUnsafe(path, isLinked ? undefined : opened)
      const context: FileContext = { folder, key, whyUnsafe, options, memory, scratch, reader }
      walked.add(key)
      let loaded = loadFile(path, context)
      while (reader.isWanted) {
        await reader.loadNext()
        loaded = loadFile(path, context)
      }
      if (loaded) {
        files.push(loaded.file)
        agents.push(...agentsOf(loaded.file))
        if (loaded.file.reading.agents.length > 0) unsafe.add(loaded.fault)
        remembered.set(key, loaded)
        if (loaded.hash !== '') options.kept?.note(asRead(path, loaded.hash, loaded.file.folder), loaded.file.reading)
      }
      if (performance.now() > sliceEnd) {
        await new Promise(resume => setImmediate(resume))
        sliceEnd = performance.now() + sliceMs
      }
    }
    diagnostics.push(...unsafe.diagnostics())
  }
  memory.settling.keepOnly(walked)
  options.kept?.save()
  memory.files = remembered
  memory.atFirst ??= new Set([...remembered.values()].map(({ hash, file }) => `${hash} ${file.reading.path}`))
  memory.directories = directories
  return { files, agents, diagnostics }
}

/** Each place once, however many files it holds. */
class UnsafePlaces {
  readonly #places = new Map<string, UnsafePlace>()

  constructor(first: UnsafePlace | undefined) {
    this.add(first)
  }

  add(fault: UnsafePlace | undefined): void {
    if (fault !== undefined) this.#places.set(fault.place, fault)
  }

  diagnostics(): readonly Diagnostic[] {
    return [...this.#places.values()].map(({ place, reason }) =>
      diagnose('unsafe-owner', reason, { file: place, line: 1 }),
    )
  }
}

/**
 * What was read before is kept, most of the rest is read at a glance, and most of what is not needs no parser: whatever
 * reads is loaded when the first file that wants it comes up. What it gives while it is wanted is no reading.
 */
class ReaderOnDemand {
  isWanted = false
  #glance: typeof readAtAGlance | undefined
  #reader: typeof readAgentFile | undefined
  #parsers: Parsers | undefined

  readonly read = (file: AgentFile): FileReading => {
    if (this.#reader) return this.#reader(file, this.#parsers ?? { yaml: this.#want, toml: this.#want })
    const seen = this.#glance?.(file)
    if (seen) return seen
    this.isWanted = true
    return { path: file.path, state: 'not-an-agent', agents: [], diagnostics: [] }
  }

  readonly #want = () => {
    this.isWanted = true
    return { fault: 'the parser is not loaded yet' }
  }

  async loadNext(): Promise<void> {
    if (this.#reader) this.#parsers ??= (await import('./parsers.js')).parsers
    else if (!this.#glance) this.#glance = (await import('../../core/agent-file/plain-file.js')).readAtAGlance
    else this.#reader = (await import('../../core/agent-file/read-agent-file.js')).readAgentFile
    this.isWanted = false
  }
}

interface FileContext {
  readonly folder: AgentFolder
  /** What it is remembered under. */
  readonly key: string
  /** For files that are trusted for being the user's own; a file that was opened need not be looked at again. */
  readonly whyUnsafe: (opened?: Stats) => UnsafePlace | undefined
  readonly options: AgentSourceOptions
  readonly memory: Memory
  readonly reader: ReaderOnDemand
  /** One for all files of a load: five thousand buffers would be most of its cost. */
  readonly scratch: Buffer
}

function loadFile(path: string, context: FileContext): Remembered | undefined {
  const { memory, key, reader } = context
  const before = memory.files.get(key)
  if (before === undefined && !memory.isWatching) return readNew(path, context)
  const stamp = stampOf(path)
  if (before?.stamp.text === stamp.text) return retrusted(before, context, stamp)
  const fresh = readNew(path, context)
  if (!memory.isWatching || reader.isWanted) return fresh
  if (memory.settling.isSettled(key, seenAs(fresh), before && seenAs(before))) return fresh
  return before && retrusted(before, context, stamp)
}

const seenAs = ({ stamp, file }: Remembered): Seen => ({ stamp, reading: file.reading })

function keysIn({ path: folder, scope, prefix = '' }: AgentFolder): (path: string) => string {
  const place = JSON.stringify([scope, prefix, folder])
  return path => place + path
}

function readNew(path: string, context: FileContext): Remembered {
  const { folder } = context
  const read = readBounded(path, context.scratch)
  if ('fault' in read) {
    const reading = unread(path, folder, diagnose(read.fault, read.message, { file: path, line: 1 }))
    const fault = context.whyUnsafe()
    const source = sourceOf(path, '', context, fault)
    return { stamp: { ...stampOf(path), size: 0 }, hash: '', file: { reading, source, folder }, fault }
  }
  const hash = contentHash(read.bytes)
  const fault = context.whyUnsafe(read.stat)
  const source = sourceOf(path, hash, context, fault)
  const prefix = prefixOf(path, folder)
  const text = { path, content: read.bytes, source }
  const reading =
    context.options.kept?.find(asRead(path, hash, folder), source) ??
    context.reader.read(prefix ? { ...text, prefix } : text)
  return { stamp: stampFrom(read.stat), hash, file: { reading, source, folder }, fault }
}

function asRead(path: string, hash: string, folder: AgentFolder): FileAsRead {
  return { path, hash, scope: folder.scope, prefix: prefixOf(path, folder) }
}

/** The same content, but what is trusted may have changed since. */
function retrusted(before: Remembered, context: FileContext, { stat }: Stamp): Remembered {
  const { reading, folder } = before.file
  const fault = context.whyUnsafe(stat)
  const source = sourceOf(reading.path, before.hash, context, fault)
  if (source.isTrusted === before.file.source.isTrusted) return { ...before, fault }
  const agents = reading.agents.map(each => (each.agent ? { ...each, agent: { ...each.agent, source } } : each))
  return { ...before, file: { reading: { ...reading, agents }, source, folder }, fault }
}

function sourceOf(path: string, hash: string, context: FileContext, fault: UnsafePlace | undefined): AgentSource {
  const { folder, options } = context
  const isOwn = folder.scope !== 'project' && folder.scope !== 'plugin'
  const isTrusted = isOwn
    ? fault === undefined
    : isSpokenFor(path, hash, context) || options.trust.isTrusted(folder.owner, hash, path)
  const source: AgentSource = { scope: folder.scope, path, folder: folder.path, isTrusted, contentHash: hash }
  return folder.isReadOnly ? { ...source, isReadOnly: true } : source
}

/** S5. */
const isSpokenFor = (path: string, hash: string, { folder, options, memory }: FileContext): boolean =>
  options.trustsProjects === true && isOfProject(folder) && (memory.atFirst?.has(`${hash} ${path}`) ?? true)

const isOfProject = ({ scope, isElsewhere }: AgentFolder): boolean => scope === 'project' && isElsewhere !== true

/** `plugin:sub` for `<plugin>/agents/sub/name.md`. A plugin may also name a single file, which lies in no folder of it. */
function prefixOf(path: string, folder: AgentFolder): string | undefined {
  if (folder.prefix === undefined) return undefined
  const below = relative(folder.path, dirname(path))
    .split(sep)
    .filter(part => part !== '' && part !== '..')
  return [folder.prefix, ...below].map(part => part.replace(/[^\p{L}\p{N}_-]/gu, '-')).join(':')
}

function unread(path: string, folder: AgentFolder, diagnostic: Diagnostic): FileReading {
  const state = diagnostic.severity === 'error' ? 'quarantined' : 'not-an-agent'
  const holds = isAgentFileName(path) ? [nameByFile(path, prefixOf(path, folder))] : []
  return { path, state, agents: [], diagnostics: [diagnostic], holds }
}

function heldByLink(path: string, folder: AgentFolder): readonly AgentDefinition[] {
  const source: AgentSource = { scope: folder.scope, path, folder: folder.path, isTrusted: true }
  const names = isAgentFileName(path) ? [nameByFile(path)] : []
  return names.map(name => placeHolder(name, source, 'a link that leads nowhere'))
}

/** Folders that are not there yet are waited for where they would appear. */
function watched(folders: readonly AgentFolder[], memory: Memory): readonly string[] {
  const parents = folders.flatMap(({ path, owner }) => [
    dirname(path),
    ...(dirname(path) === owner ? [] : [dirname(dirname(path))]),
  ])
  return [...new Set([...memory.directories, ...folders.map(({ path }) => path), ...parents])]
}
