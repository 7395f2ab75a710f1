/** Sessions that a server elsewhere no longer knows: what tells one, and how it is left. */
import type { OpenClient } from './connect.js'

/** An error that the server itself answered with: it lives. */
export const isAnswer = (error: unknown): boolean =>
  typeof (error as { code?: unknown }).code === 'number' || statusOf(error) !== undefined

/**
 * Its session is gone, or it is: a new one has to be begun. Whatever else it answers is about that call alone. An unknown
 * session is a 404; many servers call it a bad request.
 */
export function hasLostUs(error: unknown, { client }: OpenClient): boolean {
  const status = statusOf(error)
  if (status === undefined) return error instanceof TypeError
  if (client.transport?.sessionId === undefined) return false
  return status === 404 || (status === 400 && /session/i.test((error as Error).message))
}

/** The protocol's own word for an unknown session: nothing was done, and it may be asked again in a new one. */
export const isForgotten = (error: unknown): boolean => statusOf(error) === 404

/** Closed when nobody waits in them any more: a server may well answer what it was asked before it forgot us. */
export class LeftSessions {
  readonly #calls = new Map<OpenClient, number>()
  readonly #left = new Set<OpenClient>()

  async during<T>(open: OpenClient, work: () => Promise<T>): Promise<T> {
    this.#calls.set(open, (this.#calls.get(open) ?? 0) + 1)
    try {
      return await work()
    } finally {
      const calls = this.#calls.get(open)! - 1
      if (calls > 0) this.#calls.set(open, calls)
      else {
        this.#calls.delete(open)
        if (this.#left.has(open)) await this.#end(open)
      }
    }
  }

  leave(open: OpenClient): void {
    if (this.#calls.has(open)) this.#left.add(open)
    else void this.#end(open)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#left].map(open => this.#end(open)))
  }

  async #end(open: OpenClient): Promise<void> {
    this.#left.delete(open)
    await open.client.close().catch(() => undefined)
  }
}

function statusOf(error: unknown): number | undefined {
  const status = (error as { data?: { status?: unknown } }).data?.status
  return typeof status === 'number' ? status : undefined
}
