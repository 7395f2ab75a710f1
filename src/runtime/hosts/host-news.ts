/**
 * What a host's model was promised to hear: that a run in the background has ended, that one asks it something. A loop that
 * is not ours can be told nothing between its calls, so it hears of it with the answer to its next one.
 */
import * as notices from '../../core/notices.js'
import type { ToolOutput } from '../../core/ports.js'
import { renderResult } from '../../core/run/result.js'
import type { InboxItem, ItemOf } from '../../core/run-store.js'
import type { Result } from '../../core/types.js'
import { readContent } from '../calls/output.js'
import { tellFailure } from '../tell-failure.js'

export interface NewsPorts {
  /** What lies in the inbox of the host's log. */
  inbox(): Promise<readonly InboxItem[]>
  consume(itemIds: readonly string[]): Promise<void>
  result(runId: string, attempt: number): Promise<Result | undefined>
  /** A call of the host waits for this end, and tells it. */
  isAwaited(runId: string, attempt: number): boolean
  readonly maxBytes: number
  onError(error: unknown): void
}

type News = ItemOf<'child-ended' | 'question' | 'message'>

export class HostNews {
  readonly #ports: NewsPorts
  readonly #told = new Set<string>()
  #taking: Promise<unknown> = Promise.resolve()

  constructor(ports: NewsPorts) {
    this.#ports = ports
  }

  /** The answer, with all that has come since the last one and that it does not tell itself. */
  async with(output: ToolOutput): Promise<ToolOutput> {
    for (const { runId, attempt } of output.delivers ?? []) this.#told.add(endKey(runId, attempt))
    // One after the other: calls of a host come side by side, and each thing is told by one answer.
    const taking = this.#taking.then(() => this.#take()).catch(this.#tellLater)
    this.#taking = taking
    const news = await taking
    if (news.length === 0) return output
    return { ...output, content: withTexts(output.content, news) }
  }

  /** What cannot be read now, or not be taken out of the inbox, is told with a later answer. */
  async #take(): Promise<readonly string[]> {
    const taken: News[] = []
    const texts: string[] = []
    for (const item of (await this.#ports.inbox()).filter(isNews)) {
      try {
        const text = this.#told.has(keyOf(item)) ? undefined : await this.#textOf(item)
        taken.push(item)
        if (text !== undefined) texts.push(text)
      } catch (error) {
        this.#tellLater(error)
      }
    }
    if (taken.length > 0) await this.#ports.consume(taken.map(({ id }) => id))
    for (const item of taken) this.#told.add(keyOf(item))
    return texts
  }

  readonly #tellLater = (error: unknown): readonly string[] => {
    tellFailure(this.#ports.onError, 'news for the model of a host wait for its next call')(error)
    return []
  }

  async #textOf(item: News): Promise<string | undefined> {
    if (item.kind !== 'child-ended') return notices.message(item.from, item.text)
    if (this.#ports.isAwaited(item.runId, item.attempt)) return undefined
    const result = await this.#ports.result(item.runId, item.attempt)
    if (!result) return undefined
    return notices.backgroundEnded(item.runId, result.agent, renderResult(result, { maxBytes: this.#ports.maxBytes }))
  }
}

/** A plain text stays one. */
export function withTexts(content: ToolOutput['content'], texts: readonly string[]): ToolOutput['content'] {
  if (typeof content === 'string') return [content, ...texts].join('\n\n')
  return [...readContent(content), ...texts.map(text => ({ type: 'text', text }) as const)]
}

const isNews = (item: InboxItem): item is News => /^(child-ended|question|message)$/.test(item.kind)
const endKey = (runId: string, attempt: number): string => `${runId}#${attempt}`
const keyOf = (item: News): string => (item.kind === 'child-ended' ? endKey(item.runId, item.attempt) : item.id)
