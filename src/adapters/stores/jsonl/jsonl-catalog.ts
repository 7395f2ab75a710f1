/** What is known of every log in the directory, read again only when its file has changed. */
import { stat } from 'node:fs/promises'
import type { RunId } from '../../../core/message.js'
import type { RunSummary } from '../../../core/run/run-summary.js'
import type { TreeFigures } from '../prune.js'
import { damagedSummary, damageOf } from './jsonl-damaged.js'
import type { JsonlFiles } from './jsonl-files.js'
import { LogReader } from './jsonl-reader.js'
import type { LogReporter } from './jsonl-warnings.js'

export interface CatalogEntry {
  readonly summary: RunSummary
  readonly addresses: ReadonlySet<string>
  readonly bytes: number
  readonly changedAt: number
}

export class JsonlCatalog {
  readonly #files: JsonlFiles
  readonly #reporter: LogReporter
  #entries = new Map<string, CatalogEntry>()

  constructor(files: JsonlFiles, reporter: LogReporter) {
    this.#files = files
    this.#reporter = reporter
  }

  /** Undefined when there is no such log. */
  async entry(path: string): Promise<CatalogEntry | undefined> {
    const file = await stat(path).catch(() => undefined)
    if (!file) return undefined
    if (!file.isFile()) return this.#leaveOut(path, 'is no file')
    const known = this.#entries.get(path)
    if (known && known.bytes === file.size && known.changedAt === file.mtimeMs) return known
    const reader = new LogReader(path)
    for (const _ of reader.parts());
    this.#reporter.report(reader)
    const runId = reader.first?.runId ?? this.#files.runOf(path)
    if (this.#files.log(runId) !== path) {
      return this.#leaveOut(path, `holds run ${runId}, whose log is ${this.#files.log(runId)}`)
    }
    const about = { first: reader.first, lastSeq: reader.lastSeq, changedAt: Math.floor(file.mtimeMs) }
    const summary = reader.isOpened ? reader.summary : undefined
    const entry = {
      summary: summary ?? damagedSummary(runId, damageOf(path), about),
      addresses: reader.addresses,
      bytes: file.size,
      changedAt: file.mtimeMs,
    }
    this.#entries.set(path, entry)
    return entry
  }

  async entries(): Promise<readonly CatalogEntry[]> {
    const current = new Map<string, CatalogEntry>()
    for (const path of await this.#files.logs()) {
      const entry = await this.entry(path).catch((error: Error) => this.#unreadable(path, error))
      if (entry) current.set(path, entry)
    }
    this.#entries = current
    return [...current.values()]
  }

  /** One log that cannot be read must not hide the others. */
  #unreadable(path: string, { message }: Error): CatalogEntry {
    const summary = damagedSummary(this.#files.runOf(path), message, { lastSeq: 0, changedAt: 0 })
    return { summary, addresses: new Set(), bytes: 0, changedAt: 0 }
  }

  #leaveOut(path: string, reason: string): undefined {
    this.#reporter.reportFile('left-out', path, `${path} ${reason}. It is left out; move it to another place.`)
  }

  async trees(): Promise<readonly TreeFigures[]> {
    const trees = new Map<RunId, TreeFigures>()
    for (const { summary, bytes } of await this.entries()) {
      const { rootId, updatedAt } = summary
      const isEnded = summary.status === 'ended'
      const tree = trees.get(rootId) ?? { rootId, runs: 0, bytes: 0, updatedAt, isEnded }
      trees.set(rootId, {
        rootId,
        runs: tree.runs + 1,
        bytes: tree.bytes + bytes,
        updatedAt: Math.max(tree.updatedAt, updatedAt),
        isEnded: tree.isEnded && isEnded,
      })
    }
    return [...trees.values()]
  }
}
