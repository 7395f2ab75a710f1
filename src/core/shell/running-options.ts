/** Programs that do their own work but can be told, by an option or a setting, to run something on the way. */
import { isPlainGitCommand } from './git-call.js'
import { throughGit } from './git-running.js'
import type { Launch } from './launch.js'
import { isStatic, literalWord, type ShellWord } from './words.js'

/** Undefined when nothing of the kind is asked. What would be run is guessed at; that something is, is a doubt. */
export function throughOptions(name: string, rest: readonly ShellWord[]): Launch | undefined {
  if (name === 'git') return throughGit(rest)
  // Each command of git is a program of its own as well, in a directory of git's.
  if (name.startsWith('git-') && isPlainGitCommand(name.slice(4)))
    return throughGit([literalWord(name.slice(4)), ...rest])
  const options = runningOptions.get(name)
  if (!options) return undefined
  const told = rest.flatMap((word, index) => valueGiven(word, rest[index + 1], options))
  if (told.length === 0) return undefined
  const scripts = told.map(commandIn).filter(script => isStatic(literalWord(script)))
  return {
    isTransparent: false,
    isGuess: true,
    commands: [],
    scripts: scripts.slice(0, maxScripts),
    doubt: `${name} is told to run something, or may be later`,
  }
}

const maxScripts = 24

/** Options whose value is a command, by program. */
const runningOptions: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    rg: '--pre --hostname-bin',
    sort: '--compress-program',
    split: '--filter',
    tar: '-I -F --to-command --use-compress-program --checkpoint-action --info-script --new-volume-script --rsh-command',
    rsync: '-e --rsh --rsync-path',
    scp: '-S -o',
    sftp: '-S -o',
    man: '-P -H --pager --html',
    zip: '-TT --unzip-command',
  }).map(([name, options]) => [name, options.split(' ')]),
)

/** Whole by themselves, and no others cut short. */
const otherOptions = new Set(['--checkpoint'])

/** Most take a long option cut short as well. */
function isRunning(option: string, options: readonly string[]): boolean {
  if (options.includes(option)) return true
  return /^--./.test(option) && !otherOptions.has(option) && options.some(one => one.startsWith(option))
}

function valueGiven(word: ShellWord, next: ShellWord | undefined, options: readonly string[]): readonly string[] {
  const { shape } = word
  const equals = shape.indexOf('=')
  if (equals > 0 && isRunning(shape.slice(0, equals), options)) return [shape.slice(equals + 1)]
  if (isRunning(shape, options)) return [next?.shape ?? '']
  return /^-[A-Za-z]./.test(shape) && isRunning(shape.slice(0, 2), options) ? [shape.slice(2)] : []
}

/** `exec=cmd`: the command after it. */
function commandIn(value: string): string {
  return value.replace(/^[\w.-]+=/, '')
}
