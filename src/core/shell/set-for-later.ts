/**
 * Programs that hand something to the system, which runs it later or at once, outside of every run: at a set time, at the
 * next login, as a service, in the shell that comes by. What they write is not named, and a sandbox does not hold it.
 * L1 A tool of a project is the same through whatever runs it: `npx husky`, `uv run pre-commit`, `node_modules/.bin/husky`.
 * L2 Where the line leaves to a running shell what is started, or gives code to an interpreter, the words that are spelled
 *    out count: `f() { "$@"; }; f crontab x`. So does what is typed into another shell, piece by piece.
 * L3 A copy of such a program has another name, under which nobody would know it at the next call: `cp /usr/bin/crontab c`.
 */
import { anyText, globMatches, literalGlob } from '../text/glob.js'
import { nameOf } from '../text/path-text.js'
import { type HandsOver, laterPrograms } from './later-programs.js'
import { isShell } from './launchers.js'
import { isInterpreter } from './mentions.js'
import type { ShellCommand } from './reading.js'
import { typedBy } from './typed-keys.js'
import { isStatic, literalWord, type ShellWord } from './words.js'

/** Where a program that is called by a path really lies, over every link on the way. */
export type Leads = (path: string) => readonly string[]

/** The program that does it, by name. */
export function handsToSystem({ words, role }: Pick<ShellCommand, 'words' | 'role'>, leads: Leads): string | undefined {
  return role === 'transparent' ? undefined : handedOver(words, leads)
}

export const runsOutside = (program: string): string =>
  `${program} sets up something that runs as you, outside of every run; look at it`

