/** Programs that do their own work but can be told, by an option or a setting, to run something on the way. */
import type { Launch } from './launch.js'
import { isStatic, literalWord, type ShellWord } from './words.js'

/** Undefined when nothing of the kind is asked. What would be run is guessed at; that something is, is a doubt. */
export function throughOptions(name: string, rest: readonly ShellWord[]): Launch | undefined {
  const options = runningOptions.get(name)
  if (!options) return undefined
  const values = rest.flatMap((word, index) => valueGiven(word, rest[index + 1], options))
  const told = name === 'git' ? values.filter(value => !isHarmlessSetting(value)) : values
  const remotes = rest.flatMap(({ shape }) => (/^ext::/.test(shape) ? [shape.slice('ext::'.length)] : []))
  const commands = name === 'git' ? gitCommands(rest) : []
  const setsGit = name === 'git' && rest.some(word => word.shape === 'config') && changesGit(rest)
  if (told.length + remotes.length + commands.length === 0 && !setsGit) return undefined
  const scripts = [...told.map(commandIn), ...remotes].filter(script => isStatic(literalWord(script)))
  return {
    isTransparent: false,
    isGuess: true,
    commands,
    scripts: scripts.slice(0, maxScripts),
    ...(setsGit && { changes: [literalWord(gitSettings(rest))] }),
    doubt: `${name} is told to run something, or may be later`,
  }
}

const maxScripts = 24

/** Options whose value is a command, by program. */
const runningOptions: ReadonlyMap<string, RegExp> = new Map([
  [
    'git',
    /^(-c|-x|-O|--exec|--extcmd|--config|--config-env|--exec-path|--git-dir|--upload-pack|--receive-pack|--open-files-in-pager)$/,
  ],
  ['rg', /^(--pre|--hostname-bin)$/],
  ['sort', /^--compress-program$/],
  ['split', /^--filter$/],
  [
    'tar',
    /^(-I|-F|--to-command|--use-compress-program|--checkpoint-action|--info-script|--new-volume-script|--rsh-command)$/,
  ],
  ['rsync', /^(-e|--rsh|--rsync-path)$/],
  ['scp', /^(-S|-o)$/],
  ['sftp', /^(-S|-o)$/],
  ['man', /^(-P|-H|--pager|--html)$/],
  ['zip', /^(-TT|--unzip-command)$/],
])

function valueGiven(word: ShellWord, next: ShellWord | undefined, options: RegExp): readonly string[] {
  const { shape } = word
  const equals = shape.indexOf('=')
  if (equals > 0 && options.test(shape.slice(0, equals))) return [shape.slice(equals + 1)]
  if (options.test(shape)) return [next?.shape ?? '']
  return /^-[A-Za-z]./.test(shape) && options.test(shape.slice(0, 2)) ? [shape.slice(2)] : []
}

/** `core.pager=cmd`, `alias.x=!cmd`, `exec=cmd`: the command after them. */
function commandIn(value: string): string {
  return value.replace(/^[\w.-]+=/, '').replace(/^!/, '')
}

/** `bisect run`, `submodule foreach`: everything after them is a command. */
function gitCommands(rest: readonly ShellWord[]): readonly (readonly ShellWord[])[] {
  const [first, second] = rest.map(word => word.shape)
  const isRunner = (first === 'bisect' && second === 'run') || (first === 'submodule' && rest.some(isForeach))
  if (!isRunner) return []
  const from = first === 'bisect' ? 2 : rest.findIndex(isForeach) + 1
  return [rest.slice(from)]
}

function isForeach(word: ShellWord): boolean {
  return word.shape === 'foreach'
}

/** Settings of git that change names, colours and words, and run nothing. */
function isHarmlessSetting(value: string): boolean {
  return /^(user|author|committer|color|advice|column|log|i18n|init)\.|^(core\.(quotepath|autocrlf|abbrev|filemode)|diff\.(renames|algorithm)|push\.default|pull\.(rebase|ff)|(commit|tag)\.gpgsign|gc\.auto|safe\.directory|core\.(pager=(cat)?$|fsmonitor=(false)?$))/i.test(
    value,
  )
}

/** The file `git config` writes. */
function gitSettings(rest: readonly ShellWord[]): string {
  if (rest.some(({ shape }) => shape === '--system')) return '/etc/gitconfig'
  return rest.some(({ shape }) => shape === '--global') ? '~/.gitconfig' : '.git/config'
}

function changesGit(rest: readonly ShellWord[]): boolean {
  const isReading = rest.some(({ shape }) =>
    /^(--get|--get-all|--get-regexp|--list|-l|get|list|--show-origin)$/.test(shape),
  )
  const key = rest.find(({ shape }) => /^[\w-]+\.\S/.test(shape))
  return !isReading && key !== undefined && !isHarmlessSetting(key.shape)
}
