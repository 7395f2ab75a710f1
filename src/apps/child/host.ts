/** The host, as the process sees it: typed calls over the pipe. */
import type { Channel } from '../../adapters/processes/channel.js'
import type { DeskCalls, DeskTells } from '../../core/run-process.js'

export interface Host {
  /** Rejects with what the host threw, or with the signal's reason. */
  call<M extends keyof DeskCalls>(
    method: M,
    value: Parameters<DeskCalls[M]>[0],
    signal?: AbortSignal,
  ): Promise<Awaited<ReturnType<DeskCalls[M]>>>
  tell<M extends keyof DeskTells>(method: M, value: DeskTells[M]): void
}

export const hostOver = (channel: Channel): Host => ({
  call: (method, value, signal) => channel.call(method, value, signal) as never,
  tell: (method, value) => channel.tell(method, value),
})