/** L3 The program that it makes a copy of, by name. `isWriting`: the line writes what its commands print. */
export function copiesProgram(
  { words: [called, ...rest], role }: ShellCommand,
  isWriting: boolean,
): string | undefined {
  const name = nameOf(called?.shape ?? '')
  if (role === 'transparent' || !(copiers.test(name) || (isWriting && printsFiles.test(name)))) return undefined
  for (const { shape, source } of rest) {
    const path = shape.replace(/^\w+=/, '')
    const asked = /(?:\$\(|`)\s*(?:which|command -v|type -[pP])\s+([\w.-]+)\s*[)`]/.exec(source)?.[1]
    const program = asked ?? (installed.test(path) ? nameOf(path) : undefined)
    if (program !== undefined && ofSystem.test(program)) return program
  }
  return undefined
}

export const copied = (program: string): string =>
  `it makes a copy of ${program}, under whose name nobody would know that it sets up what runs later; look at it`

const copiers = /^(?:cp|mv|install|dd|rsync|scp|ditto|gcp|gmv|ginstall|gdd)$/
const printsFiles = /^(?:cat|gcat|tee|head|tail|tac|base64|xxd|gzip|zstd|xz|tar|sed|awk)$/
/** Of the others nobody would copy the program to hide what is started. */
const ofSystem =
  /^(?:f?crontab|at|batch|systemctl|systemd-run|loginctl|busctl|dbus-send|gdbus|launchctl|schtasks(?:\.exe)?|chsh|usermod|direnv)$/

/** L2 `line`: as written. */
export function mayHandToSystem(commands: readonly ShellCommand[], line: string): readonly string[] {
  const shown = commands.filter(({ role }) => role !== 'transparent')
  const own = shown.filter(({ isGuess }) => !isGuess)
  const isFed = own.some(isFedShell)
  const isBlind = isFed || own.some(isUnnamed) || commands.some(isBlindEval)
  const printed = isFed ? 'for a shell' : isPrintedForOthers(commands, line) ? 'for others' : 'to be read'
  const halves = own.filter(isHalfSpelled).flatMap(({ words }) => piecesOf([words[0]!.shape]))
  const typed = own.map(({ words: [called, ...rest] }) => typedBy(nameOf(called?.shape ?? ''), rest) ?? '').join('')
  const spelledOut = [
    ...halves,
    ...piecesOf([typed]),
    ...(isBlind ? shown.flatMap(command => startsIn(command, printed)) : []),
  ]
  const started = spelledOut.filter(isLikely).flatMap(words => handedOver(words, () => []) ?? [])
  return [...started, ...own.flatMap(namedInCode)]
}

const isUnnamed = ({ words: [called], role }: ShellCommand): boolean =>
  role === 'plain' && called?.shape.includes(anyText) === true

/** A script for somebody that a variable ends: `sh -c "crontab $F"`, `su -c "crontab $F"`. */
const isHalfSpelled = ({ words: [called], role }: ShellCommand): boolean =>
  role === 'possible' && called !== undefined && !isStatic(called) && /\s/.test(called.shape)

/** It takes what it runs from a pipe; a here-document is read as what it is. */
const isFedShell = ({ words: [called, ...rest], fed }: ShellCommand): boolean =>
  fed.length === 0 &&
  called !== undefined &&
  isShell(nameOf(called.shape)) &&
  rest.every(({ shape }) => /^-(?![a-zA-Z]*c)/.test(shape))

const isBlindEval = ({ words: [called, ...rest] }: ShellCommand): boolean =>
  called?.shape === 'eval' && !rest.every(isStatic)

/** A program of the workspace may bear one of the names; what a project has installed is what it is called. */
const installed =
  /^(\/usr|\/usr\/local|\/opt\/[^/]+|\/run\/current-system\/sw|\/nix\/store\/[^/]+)?\/s?bin\/[^/]+$|\/(node_modules\/\.bin|\.?venv\/bin)\/[^/]+$/

const onlyAsks = (rest: readonly ShellWord[]): boolean =>
  rest.length === 1 && /^(--help|--version|-h|-V)$/.test(rest[0]!.shape)

type Words = readonly ShellWord[]

function handedOver([called, ...rest]: Words, leads: Leads): string | undefined {
  if (!called || called.shape.includes(anyText)) return undefined
  const names = isStatic(called) ? namesOf(called.shape, leads) : pickedBy(called.shape)
  for (const name of names.map(plainName)) {
    if (laterPrograms.get(name)?.(rest) && !onlyAsks(rest)) return name
    const found = runBy(name, rest).flatMap(words => toolIn(words, leads) ?? [])[0]
    if (found !== undefined) return found
  }
  return undefined
}

const namesOf = (called: string, leads: Leads): readonly string[] =>
  called.includes('/') ? leads(called).filter(path => installed.test(path)) : [called]

/** `/usr/bin/cr*b` */
function pickedBy(called: string): readonly string[] {
  if (!installed.test(called)) return []
  return [...laterPrograms.keys()].filter(name => globMatches(literalGlob(`/${name}`), `/${nameOf(called)}`))
}

/** `schtasks.exe`, `husky@9`, `pip3.11`. */
const plainName = (path: string): string =>
  nameOf(path)
    .replace(/(?<=.)@[\w.^~-]*$/, '')
    .replace(/\.exe$/i, '')
    .replace(/^pip[\d.]+$/, 'pip')

const tools = new Set('pre-commit prek lefthook husky overcommit simple-git-hooks pip'.split(' '))

function toolIn([called, ...rest]: Words, leads: Leads): string | undefined {
  if (!called || !isStatic(called)) return undefined
  const isPath = called.shape.includes('/')
  const name = isPath ? undefined : plainName(called.shape)
  return isPath || tools.has(name!) ? handedOver([called, ...rest], leads) : undefined
}

/** Words after which a program runs another one; `takesName`: or whatever it is given first. */
const runners: ReadonlyMap<string, { readonly verbs: string; readonly takesName?: boolean }> = new Map(
  Object.entries({
    npm: { verbs: 'exec x' },
    pnpm: { verbs: 'exec dlx', takesName: true },
    yarn: { verbs: 'exec dlx run', takesName: true },
    bun: { verbs: 'x run', takesName: true },
    uv: { verbs: 'run' },
    ...Object.fromEntries('poetry pdm hatch pipenv rye pixi'.split(' ').map(name => [name, { verbs: 'run' }])),
    bundle: { verbs: 'exec' },
    mise: { verbs: 'exec x' },
    asdf: { verbs: 'exec' },
  }),
)

const maxStarts = 8

/** What a runner may run: options before it may take a word each. */
function runBy(name: string, rest: Words): readonly Words[] {
  if (/^(python|pypy)[\d.]*$/.test(name)) {
    const at = rest.findIndex(({ shape }) => shape === '-m')
    const [module, ...given] = at < 0 ? [] : rest.slice(at + 1)
    if (module) return [[literalWord(module.shape.replaceAll('_', '-')), ...given]]
  }
  const first = rest.findIndex(({ shape }) => !shape.startsWith('-'))
  const runner = runners.get(name)
  if (!runner) return isInterpreter(name) && first >= 0 ? [rest.slice(first)] : []
  const at = rest.findIndex(({ shape }) => runner.verbs.split(' ').includes(shape))
  const named = runner.takesName && first >= 0 ? [rest.slice(first)] : []
  return [...named, ...(at < 0 ? [] : tailsOf(rest.slice(at + 1)).slice(0, maxStarts))]
}

const tailsOf = (words: Words): readonly Words[] =>
  words.flatMap((word, index) => (word.shape.startsWith('-') ? [] : [words.slice(index)]))

/** Who gets what a line prints: mostly whoever reads along. */
type Printed = 'for a shell' | 'for others' | 'to be read'

const printers = /^(?:echo|printf|cat|tee)$/
const takers = /^(?:read|mapfile|readarray|xargs|parallel)$/

const isPrintedForOthers = (commands: readonly ShellCommand[], line: string): boolean =>
  commands.some(({ words: [called] }) => takers.test(called?.shape ?? '')) ||
  /(?:\$\(|`|<\()[^)`]*\b(?:echo|printf|cat)\b/.test(line)

/** Where a command may begin in words that another one is given, and in texts that may be scripts. */
function startsIn({ words: [called, ...rest], fed }: ShellCommand, printed: Printed): readonly Words[] {
  const isPrinter = printers.test(called?.shape ?? '')
  if (isPrinter && printed === 'to be read') return []
  const starts = startsOf(rest)
  const isScript = (at: number) => starts.includes(at) || scriptOption.test(rest[at - 1]?.shape ?? '')
  const mayBeScripts = isPrinter || printed === 'for a shell' ? rest : rest.filter((_, at) => isScript(at))
  const isGiven = printed !== 'to be read' || called?.shape.includes(anyText)
  const texts = [...mayBeScripts.map(({ shape }) => shape).filter(shape => /\s/.test(shape)), ...(isGiven ? fed : [])]
  const tails = isPrinter ? tailsOf(rest) : starts.map(at => rest.slice(at))
  return [...tails.slice(0, maxTails), ...piecesOf(texts)]
}

const piecesOf = (scripts: readonly string[]): readonly Words[] =>
  scripts
    .flatMap(text => text.split(/[;&|\n(){}`]+|\\n/))
    .slice(0, maxTails)
    .map(piece =>
      piece
        .split(/[\s'"]+/)
        .filter(Boolean)
        .map(literalWord),
    )

const maxTails = 64
const scriptOption = /^-[a-zA-Z]*[ce]$|^--(?:command|eval|exec)$/

/** Behind options, their values, numbers and what passes on: `$SUDO -u me crontab x`, but not `$PYTHON -m pytest -k crontab`. */
function startsOf(words: Words): readonly number[] {
  const found: number[] = []
  let hasOperand = false
  for (const [at, { shape }] of words.entries()) {
    if (shape.startsWith('-')) continue
    const mayBeValue = words[at - 1]?.shape.startsWith('-') === true
    if (!mayBeValue || !hasOperand) found.push(at)
    if (!mayBeValue && !passesOn.test(shape)) break
    hasOperand = true
  }
  return found
}

const passesOn = /^(?:\d+[smh]?|\w+=.*|sudo|doas|env|nice|nohup|time|timeout|exec|command|setsid|stdbuf|ionice|xargs)$/s

/** `at` and `batch` are words like others unless a time or a file follows. */
const isLikely = ([called, ...rest]: Words): boolean =>
  !/^(?:at|batch)$/.test(called?.shape ?? '') ||
  rest.some(({ shape }) => /^(?:-f.*|now|noon|midnight|teatime|tomorrow|\d.*)$/s.test(shape))

/** Words that are common in code, or of which the name alone counts, say nothing there. */
const inCode = [...laterPrograms].filter(([name]) =>
  /^(f?crontab|systemctl|systemd-run|loginctl|schtasks|launchctl|direnv|pre-commit|lefthook)$/.test(name),
)

/** `os.system("crontab x")`, `run(["systemctl", "enable", "x"])`. */
function namedInCode({ words: [called, ...rest], fed }: ShellCommand): readonly string[] {
  if (!called || !isInterpreter(called.shape) || laterPrograms.has(called.shape)) return []
  const name = nameOf(called.shape)
  // What make is given by itself is something to be made.
  const given = rest.map(({ shape }) => shape).filter(shape => !/^g?make$/.test(name) || /[\s;]/.test(shape))
  const code = [...given, ...fed].join('\n')
  if (languages.test(name) && !startsPrograms(code, name)) return []
  return inCode
    .filter(([name, handsOver]) => code.includes(name) && isStartedIn(code, name, handsOver))
    .map(([name]) => name)
}

const languages = /^(?:python|pypy|node|nodejs|deno|bun|perl|ruby|php|[gmn]?awk)[\d.]*$/

/** Whether it calls what starts programs: to print, seek or replace a name is not to start it. */
function startsPrograms(code: string, language: string): boolean {
  return calls.test(code) || (/^(?:perl|ruby|php)/.test(language) ? /`|\bqx\b|%x/ : /\$`/).test(code)
}

const calls =
  /(?:exec|spawn|system(?!ctl|d)|popen|run|call|output|command|passthru|proc_open|start|shell)\w*(?:\s*[([]|\s+["'])|(?<!\|)\|\s*["']|["']\s*\|(?!\|)|child_process|subprocess|\b(?:system|exec\w*|spawn\w*|popen|fork|pty)\b/i

function isStartedIn(code: string, name: string, handsOver: HandsOver): boolean {
  const form = new RegExp(String.raw`(?<![\w.-])${name}(?![\w.-])((?:['"]?[\s,[{]+['"]?[\w@%+=:./-]+)+)`, 'g')
  return [...code.matchAll(form)].some(([, given = '']) =>
    handsOver(
      given
        .split(/[\s'",[{]+/)
        .filter(Boolean)
        .map(literalWord),
    ),
  )
}
