/**
 * Tells that something in a set of directories may have changed: once, after it has been quiet for a moment. Says too
 * much rather than too little. Where the system cannot watch, looks again at intervals.
 */
import { type FSWatcher, watch as watchPath } from 'node:fs'
import type { Close } from '../../core/message.js'

export interface WatchOptions {
  /** Asked again after every change: folders come and go. */
  readonly directories: () => readonly string[]
  /** Whether something was too fresh to be read, so that another look is needed. */
  readonly hasUnsettled: () => boolean
  readonly settleMs: number
  readonly onChange: () => void
}

const pollMs = 2000

export function watchDirectories(options: WatchOptions): Close {
  const watchers = new Map<string, FSWatcher>()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  const poll = setInterval(() => {
    arm()
    if (options.hasUnsettled()) notify()
  }, pollMs)
  poll.unref()

  function notify(): void {
    if (isClosed) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      arm()
      options.onChange()
      // The writer may not have been done: one more look when it surely is.
      timer = setTimeout(() => options.hasUnsettled() && notify(), options.settleMs)
      timer.unref()
    }, options.settleMs)
    timer.unref()
  }

  function arm(): void {
    const wanted = new Set(options.directories())
    for (const [path, watcher] of watchers) if (!wanted.has(path)) drop(path, watcher)
    for (const path of wanted) if (!watchers.has(path)) add(path)
  }

  function add(path: string): void {
    try {
      const watcher = watchPath(path, { persistent: false }, notify)
      watcher.on('error', () => drop(path, watcher))
      watchers.set(path, watcher)
    } catch {
      // Not there, or out of watches: the next poll tries again.
    }
  }

  function drop(path: string, watcher: FSWatcher): void {
    watchers.delete(path)
    watcher.close()
  }

  arm()
  return () => {
    isClosed = true
    clearTimeout(timer)
    clearInterval(poll)
    for (const [path, watcher] of watchers) drop(path, watcher)
  }
}
