import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Whatever the tests leave lies in one folder, which goes with them. Its name is short: sockets below it have few letters. */
export default function temporary(): (() => void) | undefined {
  // Asked by each project; the folder is for all of them.
  if (process.env.OFFSHOOT_TEST_FOLDER) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'oft-'))
  process.env.OFFSHOOT_TEST_FOLDER = process.env.TMPDIR = folder
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}
