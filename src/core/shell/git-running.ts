/**
 * Ways to tell git to run something: by an option, a setting, an address, or as the rest of the line.
 * G1 Git takes a long option cut short, and a letter with others before it: `rebase --ex`, `rebase -ix`.
 * G2 A command git does not ship with may be an alias of any: there every such option counts.
 */

import { anyText } from '../text/glob.js'
import { type GitCall, gitCall, isPlainGitCommand } from './git-call.js'
import { changedSettings, isHarmlessSetting, settingScripts } from './git-settings.js'
import type { Launch } from './launch.js'
import { isStatic, literalWord, type ShellWord } from './words.js'

/** `rest` are the words after `git`. What would be run is guessed at; that something is, is a doubt. */
export function throughGit(rest: readonly ShellWord[]): Launch | undefined {
  const call = gitCall(rest)
  const told = valuesIn(call).filter(({ text, isSetting }) => !(isSetting && isHarmlessSetting(text)))
  const remotes = rest.flatMap(({ shape }) => addressIn(shape))
  const commands = commandsIn(call)
  const moved = movesRepository(call) ? [literalWord('.git')] : []
  const laid = laysHooks(call) ? [literalWord('.git/hooks')] : []
  const changes = [...changesIn(call), ...moved, ...laid]
  if (told.length + remotes.length + commands.length + changes.length === 0) return undefined
  const texts = commands
    .filter(([first]) => /\s/.test(first!.shape))
    .map(words => words.map(one => one.shape).join(' '))
  const scripts = [...told.flatMap(one => scriptsOf(one, call)), ...remotes, ...texts].filter(script =>
    isStatic(literalWord(script)),
  )
  return {
    isTransparent: false,
    isGuess: true,
    commands,
    scripts: scripts.slice(0, maxScripts),
    changes,
    doubt: 'git is told to run something, or may be later',
  }
}

const maxScripts = 24

interface Told {
  readonly text: string
  /** `name=value`. */
  readonly isSetting: boolean
}

function valuesIn({ before, name, args }: GitCall): readonly Told[] {
  const letters = lettersOf(name)
  const longs = longsOf(name)
  return [
    ...before.flatMap((word, index) =>
      word.shape === '-c' ? [{ text: before[index + 1]?.shape ?? '', isSetting: true }] : [],
    ),
    ...[before, args].flatMap(words => words.flatMap((word, index) => longValue(word, words[index + 1], longs))),
    ...args.flatMap((word, index) => letterValue(word, args[index + 1], letters)),
  ]
}

interface LongOptions {
  readonly names: readonly string[]
  readonly form: RegExp
}

/** Options of git itself and of commands of many kinds. */
const anywhere = 'exec extcmd config config-env exec-path git-dir upload-pack receive-pack open-files-in-pager'.split(
  ' ',
)

const ofCommands: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    'filter-branch': 'setup env-filter tree-filter index-filter parent-filter msg-filter commit-filter tag-name-filter',
    'send-email': 'to-cmd cc-cmd header-cmd sendmail-cmd smtp-server',
    instaweb: 'httpd browser',
    svn: 'authors-prog',
    daemon: 'access-hook',
    // What lies in there become hooks.
    init: 'template',
    'init-db': 'template',
    clone: 'template',
  }).map(([name, options]) => [name, options.split(' ')]),
)

function longsOf(name: string | undefined): LongOptions {
  const own = ofCommands.get(name ?? '') ?? (isPlainGitCommand(name) ? [] : [...ofCommands.values()].flat())
  // Written in Perl, whose options may have one dash or a plus.
  return { names: [...anywhere, ...own], form: /^(svn|send-email)$/.test(name ?? '') ? /^(?:--?|\+)/ : /^--/ }
}

function longValue({ shape }: ShellWord, next: ShellWord | undefined, { names, form }: LongOptions): readonly Told[] {
  if (!form.test(shape)) return []
  const [option = '', given] = shape.split(/=(.*)/s)
  const name = option.replace(form, '').toLowerCase()
  if (name === '' || otherOptions.has(name) || !names.some(one => one.startsWith(name))) return []
  const text = given ?? next?.shape ?? ''
  // A host is not run, and an empty directory has nothing that could be.
  if ((name === 'smtp-server' && isStatic(literalWord(text)) && !/^[/~]/.test(text)) || (name === 'template' && !text))
    return []
  if (name === 'config-env') return [{ text: settingByVariable(text), isSetting: true }]
  return [{ text, isSetting: 'config'.startsWith(name) }]
}

/** `core.pager=X` by `--config-env`: what the variable `X` holds. The name ends at the last sign of equality. */
function settingByVariable(text: string): string {
  const [, key = ''] = /^([^=]*)=[^=]*$/s.exec(text) ?? []
  return `${key}=${anyText}`
}

/** Whole by themselves, and no others cut short. */
const otherOptions = new Set(['to', 'cc', 'author'])

interface Letters {
  readonly running: string
  /** What follows in the word is their value. */
  readonly valued: string
}

const lettersOfCommands: ReadonlyMap<string, Letters> = new Map(
  Object.entries({
    rebase: { running: 'x', valued: 'CsXS' },
    difftool: { running: 'x', valued: 't' },
    clone: { running: 'uc', valued: 'objl' },
    grep: { running: 'O', valued: 'ABCefm' },
    instaweb: { running: 'db', valued: 'mp' },
  }),
)

function lettersOf(name: string | undefined): Letters {
  const known = lettersOfCommands.get(name ?? '')
  if (known) return known
  return { running: isPlainGitCommand(name) ? '' : 'cxOu', valued: '' }
}

