/**
 * Paths that stand for what a descriptor is open on. Opening one opens the file behind it once more, and for writing also
 * where the line had opened it to read: `echo x 3<a.txt >/dev/fd/3` writes a.txt.
 */
import { isCertain } from '../text/glob.js'
import { isStatic, type ShellWord } from './words.js'

/** `path` is absolute, with no `..` left in it; with unknowns in it, it may be one. */
export function isDescriptorPath(path: string): boolean {
  if (!/^\/(dev|proc)\//.test(path)) return false
  return !isCertain(path) || /\/(fd\/[^/]+|std(in|out|err))$/.test(path)
}

export interface Redirection {
  readonly operator: string
  readonly descriptor?: { readonly name?: string; readonly value?: number } | undefined
  readonly word: ShellWord
}

/** Input comes from where input does, and output and errors go to files that count as written, or to one another. */
export function isPlainRedirection({ operator, descriptor, word }: Redirection): boolean {
  if (descriptor?.name !== undefined || !isStatic(word)) return false
  const number = descriptor?.value ?? (operator.startsWith('<') ? 0 : 1)
  if (operator === '<') return number === 0
  if (operator === '>&' && /^[\d-]+$/.test(word.shape)) return isOutput(number) && /^[12]$/.test(word.shape)
  return /^(>|>>|>\||&>|&>>|>&)$/.test(operator) && isOutput(number)
}

const isOutput = (number: number): boolean => number === 1 || number === 2

/** `hasPlainDescriptors`: nothing in the line points a descriptor anywhere but the usual way. */
export function isHarmlessTarget(path: string, access: 'read' | 'write', hasPlainDescriptors: boolean): boolean {
  if (path === '/dev/null') return true
  return (
    hasPlainDescriptors &&
    (access === 'read' ? /^\/dev\/(stdin|fd\/0)$/ : /^\/dev\/(std(out|err)|fd\/[12])$/).test(path)
  )
}
