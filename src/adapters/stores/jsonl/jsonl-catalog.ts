/** What is known of every log in the directory, read again only when its file has changed. */
import { stat } from 'node:fs/promises'
import type { RunId } from '../../../core/message.js'
import type { RunSummary } from '../../../core/run/run-summary.js'
import type { TreeFigures } from '../prune.js'
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

  /** Undefined when there is no such log, or nothing in it can be read. */
  async entry(path: string): Promise<CatalogEntry | undefined> {
    const file = await stat(path).catch(() => undefined)
    if (!file) return undefined
    const known = this.#entries.get(path)
    if (known && known.bytes === file.size && known.changedAt === file.mtimeMs) return known
    const reader = new LogReader(path)
    reader.readOn()
    this.#reporter.report(reader)
    if (!reader.summary) return undefined
    const { summary, addresses } = reader
    const entry = { summary, addresses, bytes: file.size, changedAt: file.mtimeMs }
    this.#entries.set(path, entry)
    return entry
  }

  async entries(): Promise<readonly CatalogEntry[]> {
    const current = new Map<string, CatalogEntry>()
    for (const path of await this.#files.logs()) {
      const entry = await this.entry(path)
      if (entry) current.set(path, entry)
    }
    this.#entries = current
    return [...current.values()]
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
