/**
 * Words that are a path for certain, whatever they come to: the option or the variable they are given to is called after
 * one, or the command takes one there. Of `"$MODE"` for a program that nobody knows that cannot be said.
 */
import { anyText } from '../text/glob.js'
import { nameOf } from '../text/path-text.js'
import { gitCall } from './git-call.js'
import type { ShellCommand } from './reading.js'
import { usualName } from './usual-names.js'
import type { ShellWord } from './words.js'

export function toldPaths({ words: [called, ...rest] }: ShellCommand): ReadonlySet<ShellWord> {
  const name = usualName(nameOf(called?.shape ?? ''))
  const git = name === 'git' ? gitCall(rest) : undefined
  // `git $X` may go anywhere; to the commands of git the letter means something else.
  if (git && git.name === undefined) return new Set(rest)
  const going = git && new Set(git.before)
  return new Set(
    rest.filter((word, at) => {
      const before = rest[at - 1]
      const letters = `${lettersOf.get(name) ?? ''}${going?.has(word) === false ? '' : 'C'}`
      return takesPath(word.shape, letters, true) || (before && takesPath(before.shape, letters, false))
    }),
  )
}

/** Whether a name ends in a word for a path: `--out-dir`, `--coverageDirectory`, `GIT_WORK_TREE`. */
export function speaksOfPath(name: string): boolean {
  const last = name
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[-_.]/)
    .at(-1)
  return pathNames.has(last ?? '')
}

const pathNames = new Set(
  'dir directory directories path file folder cwd wd chdir root home prefix tree in infile input out outdir outfile output dest destination volume mount'.split(
    ' ',
  ),
)

function takesPath(shape: string, letters: string, isGlued: boolean): boolean {
  const [, name] = (isGlued ? /^--?([\w-]{2,}?)=/ : /^--?([\w-]{2,})$/).exec(shape) ?? []
  if (name !== undefined && speaksOfPath(name)) return true
  const [, letter = ''] = (isGlued ? gluedLetter : ownWord).exec(shape) ?? []
  return letter !== '' && letters.includes(letter)
}

const gluedLetter = new RegExp(`^-([A-Za-z])${anyText}+$`)
const ownWord = /^-[A-Za-z]*([A-Za-z])$/

const lettersOf: ReadonlyMap<string, string> = new Map(
  Object.entries({ curl: 'TK', docker: 'v', podman: 'v', nerdctl: 'v', sudo: 'D' }),
)
