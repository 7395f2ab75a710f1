/**
 * Settings of git: which ones make it run nothing, and when a call of `git config` changes another.
 * What is not clear counts as such a change. Up to 2.45 git knows options where later ones have a word (`--get`, `get`); it
 * ends its options at the first operand, and takes an action back again (`--get --no-get`), so all of them have to be known.
 */
import { type OptionReading, optionList, readOptions } from './options.js'
import { isOneWord, isStatic, literalWord, type ShellWord } from './words.js'

/**
 * Changes names, colours, words, or how git does what it is told, and runs nothing. `name`, or `name=value`. A remote is
 * named or has an ordinary address here: another one may be a command.
 */
export function isHarmlessSetting(text: string): boolean {
  return harmless.some(form => form.test(text))
}

/** Of these also what only shows how a looking command looks: none of what is shut off around it (safe-git.ts). */
export function isOnlyAppearance(text: string): boolean {
  return isHarmlessSetting(text) && appearance.test(text)
}

const keys = (section: string, names: string): RegExp => new RegExp(`^${section}\\.(${names})(=|$)`, 'i')

const harmless: readonly RegExp[] = [
  /^(user|author|committer|color|advice|column|i18n)\.|^log\.(?!showsignature)/i,
  keys('init', 'defaultbranch'),
  keys(
    'core',
    'quotepath|autocrlf|abbrev|filemode|eol|ignorecase|precomposeunicode|longpaths|preloadindex|untrackedcache|whitespace|commentchar',
  ),
  /^core\.(pager=(cat)?$|fsmonitor=(false)?$)/i,
  keys(
    'diff',
    'renames|renamelimit|algorithm|colormoved|colormovedws|context|interhunkcontext|mnemonicprefix|noprefix|statgraphwidth|indentheuristic|wserrorhighlight',
  ),
  keys('status', 'short|branch|showuntrackedfiles|relativepaths|renames|showstash|aheadbehind'),
  keys('push', 'default|autosetupremote|followtags'),
  keys('pull', 'rebase|ff'),
  keys('fetch', 'prune|prunetags|all|parallel|output|writecommitgraph|showforcedupdates'),
  keys('rebase', 'autostash|autosquash|updaterefs|stat|missingcommitscheck|abbreviatecommands|forkpoint'),
  keys('merge', 'conflictstyle|ff|stat|renames|renamelimit|log|verbosity|autostash|directoryrenames'),
  keys('rerere', 'enabled|autoupdate'),
  keys('branch', 'autosetupmerge|autosetuprebase|sort|[^=]+\\.(merge|rebase|description)'),
  /^(branch\.[^=]+\.(push)?remote|remote\.pushdefault)(=(\.|\w[\w./-]*))?$/i,
  /^remote\.[^=]+\.(push)?url(=(?!.*::)[\w@][\w@:/.~%+-]*)?$/i,
  /^remote\.[^=]+\.(fetch(=[\w+/:*.^-]*)?|(prune|tagopt)(=.*)?)$/i,
  keys('commit', 'gpgsign|verbose|status|cleanup'),
  keys('tag', 'gpgsign|sort'),
  keys('gc', 'auto'),
  keys('grep', 'linenumber|column|patterntype|extendedregexp|fullname'),
  keys('(checkout|worktree)', 'defaultremote|guess|guessremote'),
  keys('stash', 'showpatch|showstat|showincludeuntracked'),
  // A star would trust the repositories of everybody.
  /^safe\.directory(=[^*]*)?$/i,
]

const appearance =
  /^(color|advice|column)\.|^(core\.(quotepath|abbrev|pager|fsmonitor)|log\.(date|decorate|abbrevcommit)|diff\.(renames|renamelimit|algorithm|colormoved|mnemonicprefix|noprefix|statgraphwidth)|status\.\w+)(=|$)/i

/** A setting that may be shown: no token is kept in it, and what shuts programs off does not answer in its place. */
export const shownSetting =
  /^(user\.(name|email|signingkey)|init\.defaultbranch|core\.(autocrlf|eol|filemode|ignorecase|bare|quotepath)|(push|pull|fetch|rebase|color|branch)\.[\w./-]+|merge\.conflictstyle|rerere\.enabled|remote\.([\w./-]+\.(url|pushurl|fetch)|pushdefault))$/i

/** `core.pager=cmd`, `alias.x=!cmd`: the command in it. */
export function settingScripts(text: string): readonly string[] {
  const [key = '', value = key] = text.split(/=(.*)/s)
  return [value.startsWith('!') ? value.slice(1) : /^alias\./i.test(key) ? `git ${value}` : value]
}

/** The files a call of `git config` changes so that git may run something. `args` are the words after `config`. */
export function changedSettings(args: readonly ShellWord[], isMoved: boolean): readonly ShellWord[] {
  const isNamed = /^(set|unset)$/.test(args[0]?.shape ?? '')
  const reading = readOptions(isNamed ? args.slice(1) : args, { options, stopsAtOperand: true })
  return isChange(args, reading, isNamed) ? filesOf(reading, isMoved) : []
}

const lookingUp = '--get --get-all --get-regexp --get-urlmatch --get-color --get-colorbool --list -l --help -h'
const setting = '--add --replace-all --unset --unset-all --append --all'
const options = optionList(
  `${lookingUp} ${setting} --global --system --local --worktree -f: --file: --blob: -t: --type: --bool --int --bool-or-int --bool-or-str --path --expiry-date -z --null --name-only --show-origin --show-scope --includes --no-includes --default: --fixed-value --value: --url: --regexp --comment:`,
)

function isChange(args: readonly ShellWord[], reading: OptionReading | undefined, isNamed: boolean): boolean {
  // To a git that does not know these words they are no name of a setting.
  if (/^(get|list)$/.test(args[0]?.shape ?? '')) return false
  if (!reading) return !looksUpLast(args)
  const { given, operands } = reading
  const has = (names: string) => names.split(' ').some(name => given.has(name))
  if (has(lookingUp) || operands.length === 0) return false
  const [key] = operands
  // With a sign of equality in it, it only begins like another: `diff.renames=.textconv`.
  const isKnown = isStatic(key!) && /^[^=]*\.[^=]*$/.test(key!.shape)
  if (operands.length === 1 && !isNamed && !has(setting)) return !isKnown
  const value = operands[1] && !has('--unset --unset-all') ? `=${operands[1].shape}` : ''
  return !isKnown || !isHarmlessSetting(`${key!.shape}${value}`)
}

/** `git config --get "$KEY"`: one more word cannot make it another action and name a setting. */
function looksUpLast(args: readonly ShellWord[]): boolean {
  const reading = readOptions(args.slice(0, -1), { options, stopsAtOperand: true })
  const isLookingUp = lookingUp.split(' ').some(name => reading?.given.has(name))
  return isLookingUp && reading?.operands.length === 0 && isOneWord(args.at(-1)!)
}

/** `isMoved`: options of git itself may say where a file it names lies. */
function filesOf(reading: OptionReading | undefined, isMoved: boolean): readonly ShellWord[] {
  const own = literalWord('.git/config')
  if (!reading) return [own]
  const { given, values } = reading
  const files = values.filter(([option]) => option === '-f' || option === '--file').map(([, file]) => file)
  if (files.length > 0) return isMoved ? [...files, own] : files
  if (given.has('--system')) return [literalWord('/etc/gitconfig')]
  return [given.has('--global') ? literalWord('~/.gitconfig') : own]
}
