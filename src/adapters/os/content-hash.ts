import { createHash } from 'node:crypto'

/** The version of a file: what it holds, not when it was touched. */
export function contentHash(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex')
}
