/**
 * Starting a process when the system may have nothing left to start it with. Node then makes a child without streams
 * (no descriptor is left), or throws (no memory, arguments too long): whoever goes on with such a child throws where
 * nobody hears it.
 */
import type { ChildProcess } from 'node:child_process'
import { messageOf } from '../../core/thrown.js'

/** The child, or why there is none. A child can still fail to start, and says so with `error`. Never throws. */
export function tryStart<Child extends ChildProcess>(start: () => Child): Child | string {
  try {
    const child = start()
    if ((child as { readonly stdio?: unknown }).stdio !== undefined) return child
    child.on('error', () => undefined)
    return 'too many files are open (EMFILE); try again with fewer things at once'
  } catch (error) {
    return messageOf(error)
  }
}
