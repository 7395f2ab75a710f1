/**
 * Programs that do their own work but can be told, by an option or a setting, to run something on the way.
 * R1 Most take a long option cut short, and a letter with others before it: `--to-comm`, `-cI`.
 * R2 A letter whose value is the rest of the word ends the letters: `-fI` is a file called `I`.
 */
import { isShippedWithGit } from './git-call.js'
import { throughGit } from './git-running.js'
import type { Launch } from './launch.js'
import { isStatic, literalWord, type ShellWord } from './words.js'

/** Undefined when nothing of the kind is asked. What would be run is guessed at; that something is, is a doubt. */
export function throughOptions(name: string, rest: readonly ShellWord[]): Launch | undefined {
  if (name === 'git') return throughGit(rest)
  // Each command of git is a program of its own as well, in a directory of git's.
  if (name.startsWith('git-') && isShippedWithGit(name.slice(4))) {
    const words = [literalWord(name.slice(4)), ...rest]
    const launch: Launch = throughGit(words) ?? { isTransparent: false, isGuess: true, commands: [], scripts: [] }
    return { ...launch, commands: [...launch.commands, [literalWord('git'), ...words]] }
  }
  const options = runningOptions.get(name)
  if (!options) return undefined
  const told = valuesGiven(rest, options)
  if (told.length === 0) return undefined
  const scripts = told.flatMap(commandsIn).filter(script => isStatic(literalWord(script)))
  return {
    isTransparent: false,
    isGuess: true,
    commands: [],
    scripts: scripts.slice(0, maxScripts),
    doubt: `${name} is told to run something, or may be later`,
  }
}

const maxScripts = 24

/** Options whose value is a command, or a file that says what to run. */
interface RunningOptions {
  readonly longs?: string
  readonly letters?: string
  /** Two letters that are one option. */
  readonly pair?: string
  /** Other letters that take a value. */
  readonly valued?: string
  /** The first word may be letters without a dash, whose values follow in their order: `cIf cmd a.tar`. */
  readonly hasBareLetters?: boolean
  /** A value of the letter `o` that runs nothing. */
  readonly harmless?: RegExp
  /** From this operand on the words are another command's. */
  readonly endsAtOperand?: number
}

const tar: RunningOptions = {
  longs:
    '--to-command --use-compress-program --checkpoint-action --info-script --new-volume-script --rsh-command --rmt-command',
  letters: 'IF',
  valued: 'bCfgHKLNTVX',
  hasBareLetters: true,
}

/** Settings of ssh that choose how and where to connect; all others may name a program or a library. */
const plainSsh = new RegExp(
  String.raw`^\s*(${[
    'StrictHostKeyChecking|UserKnownHostsFile|GlobalKnownHostsFile|CheckHostIP|HashKnownHosts|UpdateHostKeys|VisualHostKey',
    'ConnectTimeout|ConnectionAttempts|ServerAliveInterval|ServerAliveCountMax|TCPKeepAlive|BatchMode|LogLevel|Compression',
    'Port|User|HostName|HostKeyAlias|ProxyJump|AddressFamily|BindAddress|RequestTTY|ExitOnForwardFailure|ForwardAgent',
    'IdentityFile|IdentitiesOnly|PreferredAuthentications|NumberOfPasswordPrompts|(Password|Pubkey|KbdInteractive|GSSAPI)Authentication',
    'HostKeyAlgorithms|KexAlgorithms|Ciphers|MACs|PubkeyAccepted(KeyTypes|Algorithms)|Control(Master|Path|Persist)|SendEnv|SetEnv',
  ].join('|')})\s*[=\s][^\n]*$|^\s*ProxyCommand\s*[=\s]\s*none$`,
  'i',
)

