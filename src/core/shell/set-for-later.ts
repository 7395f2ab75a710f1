/**
 * Programs that hand something to the system, which runs it later or at once, outside of every run: at a set time, at the
 * next login, as a service, in the shell that comes by. What they write is not named, and a sandbox does not hold it.
 * What is not known to only look or to take away counts as handing over.
 */
import { nameOf } from '../text/path-text.js'
import { type OptionRules, optionList, readOptions } from './options.js'
import type { ShellCommand } from './reading.js'
import { isStatic, type ShellWord } from './words.js'

/** The program that does it, by name. `leads`: where a program that is called by a path really lies. */
export function handsToSystem(
  { words: [called, ...rest], role }: Pick<ShellCommand, 'words' | 'role'>,
  leads: readonly string[] = [],
): string | undefined {
  if (!called || role === 'transparent' || !isStatic(called)) return undefined
  const names = called.shape.includes('/') ? leads.filter(path => installed.test(path)).map(nameOf) : [called.shape]
  return names.find(name => programs.get(name)?.(rest) && !onlyAsks(rest))
}

export const runsOutside = (program: string): string =>
  `${program} sets up something that runs as you, outside of every run; look at it`

/** A program of the workspace may bear one of the names. */
const installed = /^(\/usr|\/usr\/local|\/opt\/[^/]+|\/run\/current-system\/sw|\/nix\/store\/[^/]+)?\/s?bin\/[^/]+$/

const onlyAsks = (rest: readonly ShellWord[]): boolean =>
  rest.length === 1 && /^(--help|--version|-h|-V)$/.test(rest[0]!.shape)

type HandsOver = (rest: readonly ShellWord[]) => boolean

/** One of these, with no option besides that is not known: `-l` may stand beside another action. */
const unlessGiven = (one: string, options: string, mayHaveOperands: boolean): HandsOver => {
  const rules: OptionRules = { options: optionList(`${one} ${options}`) }
  const actions = one.split(' ').map(option => option.replace(':', ''))
  return rest => {
    const reading = readOptions(rest, rules)
    const isOther = !reading || !actions.some(action => reading.given.has(action))
    return isOther || (!mayHaveOperands && reading.operands.length > 0)
  }
}

const anyWord =
  (verbs: string): HandsOver =>
  rest =>
    rest.some(({ shape }) => verbs.split(' ').includes(shape))

const crontab = unlessGiven('-l -T:', '-u:', false)
const at = unlessGiven('-l -c -d -r', '-q: -o: -v', true)
const inScope = optionList(
  '--scope --user --system -u: --unit: -p: --property: --description: --slice: --slice-inherit --uid: --gid: --nice: ' +
    '-d --same-dir --working-directory: -E: --setenv: -q --quiet -G --collect --no-ask-password',
)

const programs: ReadonlyMap<string, HandsOver> = new Map(
  Object.entries<HandsOver>({
    crontab,
    fcrontab: crontab,
    at: rest => rest.length > 0 && at(rest),
    batch: () => true,
    systemctl: anyWord(
      'enable reenable link edit add-wants add-requires preset preset-all set-default set-environment import-environment',
    ),
    // In a scope it stays a process of ours.
    'systemd-run': rest => !readOptions(rest, { options: inScope, stopsAtOperand: true })?.given.has('--scope'),
    launchctl: anyWord('load bootstrap submit enable setenv config'),
    'update-rc.d': anyWord('defaults enable'),
    'rc-update': anyWord('add'),
    chkconfig: anyWord('on --add'),
    // What a project has lying there is run by the shell that comes by.
    direnv: anyWord('allow permit grant edit'),
    mise: anyWord('trust'),
    // They lay hooks into the repository.
    'pre-commit': anyWord('install init-templatedir'),
    lefthook: anyWord('install'),
    husky: rest => !anyWord('uninstall')(rest),
    overcommit: anyWord('--install'),
    'simple-git-hooks': () => true,
  }),
)
