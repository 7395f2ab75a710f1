/**
 * Words of a command that name what it writes, as far as its name or the option before them says so. For places where only
 * that counts: to name a program is mostly to start it, or to look at it.
 */
import { nameOf } from '../text/path-text.js'
import { gitCall } from './git-call.js'
import { isInterpreter } from './mentions.js'
import { isGit } from './read-only.js'
import type { ShellCommand } from './reading.js'
import { usualName } from './usual-names.js'
import type { ShellWord } from './words.js'

export function writtenBy(command: ShellCommand): ReadonlySet<ShellWord> {
  const [called, ...rest] = command.words
  const name = usualName(nameOf(called?.shape ?? ''))
  if (sharesFiles(command)) return new Set(rest)
  if (writers.test(name) || editsInPlace(command)) return new Set(rest.filter((_, at) => !isOnlyTold(name, rest, at)))
  const told = rest.filter(({ shape }, at) => output.test(rest[at - 1]?.shape ?? '') || glued.test(shape))
  const last = layers.test(name) && laysFiles(command) ? rest.filter(isOperand).slice(-1) : []
  return new Set([...told, ...last, ...(isGit(command) ? laidByGit(rest) : [])])
}

/** Whether files are laid into the directory it is given, or in its place. */
export const laysFiles = (command: ShellCommand): boolean => !makesFolders(command) && !linksByName(command)

/** Links that lead to a path: what lies there stays as it is (permission/laid-links.ts has where they come to lie). */
export const linksByName = ({ words: [called, ...rest] }: ShellCommand): boolean =>
  usualName(nameOf(called?.shape ?? '')) === 'ln' && has(rest, /^-[A-RT-Za-su-z]*s|^--sy/)

/** A file under a second name: whoever writes the one writes the other, and no path tells. */
function sharesFiles(command: ShellCommand): boolean {
  const [called, ...rest] = command.words
  const name = usualName(nameOf(called?.shape ?? ''))
  if (name === 'cp') return has(rest, /^-[A-Za-z]*l|^--li/)
  return name === 'link' || (name === 'ln' && !linksByName(command))
}

/** `perl -pi -e …`, `ruby -i.bak …`: the files it is given are written anew. Behind a program the options are that one's. */
function editsInPlace({ words: [called, ...rest] }: ShellCommand): boolean {
  if (!/^(?:perl|ruby)[\d.]*$/.test(nameOf(called?.shape ?? ''))) return false
  const program = rest.findIndex((word, at) => isOperand(word) && !/^-\w*[eE]$/.test(rest[at - 1]?.shape ?? ''))
  return has(program < 0 ? rest : rest.slice(0, program), /^-[0a-hj-zA-Z]*i/)
}

/** What a writer is told, or takes from: the script of `sed`, what `dd` reads, what `curl` sends. */
function isOnlyTold(name: string, rest: readonly ShellWord[], at: number): boolean {
  const { shape } = rest[at]!
  const before = rest[at - 1]?.shape ?? ''
  if (name === 'dd') return shape.startsWith('if=')
  if (name === 'curl') return /^(?:-T|--upload-file|-d|--data(?:-\w+)?|-F|--form|-H|--header|-K|--config)$/.test(before)
  if (name !== 'sed' || !isSubstitution(shape)) return false
  if (/^(?:-[nErsuz]*e|--expression)$/.test(before)) return true
  const hasScript = has(rest, /^-[nErsuz]*[ef]|^--(?:expression|file)/)
  return !hasScript && at === rest.findIndex(isOperand)
}

/** One, and nothing else: `w` writes a file, and so does the flag of that name. */
function isSubstitution(script: string): boolean {
  const [command, , , flags, ...more] = script.split(script.charAt(1))
  return command === 's' && more.length === 0 && /^[gIipmM\d]*$/.test(flags ?? 'none')
}

/** `git clone URL DIR`, `git worktree add DIR`: a folder or file that is made anew, or filled. */
function laidByGit(rest: readonly ShellWord[]): readonly ShellWord[] {
  const { name, args } = gitCall(rest)
  const operands = args.filter(isOperand)
  if (name === 'clone') return operands.length > 1 ? operands.slice(-1) : []
  if (name === 'init') return operands
  const isMade = /^(?:worktree add|bundle create)$/.test(`${name} ${operands[0]?.shape}`)
  return isMade ? operands.slice(1) : []
}

/** Among the options. */
function has(rest: readonly ShellWord[], form: RegExp): boolean {
  const end = rest.findIndex(({ shape }) => shape === '--')
  return rest.slice(0, end < 0 ? undefined : end).some(({ shape }) => form.test(shape))
}

/** Code that calls something which writes. */
export function writesInCode({ words: [called, ...rest], fed }: ShellCommand): boolean {
  return isInterpreter(called?.shape ?? '') && calls.test([...rest.map(({ shape }) => shape), ...fed].join('\n'))
}

const isOperand = ({ shape }: ShellWord): boolean => !shape.startsWith('-')

const makesFolders = ({ words: [called, ...rest] }: ShellCommand): boolean =>
  usualName(nameOf(called?.shape ?? '')) === 'install' &&
  rest.some(({ shape }) => /^-[A-Za-z]*d|^--dir/.test(shape) && !/^-[A-Za-z]*D/.test(shape))

const writers = /^(?:tee|dd|sed|patch|curl|wget|aria2c|sponge|truncate)$/
/** Of these the last word is where something comes to lie. */
const layers = /^(?:cp|mv|ln|install|rsync|scp|ditto|link)$/
const output = /^(?:-o|-O|-out|--out|--output|--outfile|--output-file|--output-document)$/
const glued = /^(?:-o.|--out(?:put|file|put-file)?=)/
const calls =
  /\b(?:open|write\w*|append\w*|copy\w*|symlink\w*|link\w*|rename\w*|move\w*|cp\w*|chmod\w*)\s*\(|\.write|\bFile\.|["'\s]>{1,2}/i