const runningOptions: ReadonlyMap<string, RunningOptions> = new Map(
  Object.entries<RunningOptions>({
    rg: { longs: '--pre --hostname-bin' },
    sort: { longs: '--compress-program' },
    split: { longs: '--filter' },
    tar,
    gtar: tar,
    bsdtar: tar,
    rsync: { longs: '--rsh --rsync-path', letters: 'e', valued: 'BTMf' },
    ssh: { letters: 'oFI', valued: 'BbcDEeiJLlmOPpQRSWw', harmless: plainSsh, endsAtOperand: 2 },
    scp: { letters: 'SoDF', valued: 'ciJlPXM', harmless: plainSsh },
    sftp: { letters: 'SoDFb', valued: 'BciJlPRsX', harmless: plainSsh },
    mosh: { longs: '--ssh --client' },
    ncat: { longs: '--exec --sh-exec --lua-exec', letters: 'ec' },
    nc: { letters: 'ec' },
    man: { longs: '--pager --html --config-file', letters: 'PHC', valued: 'ELMRSTXemprs' },
    zip: { longs: '--unzip-command', pair: 'TT' },
  }),
)

/** Whole by themselves, and no others cut short. */
const otherOptions = new Set(['--checkpoint'])

function isRunning(option: string, { longs = '' }: RunningOptions): boolean {
  const names = longs.split(' ')
  if (names.includes(option)) return true
  return /^--./.test(option) && !otherOptions.has(option) && names.some(one => one.startsWith(option))
}

function valuesGiven(rest: readonly ShellWord[], options: RunningOptions): readonly string[] {
  const { endsAtOperand, hasBareLetters } = options
  const told: string[] = []
  let operands = 0
  for (let at = 0; at < rest.length; at++) {
    const { shape } = rest[at]!
    if (/^-./.test(shape)) {
      const { values, takesNext } = valueGiven(shape, rest[at + 1], options)
      told.push(...values)
      // Elsewhere a word too many is looked at rather than one too few.
      if (takesNext && endsAtOperand !== undefined) at++
    } else if (at === 0 && hasBareLetters) told.push(...bareValues(shape, rest.slice(1), options))
    else if (++operands === endsAtOperand) break
  }
  return told
}

interface Given {
  readonly values: readonly string[]
  readonly takesNext: boolean
}

function valueGiven(shape: string, next: ShellWord | undefined, options: RunningOptions): Given {
  const { letters = '', valued = '', pair, harmless } = options
  const equals = shape.indexOf('=')
  if (equals > 0 && isRunning(shape.slice(0, equals), options))
    return { values: [shape.slice(equals + 1)], takesNext: false }
  if (isRunning(shape, options)) return { values: [next?.shape ?? ''], takesNext: true }
  const paired = pair && !shape.startsWith('--') ? shape.indexOf(pair) : -1
  if (paired > 0) return { values: [shape.slice(paired + 2) || (next?.shape ?? '')], takesNext: false }
  const at = shape.startsWith('--') ? -1 : shape.split('').findIndex(letter => (letters + valued).includes(letter))
  if (at < 0) return { values: [], takesNext: false }
  const glued = shape.slice(at + 1)
  const value = glued || (next?.shape ?? '')
  const isHarmless = shape[at] === 'o' && harmless?.test(value) === true && isStatic(literalWord(value))
  return { values: letters.includes(shape[at]!) && !isHarmless ? [value] : [], takesNext: glued === '' }
}

function bareValues(shape: string, rest: readonly ShellWord[], { letters = '', valued = '' }: RunningOptions) {
  const taking = [...shape].filter(letter => (letters + valued).includes(letter))
  return taking.flatMap((letter, index) => (letters.includes(letter) ? [rest[index]?.shape ?? ''] : []))
}

/** `exec=cmd`, `ProxyCommand cmd`: the command after it, or the whole. */
function commandsIn(value: string): readonly string[] {
  const whole = value.replace(/^[\w.-]+=/, '')
  const afterName = /^\s*\w*Command\s*[=\s]\s*(.*)$/is.exec(value)?.[1]
  return afterName === undefined ? [whole] : [whole, afterName]
}