function letterValue({ shape }: ShellWord, next: ShellWord | undefined, { running, valued }: Letters): readonly Told[] {
  if (!/^-[A-Za-z0-9]/.test(shape)) return []
  for (let at = 1; at < shape.length; at++) {
    const letter = shape[at]!
    if (running.includes(letter)) {
      const text = shape.slice(at + 1) || (next?.shape ?? '')
      return [{ text, isSetting: letter === 'c' }]
    }
    if (valued.includes(letter)) return []
  }
  return []
}

/** `core.pager=cmd`, `alias.x=!cmd`: the command in them; to an alias belongs what it is given in the same line. */
function scriptsOf({ text, isSetting }: Told, { name, args }: GitCall): readonly string[] {
  if (!isSetting) return [text]
  const [key = ''] = text.split('=')
  const [script = ''] = settingScripts(text)
  const isCalled = key.toLowerCase() === `alias.${name?.toLowerCase()}` && args.length > 0
  return isCalled ? [script, [script, ...args.map(({ shape }) => quoted(shape))].join(' ')] : [script]
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** `ext::sh -c it% all`: an address that is a command. */
function addressIn(shape: string): readonly string[] {
  const at = shape.indexOf('ext::')
  return at < 0 ? [] : [shape.slice(at + 'ext::'.length).replaceAll('% ', '\\ ')]
}

type Words = readonly ShellWord[]

/** Where everything after a word of the line is a command. */
function commandsIn({ name, args }: GitCall): readonly Words[] {
  const after = (isStart: (word: ShellWord) => boolean) => {
    const start = args.findIndex(isStart)
    return start < 0 ? [] : args.slice(start + 1)
  }
  const isWord =
    (...texts: readonly string[]) =>
    (word: ShellWord) =>
      texts.includes(word.shape) || !isStatic(word)
  switch (name) {
    case 'bisect':
      return [...bothWays(after(isWord('visualize', 'view'))), ...started(after(isWord('run')))]
    case 'bisect--helper':
      return started(after(isWord('--bisect-run')))
    case 'submodule':
    case 'submodule--helper':
      return started(after(isWord('foreach')))
    case 'for-each-repo':
      return bothWays(args)
    case 'merge-index':
      return started(args)
    case 'remote-ext':
      return started(args.slice(1))
    case undefined:
      return args.flatMap((word, index) => (runners.has(word.shape) ? started(args.slice(index + 1)) : []))
    default:
      return []
  }
}

const runners = new Set('run foreach --bisect-run merge-index remote-ext visualize view'.split(' '))

/** Options before the command are the runner's own. */
function started(words: Words): readonly Words[] {
  const start = words.findIndex(({ shape }) => !shape.startsWith('-'))
  return start < 0 ? [] : [words.slice(start)]
}

/** A command of git, or one with its name. */
function bothWays(words: Words): readonly Words[] {
  return started(words).flatMap(one => [one, [literalWord('git'), ...one]])
}

/** Where the command cannot be told, any word may be it. */
function changesIn({ before, name, args }: GitCall): Words {
  if (name !== undefined) return changedBy(name, args, before.length > 0)
  return args.flatMap((word, at) => changedBy(word.shape, args.slice(at + 1), true))
}

function changedBy(name: string, args: Words, isMoved: boolean): Words {
  if (name === 'config') return changedSettings(args, isMoved)
  const action = args.find(({ shape }) => !shape.startsWith('-'))?.shape ?? ''
  // Enters the repository in the user's settings, for what the system starts at set times.
  if (name === 'maintenance') return /^(un)?register$|^start$|^stop$/.test(action) ? [usersSettings] : []
  if (name !== 'lfs' || !/^(un)?install$|^update$/.test(action)) return []
  return args.some(({ shape }) => shape === '--skip-repo') ? [usersSettings] : [literalWord('.git/hooks')]
}

const usersSettings = literalWord('~/.gitconfig')

/** `clone -c core.fsmonitor=x`: kept in the settings of the new repository, and may run something there. */
export function setsUpClone(rest: readonly ShellWord[]): boolean {
  const call = gitCall(rest)
  if (call.name !== 'clone') return false
  return valuesIn({ ...call, before: [] }).some(({ text, isSetting }) => isSetting && !isHarmlessSetting(text))
}

/** What lies in a template becomes part of the repository, hooks included, also of one that is there already. */
function laysHooks({ before, name, args }: GitCall): boolean {
  if (isPlainGitCommand(name) && name !== 'init') return false
  const isSet = before.some(({ shape }, at) => {
    const isValue = /^(-c|--config-env)$/.test(before[at - 1]?.shape ?? '')
    return /^init\.templatedir=./is.test(isValue ? shape : shape.replace(/^--config-env=/, ''))
  })
  const isGiven = ({ shape }: ShellWord, at: number) => {
    const [option = '', value = args[at + 1]?.shape ?? ''] = shape.split(/=(.*)/s)
    return /^--t/.test(option) && '--template'.startsWith(option) && value !== ''
  }
  return (isSet && name !== undefined) || args.some(isGiven)
}

/** `init --separate-git-dir=x` lays the hooks and settings of a repository where their names protect them no more. */
function movesRepository({ name, args }: GitCall): boolean {
  const isMoving = /^(init|init-db|clone)$/.test(name ?? '') || !isPlainGitCommand(name)
  return (
    isMoving && args.some(({ shape }) => /^--sep?/.test(shape) && '--separate-git-dir'.startsWith(shape.split('=')[0]!))
  )
}
