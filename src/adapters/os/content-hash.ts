import { hash } from 'node:crypto'

/** The version of a file: what it holds, not when it was touched. */
export function contentHash(content: Uint8Array | string): string {
  return hash('sha256', content, 'hex')
}
