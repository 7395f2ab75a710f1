/**
 * Commands that run other commands. Looking through one gives what it runs.
 * 1. `transparent`: adds nothing of its own; what it runs must be allowed for itself.
 * 2. `opaque`: what it runs is judged against deny and ask, and the launcher needs leave of its own (sudo, ssh, watch).
 * 3. Where the options are not understood the reading says so, and every later word counts as a possible command.
 */
import { anyText } from '../text/glob.js'
import { endOfRun, runBy, unknownFrom } from './found-files.js'
import type { Launch } from './launch.js'
import { type OptionReading, optionList, readOptions } from './options.js'
import { throughOptions } from './running-options.js'
import { throughKeys } from './typed-keys.js'
import { usualName } from './usual-names.js'
import { isDangerousVariable } from './variables.js'
import { isOneWord, isStatic, literalWord, type ShellWord } from './words.js'

/** Undefined for a command that runs no other. `name` is the bare name, `words[0]` the command as called. */
export function lookThrough(name: string, words: readonly ShellWord[]): Launch | undefined {
  const rest = words.slice(1)
  if (shells.has(name)) return throughShell(name, rest)
  if (name === 'find') return throughFind(name, rest)
  if (name === 'fd' || name === 'fdfind') return throughFind(name, rest.map(asFdReads))
  if (name === 'env') return throughEnv(rest)
  if (name === 'xargs') return throughXargs(rest)
  if (name === 'eval') return throughEval(rest)
  if (name === 'trap' || name === 'alias') return throughStrings(name, rest)
  if (name === 'jobs' && rest.some(word => /^-[a-z]*x|[\u0001-\u0003]/.test(word.shape)))
    return { ...possible(rest), doubt: 'jobs -x runs a command' }
  const wrapper = wrappers.get(name)
  if (wrapper) return throughWrapper(name, rest, wrapper)
  const told = throughKeys(name, rest) ?? throughOptions(usualName(name), rest)
  if (opaqueLaunchers.has(name)) return besides({ ...possible(rest), ...wentTo(name, rest) }, told)
  if (told) return told
  return opaqueBuiltins.get(name)
}

interface Wrapper {
  readonly options: string
  /** Operands before the command: a duration, a mask. */
  readonly skip?: number
  readonly takesNumbers?: boolean
  /** Only tells about the command under one of these. */
  readonly queries?: readonly string[]
  readonly doubt?: string
}

const wrappers: ReadonlyMap<string, Wrapper> = new Map(
  Object.entries({
    timeout: { options: '-k: -s: -v -f -p --kill-after: --signal: --foreground --preserve-status --verbose', skip: 1 },
    time: { options: '-p -v -f: --portability --verbose --format:' },
    nice: { options: '-n: --adjustment:', takesNumbers: true },
    ionice: { options: '-c: -n: -t --class: --classdata: --ignore' },
    nohup: { options: '' },
    setsid: { options: '-c -f -w --ctty --fork --wait' },
    stdbuf: { options: '-i: -o: -e: --input: --output: --error:' },
    command: { options: '-p -v -V', queries: ['-v', '-V'] },
    builtin: { options: '' },
    taskset: { options: '-c', skip: 1 },
    busybox: { options: '' },
    toybox: { options: '' },
    noglob: { options: '' },
    nocorrect: { options: '' },
    unbuffer: { options: '-p' },
    exec: { options: '-c -l -a:', doubt: 'exec replaces the shell' },
  } satisfies { readonly [name: string]: Wrapper }),
)

const shells = new Set('sh bash dash zsh ksh ksh93 mksh ash rbash fish csh tcsh yash'.split(' '))

export function isShell(name: string): boolean {
  return shells.has(name)
}

const opaqueLaunchers = new Set(
  (
    'sudo sudoedit doas su sg catchsegv runuser pkexec run0 chroot ssh mosh watch parallel script flock strace ltrace gdb valgrind perf systemd-run unshare nsenter ' +
    'setpriv capsh chrt setarch linux32 linux64 prlimit cgexec numactl proxychains proxychains4 torsocks torify firejail bwrap flatpak snap xvfb-run dbus-run-session ' +
    'dbus-launch start-stop-daemon daemonize entr at batch crontab expect tmux screen caffeinate arch ld.so ld-linux.so.2 ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 ' +
    'xterm urxvt konsole gnome-terminal xfce4-terminal x-terminal-emulator alacritty foot kitty kitten wezterm zellij tilix terminator ' +
    'coproc rlwrap socat npx pnpx bunx uvx pipx doppler direnv dotenv op aws-vault faketime fakeroot eatmydata'
  ).split(' '),
)

