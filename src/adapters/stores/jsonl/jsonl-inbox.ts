/**
 * Items that wait for runs: one file each, `<run>!<number>!<hash of the item's id>.json`, in one directory.
 * Posting and consuming happen under the run's lock. Which items are used up is said by the log itself, in the line of
 * the append that used them; deleting their files comes after, and is made up for when a crash came between.
 */
import { randomUUID } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunId } from '../../../core/message.js'
import type { InboxItem } from '../../../core/run-store.js'
import { parseJson } from '../../../core/text/parse-json.js'
import { sha256 } from '../content-address.js'
import { StoreError } from '../store-error.js'
import { type JsonlFiles, readIfThere, safeName } from './jsonl-files.js'
import type { LogReporter } from './jsonl-warnings.js'

interface ItemFile {
  readonly runId: RunId
  /** Tells a post apart from an earlier one with the same id. */
  readonly key: string
  readonly item: InboxItem
}

export class JsonlInbox {
  readonly #files: JsonlFiles
  readonly #reporter: LogReporter
  readonly #directory: string

  constructor(files: JsonlFiles, reporter: LogReporter) {
    this.#files = files
    this.#reporter = reporter
    this.#directory = files.inbox
  }

  async post(runId: RunId, item: InboxItem, isConsumed: (key: string) => boolean): Promise<void> {
    const names = await this.#namesOf(runId)
    const waiting = names.find(name => name.endsWith(endingOf(item.id)))
    if (waiting !== undefined) {
      const found = await this.#read(waiting)
      if (found && !isConsumed(found.key)) return
      await this.#delete(waiting)
    }
    // By the clock, so that a name never comes again: whoever looks for news knows them by their names.
    const number = Math.max(1 + Number(names.at(-1)?.split('!')[1] ?? 0), Date.now())
    const name = `${safeName(runId)}!${String(number).padStart(10, '0')}${endingOf(item.id)}`
    const file: ItemFile = { runId, key: randomUUID(), item }
    await this.#files.writeWhole(join(this.#directory, name), JSON.stringify(file))
  }

  /** A run that ended with the append that used an item is claimed no more: then a crash behind it is made up for here. */
  async items(runId: RunId, isConsumed: (key: string) => boolean): Promise<readonly InboxItem[]> {
    const take = async (name: string): Promise<readonly InboxItem[]> => {
      const file = await this.#readSound(name)
      if (!file) return []
      if (!isConsumed(file.key)) return [file.item]
      await this.#delete(name)
      return []
    }
    return (await Promise.all((await this.#namesOf(runId)).map(take))).flat()
  }

  /** The keys under which the log notes that these items are used up. */
  async keysOf(runId: RunId, itemIds: readonly string[]): Promise<readonly string[]> {
    if (itemIds.length === 0) return []
    const endings = itemIds.map(endingOf)
    const names = (await this.#namesOf(runId)).filter(name => endings.some(ending => name.endsWith(ending)))
    const found = await Promise.all(names.map(name => this.#read(name)))
    return found.flatMap(file => (file ? [file.key] : []))
  }

  async deleteConsumed(runId: RunId, isConsumed: (key: string) => boolean): Promise<void> {
    for (const name of await this.#namesOf(runId)) {
      const file = await this.#read(name)
      if (file && isConsumed(file.key)) await this.#delete(name)
    }
  }

  async removeAll(runId: RunId): Promise<void> {
    for (const name of await this.#namesOf(runId)) await this.#delete(name)
  }

  /** When the directory last changed, and what is in it. */
  async lastChange(): Promise<number> {
    return (await stat(this.#directory)).mtimeMs
  }
  async names(): Promise<readonly string[]> {
    return (await readdir(this.#directory)).filter(name => name.endsWith('.json')).sort()
  }
  /** Each run that has an item, from one file of it. What cannot be read is said. */
  async runs(): Promise<readonly RunId[]> {
    const first = new Map((await this.names()).map(name => [name.split('!')[0], name]))
    const found = await Promise.all([...first.values()].map(name => this.#soundRunOf(name)))
    return found.filter(runId => runId !== undefined)
  }
  async #soundRunOf(name: string): Promise<RunId | undefined> {
    try {
      return (await this.#readSound(name))?.runId
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'corrupt') throw error
      this.#reporter.reportFile('damaged-item', join(this.#directory, name), error.message)
    }
  }
  async runOf(name: string): Promise<RunId | undefined> {
    return (await this.#read(name))?.runId
  }

  async #namesOf(runId: RunId): Promise<readonly string[]> {
    const prefix = `${safeName(runId)}!`
    return (await this.names()).filter(name => name.startsWith(prefix))
  }

  async #read(name: string): Promise<ItemFile | undefined> {
    const text = await readIfThere(join(this.#directory, name))
    return text === undefined ? undefined : (parseJson(text) as ItemFile | undefined)
  }

  /** Undefined: somebody has taken it just now. What cannot be read is not passed over: it was a word to the run. */
  async #readSound(name: string): Promise<ItemFile | undefined> {
    const path = join(this.#directory, name)
    const text = await readIfThere(path)
    const file = text === undefined ? undefined : (parseJson(text) as Partial<ItemFile> | undefined)
    if (text === undefined || typeof file?.item?.kind === 'string') return file as ItemFile | undefined
    const reason = `${path} is damaged: what waited there for the run cannot be read.`
    throw new StoreError('corrupt', `${reason} Put a copy back, or delete it to go on without.`, { path })
  }

  async #delete(name: string): Promise<void> {
    await rm(join(this.#directory, name), { force: true })
  }
}

const endingOf = (itemId: string): string => `!${sha256(itemId).slice(0, 32)}.json`
