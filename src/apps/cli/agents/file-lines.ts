/** Lines of agent files that only the file itself knows. */
import { readBounded } from '../../../adapters/sources/read-bounded.js'
import type { Diagnostic } from '../../../core/ports.js'

/** A catalog knows files, and not their lines. */
export function withLine(fault: Diagnostic): Diagnostic {
  if (fault.line !== undefined || !fault.code.startsWith('extends-')) return fault
  const lines = fault.file === undefined ? [] : (textOf(fault.file)?.split('\n') ?? [])
  const at = lines.findIndex(line => /^\W*extends\W/.test(line))
  return at < 0 ? fault : { ...fault, line: at + 1 }
}

/** Undefined where it cannot be written again as it was. */
export function textOf(path: string): string | undefined {
  const read = readBounded(path)
  if ('fault' in read) return undefined
  const text = Buffer.from(read.bytes).toString('utf8')
  return Buffer.from(text, 'utf8').equals(Buffer.from(read.bytes)) ? text : undefined
}
