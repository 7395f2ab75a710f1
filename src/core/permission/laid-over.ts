/**
 * Directories over which a command lays files that it does not name: what it unpacks, patches, or copies the insides of
 * another directory to. Any file there may be among them.
 */
import { gitCall } from '../shell/git-call.js'
import { isGit } from '../shell/read-only.js'
import type { ShellCommand } from '../shell/reading.js'
import type { ShellWord } from '../shell/words.js'
import { nameOf } from '../text/path-text.js'

/** As written; `.` is where the command stands. */
export function laidOver(command: ShellCommand): readonly string[] {
  const [called, ...rest] = command.words
  if (!called) return []
  if (isGit(command)) return byGit(rest)
  return layers.get(nameOf(called.shape))?.(rest) ?? []
}

type Words = readonly ShellWord[]
type Lays = (rest: Words) => readonly string[]

const has = (rest: Words, form: RegExp): boolean => rest.some(({ shape }) => form.test(shape))

/** What stands glued to an option, or after it. */
function valuesOf(rest: Words, letter: string, long: string): readonly string[] {
  const glued = new RegExp(`^(?:-[A-Za-z]*?${letter}|--${long}=)(.+)$`, 's')
  const alone = new RegExp(`^(?:-[A-Za-z]*${letter}|--${long})$`)
  return rest.flatMap(({ shape }, at) => {
    if (alone.test(shape)) return rest.slice(at + 1, at + 2).map(word => word.shape)
    const [, value] = glued.exec(shape) ?? []
    return value === undefined ? [] : [value]
  })
}

const orHere = (directories: readonly string[]): readonly string[] => (directories.length > 0 ? directories : ['.'])

/** With `-P` its names may begin with a slash. */
const tar: Lays = rest =>
  /^[A-Za-z]*x/.test(rest[0]?.shape ?? '') || has(rest, /^-[A-Za-z]*x|^--(extract|get)$/)
    ? orHere([
        ...(has(rest.slice(0, 1), /^[A-Za-z]*P/) || has(rest, /^-[A-Za-z]*P|^--abs/) ? ['/'] : []),
        ...valuesOf(rest, 'C', 'dir[a-z]*'),
        // Letters without a dash take their values in order.
        ...(/^[A-Za-z]*C/.test(rest[0]?.shape ?? '') ? rest.slice(1).map(({ shape }) => shape) : []),
      ])
    : []
const sevenZip: Lays = rest => (/^[xe]$/.test(rest[0]?.shape ?? '') ? orHere(valuesOf(rest, 'o', 'output')) : [])
const spills = (form: RegExp, isForced: RegExp): Lays => {
  return rest => {
    const operands = rest.map(({ shape }) => shape).filter(shape => !shape.startsWith('-'))
    const into = [...valuesOf(rest, 't', 'target-directory'), ...operands.slice(-1)]
    return operands.length > 1 && (operands.slice(0, -1).some(one => form.test(one)) || has(rest, isForced)) ? into : []
  }
}
const never = /$^/

const layers: ReadonlyMap<string, Lays> = new Map(
  Object.entries<Lays>({
    tar,
    gtar: tar,
    bsdtar: tar,
    unzip: rest => (has(rest, /^-[A-Za-z]*[lptvzZ]/) ? [] : orHere(valuesOf(rest, 'd', 'directory'))),
    '7z': sevenZip,
    '7za': sevenZip,
    '7zz': sevenZip,
    cpio: rest =>
      has(rest, /^-[A-Za-z]*[ip]|^--(extract|pass-through)$/)
        ? [...orHere(valuesOf(rest, 'D', 'directory')), ...rest.slice(-1).map(({ shape }) => shape)]
        : [],
    pax: rest => (has(rest, /^-[A-Za-z]*r/) ? ['.', ...rest.slice(-1).map(({ shape }) => shape)] : []),
    patch: rest => (has(rest, /^--dry-run$/) ? [] : orHere(valuesOf(rest, 'd', 'directory'))),
    rsync: spills(/(^|\/)\.{0,2}$/, never),
    cp: spills(/(^|\/)\.{1,2}\/?$/, /^-[A-Za-z]*T|^--no-t/),
    // Where an address is kept stands elsewhere.
    wget: rest =>
      has(rest, /^-[A-Za-z]*[irm]|^--(input|recursive|mirror|content)/)
        ? orHere(valuesOf(rest, 'P', 'directory-prefix'))
        : [],
    curl: rest =>
      has(rest, /^-[A-Za-z]*[JK]|^--(remote-header|conf)/) ? orHere(valuesOf(rest, '\0', 'output-dir')) : [],
    ditto: spills(/./, never),
  }),
)

const writing = new Set(
  'checkout restore reset switch pull merge rebase cherry-pick revert stash apply am read-tree checkout-index'.split(
    ' ',
  ),
)

/** Files of a work tree, which may be said to lie anywhere. */
function byGit(rest: Words): readonly string[] {
  const { before, name = '', args } = gitCall(rest)
  if (!writing.has(name)) return []
  const said = before.flatMap(({ shape }, at) => {
    const value = /^--work-tree=(.+)$/s.exec(shape)?.[1]
    return value ?? (/^(-C|--work-tree)$/.test(shape) ? (before[at + 1]?.shape ?? []) : [])
  })
  const prefixes = name === 'checkout-index' ? valuesOf(args, '\0', 'prefix') : []
  const anywhere = name === 'apply' && has(args, /^--unsafe/) ? ['/'] : []
  return [...orHere(said), ...prefixes, ...anywhere]
}