const opaqueBuiltins: ReadonlyMap<string, Launch> = new Map(
  Object.entries({
    source: 'source runs a file',
    '.': 'source runs a file',
    hash: 'hash can make a name run another program',
    enable: 'enable can load code',
    shopt: 'shopt changes how the line is read',
    bind: 'bind can run commands',
    complete: 'complete can run commands',
    mapfile: 'mapfile can run commands',
    readarray: 'readarray can run commands',
    let: 'arithmetic can run commands',
    compgen: 'compgen can run commands',
    compopt: 'compopt changes what completion runs',
    fc: 'fc runs earlier commands again',
  }).map(([name, doubt]) => [
    name,
    { isTransparent: false, commands: [], scripts: [], doubt, changesWildcards: name === 'shopt' },
  ]),
)

function throughWrapper(name: string, rest: readonly ShellWord[], wrapper: Wrapper): Launch {
  const { options, skip = 0, takesNumbers = false } = wrapper
  const reading = readOptions(rest, { options: optionList(options), stopsAtOperand: true, takesNumbers })
  if (!reading) return { ...possible(rest), doubt: `the options of ${name} are not understood` }
  if (wrapper.queries?.some(query => reading.given.has(query))) return nothingRun
  if (!reading.operands.slice(0, skip).every(isOneWord))
    return { ...possible(rest), doubt: `what ${name} is given may be several words, and one of them a command` }
  const inner = reading.operands.slice(skip)
  const doubt = inner.length > 0 && wrapper.doubt ? { doubt: wrapper.doubt } : {}
  const emptiesEnvironment = name === 'exec' && reading.given.has('-c')
  return { isTransparent: true, commands: inner.length > 0 ? [inner] : [], scripts: [], emptiesEnvironment, ...doubt }
}

const nothingRun: Launch = { isTransparent: true, commands: [], scripts: [] }

function throughShell(name: string, rest: readonly ShellWord[]): Launch {
  const { script, isCommand, isOdd } = shellArguments(rest)
  if (!isCommand) return { ...possible(rest), doubt: `${name} takes its commands from elsewhere` }
  if (!script || !isStatic(script)) return { ...possible(rest), doubt: `what ${name} -c runs is not known beforehand` }
  const isOther = isOdd || /^(fish|zsh|t?csh|ksh(93)?|mksh|yash)$/.test(name)
  const doubt = isOther ? { doubt: `${name} may not read this as bash does`, changesWildcards: true } : {}
  return { isTransparent: !isOther, commands: [], scripts: [script.shape], ...doubt }
}

const oddOptions = /^--(?!(norc|noprofile|noediting|login|verbose)$).|^[-+][a-zA-Z]*O/
const plainSettings = /^(pipefail|errexit|nounset)$/

/** Options may stand on both sides of `-c`, and each `o` among their letters takes a word of its own: `-oc errexit 'ls'`. */
function shellArguments(rest: readonly ShellWord[]): { script?: ShellWord; isCommand: boolean; isOdd: boolean } {
  let [at, isCommand, isOdd] = [0, false, false]
  for (; at < rest.length && /^[-+]/.test(rest[at]!.shape); at++) {
    const { shape } = rest[at]!
    if (shape === '--' || shape === '-') {
      at++
      break
    }
    const taken = shape.startsWith('--')
      ? Number(/^--(rcfile|init-file)$/.test(shape))
      : shape.replace(/[^oO]/g, '').length
    const values = rest.slice(at + 1, at + 1 + taken)
    // Most of them change how the line is read: `-O dotglob`, `-o posix`, a file that is run first.
    isOdd ||= oddOptions.test(shape) || !values.every(word => plainSettings.test(word.shape))
    at += taken
    isCommand ||= /^-[a-zA-Z]*c[a-zA-Z]*$/.test(shape)
  }
  const script = rest[at]
  return { ...(script && { script }), isCommand, isOdd }
}

