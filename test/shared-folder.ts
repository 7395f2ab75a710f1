/** Reference material that lies beside the checkout, where it does at all. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')

/** Undefined, with a message, when the folder is not there: tests that read it are skipped. */
export function sharedFolder(name: string): string | undefined {
  const folder = resolve(root, '../shared', name)
  if (existsSync(folder)) return folder
  console.log(`skipped: no ../shared/${name} beside the checkout`)
  return undefined
}
