/** Which paths the words of a command may name, where nobody knows what the command makes of them. */
import { alternativesOf, anyLetter, anyName, anyText } from '../text/glob.js'
import { nameOf } from '../text/path-text.js'
import { LimitPassed, shellLimits } from './reading.js'
import type { ShellWord } from './words.js'

export interface PossiblePath {
  readonly shape: string
  readonly word: ShellWord
  /** One of several in the word: to most commands such a word is no list, and the piece no file. */
  readonly isPiece?: boolean
  /** To git it counts from the top of the repository. */
  readonly isFromTop?: boolean
}

/** The words of a command, its name left out unless that is a path, with every path each may stand for. */
export function possiblePathsOf(called: string, words: readonly ShellWord[]): readonly PossiblePath[] {
  const program = nameOf(called)
  const named = words.flatMap((word, index) => {
    const shapes = possiblePaths(word)
    const known = program === 'curl' ? shapes.flatMap(shape => asCurlReads(shape, word, words[index - 1])) : shapes
    const pieces = listedIn(word.shape, new Set(shapes)).map(shape => ({ shape, word, isPiece: true }))
    return [...known.map(shape => ({ shape, word })), ...pieces]
  })
  if (/^(?:curl|wget)$/.test(program)) return [...named, ...downloads(words)]
  if (!movers.test(program)) return named
  const directories = enteredBy(words)
  if (named.length * directories.length > shellLimits.files)
    throw new LimitPassed(`more than ${shellLimits.files} names that may be files`)
  const isRelative = ({ shape }: PossiblePath) => !/^[/~]/.test(shape)
  const inside = directories.flatMap(directory =>
    named.filter(isRelative).map(one => ({ ...one, shape: `${directory}/${one.shape}` })),
  )
  return [...named, ...inside]
}

/** A word may be a path whole, as one of the values after `=`, after `@`, around `:`, or glued to a short option. */
export function possiblePaths({ shape }: ShellWord): readonly string[] {
  if (shape === '') return []
  const starts = shape.startsWith('-') ? tailsOf(shape) : [shape]
  const found = [...starts]
  const value = /^[^=]*=(.+)$/s.exec(shape)?.[1]
  if (value !== undefined) found.push(value, ...piecesOf(value))
  const at = shape.indexOf('@')
  if (at >= 0 && at < shape.length - 1) found.push(shape.slice(at + 1))
  const colon = shape.lastIndexOf(':')
  if (colon > 0 && colon < shape.length - 1) found.push(shape.slice(colon + 1))
  if (colon > 0 && !shape.includes('://'))
    found.push(...starts.map(start => start.slice(0, start.indexOf(':'))).filter(before => before !== ''))
  return found
}

const listSign = /[,;|!:]/

/** `-Wp,-MD,a.d`, `-Wl,-Ta.ld`, `CREATE:a,mode=600`, `-cp=a:b:c`, `concat:a|b`, `-ir!a`: any piece may be a path. */
function listedIn(shape: string, known: ReadonlySet<string>): readonly string[] {
  if (!listSign.test(shape)) return []
  const pieces = shape
    .replace(/^https?:(?=\/\/)/, '')
    .split(listSign)
    .flatMap(piece => [piece, piece.slice(piece.indexOf('=') + 1)])
    .map(piece => piece.replace(/^[@<>]/, ''))
    .flatMap(piece => (piece.startsWith('-') ? tailsOf(piece) : [piece]))
  return [...new Set(pieces)].filter(piece => piece !== '' && !known.has(piece))
}

/** Of `-uo.git/config` any letter may be the one that takes the rest: `o.git/config`, `.git/config`. */
function tailsOf(shape: string): readonly string[] {
  const letters = /^-[A-Za-z0-9#:]*/.exec(shape)![0].length
  const last = shape.length - 1
  if (shape.startsWith('--') || letters < 2) return []
  const tails = Array.from({ length: Math.max(0, Math.min(letters, maxLetters, last) - 1) }, (_, at) =>
    shape.slice(at + 2),
  )
  if (letters <= maxLetters) return tails
  return [...tails, `${anyName}${shape.slice(letters)}`, ...(letters <= last ? [shape.slice(letters)] : [])]
}

/** No program has so many flags in one word. */
const maxLetters = 32

/** `type=bind,src=secret`, `x=@a.txt,b.txt;type=text/plain`, `x=<a.txt`, `x=@"a.txt"`. */
function piecesOf(value: string): readonly string[] {
  if (!/[,;=<>@"']/.test(value)) return []
  return value
    .split(/[,;]/)
    .flatMap(piece => [piece, piece.slice(piece.indexOf('=') + 1)])
    .map(piece => piece.replace(/^[@<>]?["']?|["']$/g, ''))
    .filter(piece => piece !== '')
}

/** In names of files to send and to write curl has braces, ranges and `#1` of its own. */
function asCurlReads(shape: string, word: ShellWord, before: ShellWord | undefined): readonly string[] {
  const isName =
    /^-[\w#:]*[To]$|^--(?:up|out)/.test(before?.shape ?? '') || /^-[\w#:]*[To]|^--(?:up|out)/.test(word.shape)
  if (!isName || !/[{[#]/.test(shape)) return [shape]
  return alternativesOf(shape).map(one => one.replace(/#\d+|\{[^{}]*\}|\[[^\]]*\]/g, anyName))
}

/** Kept by the last name of their address, or by the one they are given, where they stand or in the directory they are told. */
function downloads(words: readonly ShellWord[]): readonly PossiblePath[] {
  const option = /^(?:--(?:output-dir|directory-prefix)|-[A-Za-z]*P)(?:=?(.+))?$/s
  const directories = words.flatMap(({ shape }, at) => {
    const match = option.exec(shape)
    return match ? [match[1] ?? words[at + 1]?.shape ?? '.'] : []
  })
  const kept = words.filter(({ shape }) => !shape.startsWith('-')).slice(0, maxDownloads)
  return ['.', ...directories.slice(-maxDirectories)].flatMap(directory =>
    kept.map(word => ({ shape: `${directory}/${nameOf(word.shape.split(afterPath)[0]!)}`, word })),
  )
}

const maxDownloads = 100

/** Outside of quotes a question mark is a wildcard. */
const afterPath = new RegExp(`[?#${anyLetter}]`)

/** They go where `-C` says, and what follows counts from there. */
const movers = /^(?:g?tar|bsdtar|g?make|ninja|cmake|bazel|just)$/

/** Each further one counts from the one before, or from where it began. */
function enteredBy(words: readonly ShellWord[]): readonly string[] {
  const given = words.flatMap(({ shape }, index) => {
    const glued = /^(?:-[A-Za-z0-9]*?C|--(?:dir[a-z]*|cd|working-dir[a-z]*)=)(.+)$/s.exec(shape)?.[1]
    const isBefore = /^(?:-[A-Za-z0-9]*C|--(?:dir[a-z]*|cd|working-dir[a-z]*))$/.test(shape)
    const next = isBefore || (index === 0 && /^[A-Za-z]*C[A-Za-z]*$/.test(shape)) ? words.slice(index + 1) : []
    const values = (isBefore ? next.slice(0, 1) : next).map(word => word.shape)
    return [...(glued === undefined ? [] : [glued]), ...values]
  })
  if (given.length > maxDirectories) return [anyText]
  const joined = given.map((_, index) => given.slice(0, index + 1).join('/'))
  return [...new Set([...given, ...joined])]
}

const maxDirectories = 8