function throughFind(name: string, rest: readonly ShellWord[]): Launch | undefined {
  const commands: ShellWord[][] = []
  const directories: ShellWord[] = []
  for (let index = 0; index < rest.length; index++) {
    if (/^(--exec|--exec-batch)=|^-[xX]./.test(rest[index]!.shape) && !/^-xdev$|^-xtype$/.test(rest[index]!.shape))
      return { ...possible(rest), doubt: 'an option that runs something is glued to its command' }
    if (!/^(-exec|-execdir|-ok|-okdir|-x|-X|--exec|--exec-batch)$/.test(rest[index]!.shape)) continue
    // It runs where each file lies, which may be anywhere below.
    if (rest[index]!.shape.endsWith('dir')) directories.push({ shape: anyText, source: '…' })
    const from = index + 1
    const at = index
    index = endOfRun(rest, from) - 1
    const isFound = name === 'find' && rest[at]!.shape === '-exec'
    commands.push(isFound ? [...runBy(rest, at)] : rest.slice(from, index + 1).map(unknownFrom))
  }
  return commands.length > 0 ? { isTransparent: false, commands, scripts: [], directories } : undefined
}

/** Of several letters in one word the first that takes a value has the rest of it: `-Hx`, and `-exml` is no `-x`. */
function asFdReads(word: ShellWord): ShellWord {
  const [, runner] = /^-[^-dteESocjC]*?([xX].*)$/s.exec(word.shape) ?? []
  return runner === undefined ? word : { ...word, shape: `-${runner}` }
}

const envOptions = optionList('-i -u: -0 -v -C:path --ignore-environment --unset: --null --debug --chdir:path')

function throughEnv(rest: readonly ShellWord[]): Launch {
  const split = rest.findIndex(word => /^(-[iv0]*S|--split-string)/.test(word.shape))
  if (split >= 0) {
    const text = rest[split]!.shape.replace(/^(-[iv0]*S|--split-string)=?/, '')
    const script = [text, ...rest.slice(split + 1).map(word => word.shape)].join(' ').trim()
    const doubt = 'env -S splits a text of its own'
    const moved = /(?:^|\s)(?:-[a-zA-Z0]*C|--c)|\$/.test(script) ? somewhere : {}
    return { ...possible(rest.slice(split + 1)), ...moved, scripts: [script], emptiesEnvironment: true, doubt }
  }
  const reading = readOptions(rest, { options: envOptions, stopsAtOperand: true })
  if (!reading) {
    const doubt = 'the options of env are not understood'
    return { ...possible(rest), ...(mayGo(rest) ? somewhere : {}), emptiesEnvironment: true, doubt }
  }
  // A dash alone is `-i`.
  const isDashed = reading.operands[0]?.shape === '-'
  const emptiesEnvironment = isDashed || reading.given.has('-i') || reading.given.has('--ignore-environment')
  const operands = reading.operands.slice(isDashed ? 1 : 0)
  const first = operands.findIndex(word => !/^[A-Za-z_]\w*=/.test(word.shape))
  const inner = first < 0 ? [] : operands.slice(first)
  const assignments = first < 0 ? operands : operands.slice(0, first)
  if (!assignments.every(isOneWord))
    return {
      ...possible(rest),
      emptiesEnvironment: true,
      doubt: 'what env sets may be several words, and one of them a command',
    }
  const doubt =
    emptiesEnvironment || takesAway(reading) ? { doubt: 'env takes variables away that keep commands harmless' } : {}
  // Without a command env prints every variable, which is no harmless thing to show.
  return {
    isTransparent: inner.length > 0,
    commands: inner.length > 0 ? [inner] : [],
    scripts: [],
    assignments,
    directories: reading.files,
    emptiesEnvironment,
    ...doubt,
  }
}

/** A word that is not known may be `-C` with its directory. */
function mayGo(rest: readonly ShellWord[]): boolean {
  return rest.some(word => !isStatic(word) || /^-[a-zA-Z0]*C|^--c/.test(word.shape))
}

