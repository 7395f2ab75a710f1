/**
 * Words of a command that name what it writes, as far as its name or the option before them says so. For places where only
 * that counts: to name a program is mostly to start it, or to look at it.
 */
import { nameOf } from '../text/path-text.js'
import { isInterpreter } from './mentions.js'
import type { ShellCommand } from './reading.js'
import { usualName } from './usual-names.js'
import type { ShellWord } from './words.js'

export function writtenBy({ words: [called, ...rest] }: ShellCommand): ReadonlySet<ShellWord> {
  const name = usualName(nameOf(called?.shape ?? ''))
  if (writers.test(name)) return new Set(rest)
  const told = rest.filter(({ shape }, at) => output.test(rest[at - 1]?.shape ?? '') || glued.test(shape))
  const last = layers.test(name) && !makesFolders(name, rest) ? rest.filter(isOperand).slice(-1) : []
  return new Set([...told, ...last])
}

/** Whether files are laid into the directory it is given, or in its place. */
export const laysFiles = ({ words: [called, ...rest] }: ShellCommand): boolean =>
  !makesFolders(nameOf(called?.shape ?? ''), rest)

/** Code that calls something which writes. */
export function writesInCode({ words: [called, ...rest], fed }: ShellCommand): boolean {
  return isInterpreter(called?.shape ?? '') && calls.test([...rest.map(({ shape }) => shape), ...fed].join('\n'))
}

const isOperand = ({ shape }: ShellWord): boolean => !shape.startsWith('-')

const makesFolders = (name: string, rest: readonly ShellWord[]): boolean =>
  name === 'install' && rest.some(({ shape }) => /^-[A-Za-z]*d|^--dir/.test(shape) && !/^-[A-Za-z]*D/.test(shape))

const writers = /^(?:tee|dd|sed|patch|curl|wget|aria2c|sponge|truncate)$/
/** Of these the last word is where something comes to lie. */
const layers = /^(?:cp|mv|ln|install|rsync|scp|ditto|link)$/
const output = /^(?:-o|-O|--out|--output|--outfile|--output-file|--output-document)$/
const glued = /^(?:-o.|--out(?:put|file|put-file)?=)/
const calls =
  /\b(?:open|write\w*|append\w*|copy\w*|symlink\w*|link\w*|rename\w*|move\w*|cp\w*|chmod\w*)\s*\(|\.write|\bFile\.|["'\s]>{1,2}/i
