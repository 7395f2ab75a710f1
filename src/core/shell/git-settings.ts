/**
 * Settings of git: which ones make it run nothing, and when a call of `git config` changes another.
 * What is not clear counts as such a change. Up to 2.45 git knows options where later ones have a word (`--get`, `get`); it
 * ends its options at the first operand, and takes an action back again (`--get --no-get`), so all of them have to be known.
 */
import { type OptionReading, optionList, readOptions } from './options.js'
import { isOneWord, isStatic, literalWord, type ShellWord } from './words.js'

/** Changes names, colours and words, and runs nothing. `name`, or `name=value`. */
export function isHarmlessSetting(text: string): boolean {
  return /^(user|author|committer|color|advice|column|log|i18n)\.|^(init\.defaultbranch|core\.(quotepath|autocrlf|abbrev|filemode)|diff\.(renames|algorithm)|push\.default|pull\.(rebase|ff)|(commit|tag)\.gpgsign|gc\.auto|safe\.directory)(=|$)|^core\.(pager=(cat)?$|fsmonitor=(false)?$)/i.test(
    text,
  )
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
  const isKnown = isStatic(key!) && key!.shape.includes('.')
  if (operands.length === 1 && !isNamed && !has(setting)) return !isKnown
  return !isKnown || !isHarmlessSetting(key!.shape)
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