/** What keeps git from running a repository's programs is handed over in variables. Any number may be taken away. */
function takesAway({ values }: OptionReading): boolean {
  const names = values.filter(([option]) => option === '-u' || option === '--unset').map(([, name]) => name)
  return names.some(name => !isStatic(name) || isDangerousVariable(name.shape))
}

const xargsOptions = optionList(
  '-0 -r -t -p -x -o -a:path -d: -E: -I: -L: -n: -P: -s: -i? -l? -e? --null --no-run-if-empty --verbose --interactive --exit --arg-file:path --delimiter: --eof? --replace? --max-lines? --max-args: --max-procs: --max-chars:',
)

function throughXargs(rest: readonly ShellWord[]): Launch {
  const reading = readOptions(rest, { options: xargsOptions, stopsAtOperand: true })
  if (!reading) return { ...possible(rest), doubt: 'the options of xargs are not understood' }
  const { files } = reading
  if (reading.operands.length === 0) return { isTransparent: true, commands: [], scripts: [], files }
  const replacing = ['-I', '-i', '--replace'].filter(option => reading.given.has(option))
  const replaced = replacing[0] && (reading.given.get(replacing[0])?.shape ?? '{}')
  // Of several the last one counts, and the reading does not keep their order.
  if (replacing.length > 1 || replaced === '')
    return { ...possible(rest), files, doubt: 'which text xargs replaces is not certain' }
  const inner = reading.operands.map(word =>
    replaced ? { ...word, shape: word.shape.replaceAll(replaced, anyText) } : word,
  )
  const given = [...inner, { shape: anyText, source: '…' }]
  // Where it replaces it adds nothing, unless a later option takes that back.
  return { isTransparent: true, commands: replaced ? [inner, given] : [given], scripts: [], files }
}

function throughEval(rest: readonly ShellWord[]): Launch {
  const text = rest.map(word => word.shape).join(' ')
  const scripts = rest.every(isStatic) ? [text] : []
  return { isTransparent: true, commands: [], scripts, doubt: 'eval runs text' }
}

function throughStrings(name: string, rest: readonly ShellWord[]): Launch {
  const texts = rest
    .filter(word => isStatic(word) && word.shape !== '--')
    .map(word => word.shape.slice(name === 'alias' ? word.shape.indexOf('=') + 1 : 0))
  return {
    isTransparent: false,
    commands: [],
    // Whoever calls it by that name gives it more words.
    scripts: name === 'trap' ? texts.slice(0, 1) : texts.map(text => `${text} "$@"`),
    doubt: `${name} keeps commands for later`,
  }
}

const somewhere: Pick<Launch, 'directories'> = { directories: [{ shape: anyText, source: '…' }] }

/** `sudo -D "$X" cat a`: what is run counts from there. */
function wentTo(name: string, rest: readonly ShellWord[]): Pick<Launch, 'directories'> {
  const goes = rest.some(({ shape }, at) => {
    if (!going.test(shape) && !(name === 'sudo' && shape === '-D')) return false
    return !isStatic(shape.includes('=') ? rest[at]! : (rest[at + 1] ?? rest[at]!))
  })
  return goes ? somewhere : {}
}

const going = /^--(?:chdir|cwd|wd|working-dir[a-z]*)(?:=|$)/

/** What it may be told to run on its own account, besides what it is there to run. */
function besides(launch: Launch, told: Launch | undefined): Launch {
  return told ? { ...told, ...launch, scripts: [...launch.scripts, ...told.scripts] } : launch
}

const maxStarts = 24

/** Every word may be where the command begins, and every word with blanks may be a script. */
function possible(rest: readonly ShellWord[]): Launch {
  const starts = rest.flatMap((word, index) => (word.shape.startsWith('-') ? [] : [rest.slice(index)]))
  const values = rest.map(word => word.shape.replace(/^-{0,2}[\w.-]+[=:]/, ''))
  const scripts = values.filter(value => /\s/.test(value) && isStatic(literalWord(value)))
  const isMore = Math.max(starts.length, scripts.length) > maxStarts
  return {
    isTransparent: false,
    isGuess: true,
    commands: starts.slice(0, maxStarts),
    scripts: scripts.slice(0, maxStarts),
    ...(isMore && { doubt: 'any of very many words may be what is run' }),
  }
}
