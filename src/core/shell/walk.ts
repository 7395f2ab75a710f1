/** The walk over a syntax tree that collects what a command line runs, reads, writes and leaves in doubt. */
import { anyText, isCertain } from '../text/glob.js'
import { nameOf } from '../text/path-text.js'
import { type Bindings, readBindings } from './bindings.js'
import { isPlainRedirection } from './descriptors.js'
import { evaluatedBy, evaluatedIn, evaluatedName, makesTable } from './evaluating.js'
import type {
  AssignmentNode,
  CommandNode,
  LoopNode,
  RedirectNode,
  ScriptNode,
  ShellNode,
  WordNode,
  WordPartNode,
} from './grammar.js'
import { guessedCommands } from './guessed-commands.js'
import type { Launch } from './launch.js'
import { isShell, lookThrough } from './launchers.js'
import { misreadScript } from './misread.js'
import { type Collector, LimitPassed, type ShellCommand, type ShellTarget, shellLimits } from './reading.js'
import { risksOf } from './risky-syntax.js'
import { type Settled, settledIn } from './settled-variables.js'
import { type PlainSteps, stepsIn } from './steps-in-order.js'
import { scriptsInVariable } from './told-by-variables.js'
import { alternatives } from './values.js'
import { isDangerousVariable, isHarmlessValue, isPlainValue } from './variables.js'
import { listedBy } from './wildcards.js'
import { isStatic, literalWord, resolveAssignment, resolveWord, type ShellWord, type WordContext } from './words.js'

/** The names of the programs that a path leads to over links, counted from these directories. */
export type ProgramsAt = (path: string, from: readonly string[]) => readonly string[]

export interface Walk extends WordContext {
  readonly reading: Collector
  readonly programsAt?: ProgramsAt | undefined
  /** How many shells inside shells we are in. */
  readonly depth: number
  /** Inside a loop or a function, which may run more than once. */
  readonly isRepeated: boolean
  readonly role: 'plain' | 'possible'
  /** Inside what takes all variables away. */
  readonly isBare?: boolean
  /** Variables set for the launchers we are in. */
  readonly around: readonly string[]
  /** What is assigned here are the pairs of a table: `declare -A`. */
  readonly isTable?: boolean
  /** What variables may hold. */
  readonly bindings: Bindings
  /** Where the line begins, if its commands may stand in a plain order. */
  readonly stepsFrom?: string | undefined
  readonly steps?: PlainSteps | undefined
  /** A `cd` among the steps. */
  readonly isStep?: boolean
  /** The directory of the step we are in. */
  readonly at?: string
  readonly settledAt?: ReadonlyMap<ShellNode, Settled> | undefined
}

export function walkScript(text: string, { loop: _, settled: __, ...walk }: Walk): void {
  if (walk.depth > shellLimits.nesting) throw new LimitPassed(`shells nested deeper than ${shellLimits.nesting}`)
  const script = walk.grammar.parse(text)
  const bindings = text.includes('$') ? readBindings(script, walk, walk.bindings) : walk.bindings
  const steps = walk.depth === 0 && walk.stepsFrom ? stepsIn(script, walk.stepsFrom, walk.grammar) : undefined
  walk.reading.visit(steps?.visited ?? [])
  visit(script, text, { ...walk, bindings, steps, settledAt: settledIn(script, text, walk, bindings) })
}

function visit(node: ShellNode, text: string, around: Walk): void {
  const at = around.steps?.places.get(node)
  const known = around.settledAt?.get(node)
  const walk = at === undefined && !known ? around : { ...around, ...(at && { at }), ...(known && { settled: known }) }
  const loop = node.type === 'For' ? loopIn(node as LoopNode, walk) : walk.loop
  const isRepeated = walk.isRepeated || repeating.has(node.type)
  const isTable = node.type === 'Command' && makesTable(node as CommandNode)
  const inside = { ...walk, isRepeated, isTable, ...(loop && { loop }) }
  for (const sentence of risksOf(node)) doubt(walk, sentence)
  checks.get(node.type)?.(node as never, walk, text)
  const source = (node as { source?: string }).source ?? text
  walk.grammar.children(node, child => visit(child, source, inside))
}

const repeating = new Set(['For', 'While', 'Select', 'ArithmeticFor', 'Function'])

/** `for f in *.ts`: in the body `"$f"` is what the wildcard picks, and nothing else. */
function loopIn({ name, wordlist }: LoopNode, walk: Walk): Walk['loop'] {
  const words = wordlist?.length === 1 ? resolveWord(wordlist[0]!, walk) : []
  if (words.length !== 1 || words[0]!.shape.includes(anyText) || !walk.bindings.isSetOnce(name.value)) return walk.loop
  return new Map([...(walk.loop ?? []), [name.value, words[0]!.shape]])
}

type Check = (node: never, walk: Walk, text: string) => void

const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['Script', checkScript],
  ['Command', checkCommand],
  ['Redirect', checkRedirect],
  ['Assignment', checkAssignment],
  ['For', checkLoop],
  ['Select', checkLoop],
  ['CommandExpansion', checkSubstitution],
  ['ProcessSubstitution', checkSubstitution],
  ['ParameterExpansion', checkParameter],
])

function checkScript(node: ScriptNode, walk: Walk, text: string): void {
  if (node.errors?.length) doubt(walk, 'the line is not complete or not valid')
  const misread = misreadScript(text)
  if (misread) doubt(walk, misread)
}

function checkLoop({ name, wordlist = [] }: LoopNode, walk: Walk): void {
  checkUnseen(name.value, walk)
  list(wordlist, walk)
}

/** The line may show what their wildcards pick, by a variable that holds it. */
function list(words: readonly WordNode[], walk: Walk): void {
  const shapes = words.flatMap(word => resolveWord(word, walk)).flatMap(({ shape }) => listedBy(shape))
  for (const shape of new Set(shapes)) target(walk, { word: literalWord(shape), access: 'list', isGuess: false })
}

/** Set to something that is not looked at. */
function checkUnseen(name: string, walk: Walk, value = anyText): void {
  checkVariable(name, walk, value)
  const evaluated = evaluatedName(name)
  if (evaluated) doubt(walk, evaluated)
}

function checkSubstitution(node: WordPartNode, walk: Walk): void {
  if (!node.script) doubt(walk, 'a substitution could not be read')
}

function checkCommand(node: CommandNode, walk: Walk, text: string): void {
  if (!node.name) return
  const args = node.args.flatMap(arg =>
    arg.type === 'Word' ? resolveWord(arg as WordNode, walk) : [resolveAssignment(arg as AssignmentNode, walk)],
  )
  const words = [...resolveWord(node.name, walk), ...args]
  const variables: string[] = []
  walk.grammar.children(node, child => {
    if (child.type === 'Assignment' && !node.args.includes(child as AssignmentNode))
      variables.push(...tellingName(resolveAssignment(child as AssignmentNode, walk).shape, child as AssignmentNode))
  })
  const fed = node.redirects.flatMap(({ body, target, type }) => {
    if (type === 'HereDoc') return body ? [body.text] : []
    if (type !== 'HereString' || !target) return []
    const shapes = resolveWord(target, walk).map(word => word.shape)
    return [...new Set([...shapes, ...alternatives(target, walk, walk.bindings.values)])]
  })
  const isStep = walk.steps?.moves.has(node) === true
  run({ words, source: text.slice(node.pos, node.end), variables, fed }, isStep ? { ...walk, isStep } : walk)
  for (const guess of guessedCommands(node, words, walk, walk.bindings.values)) {
    // What blanks in a value take apart may be an operator: `x='-v a[…]'; [ $x ]`.
    const evaluated = evaluatedBy(guess[0]!.shape, guess)
    if (evaluated) doubt(walk, evaluated)
    run({ words: guess, source: written(guess), variables, fed, isGuess: true }, { ...walk, role: 'possible' })
  }
}

/** The name of what is set, unless its value is known to change nothing. */
function tellingName(shape: string, { name, value, append }: AssignmentNode): readonly string[] {
  return !append && isHarmlessValue(name, value ? shape.slice(name.length + 1) : '') ? [] : [name]
}

type Called = Omit<ShellCommand, 'role' | 'around'>

function run(called: Called, walk: Walk): void {
  const { words, fed, variables } = called
  const name = words[0]!
  const bare = nameOf(name.shape)
  const launch = lookThrough(bare, words)
  const role = launch?.isTransparent ? 'transparent' : walk.role
  const where = walk.at === undefined ? {} : { at: walk.at }
  walk.reading.addCommand({ ...called, role, around: walk.around, ...(walk.isBare && { isBare: true }), ...where })
  const inside = { ...walk, around: [...walk.around, ...variables] }
  if (!isStatic(name)) doubt(walk, `which command ${clip(name.source)} is cannot be told beforehand`)
  else if (/^$|^=|[\s'"\\$`|&;<>(){}*?!]|[^\x20-\x7e]/.test(name.shape))
    doubt(walk, `${clip(name.source)} is no plain command name`)
  if (bare === 'set' && words.some(word => /^-[a-z]*a|^allexport$/.test(word.shape))) exportAll(walk)
  if ((bare === 'cd' || bare === 'pushd') && !walk.isStep) changeDirectory(bare, words, walk)
  if (settingBuiltins.has(bare) && !(bare === 'printf' && !words[1]?.shape.startsWith('-v')))
    for (const word of words.slice(1)) checkSetting(bare, word, walk)
  for (const exported of exportedNames(bare, words)) walk.reading.exported.add(exported)
  const evaluated = evaluatedBy(bare, words)
  if (evaluated) doubt(walk, evaluated)
  if (launch) follow(launch, fed, inside)
  const others = isStatic(name) ? (walk.programsAt?.(name.shape, walk.at ? [walk.at] : walk.reading.places) ?? []) : []
  for (const led of others.flatMap(other => lookThrough(other, words) ?? []))
    follow({ ...led, isGuess: true }, fed, inside)
  // Text fed to a shell is run by it.
  if ([bare, ...others].some(isShell))
    for (const script of fed) walkScript(script, { ...inside, depth: walk.depth + 1, role: 'possible' })
}

function exportAll(walk: Walk): void {
  walk.reading.exportsAll = true
  doubt(walk, 'set -a gives every variable to what runs next')
}

/** `export A B=1`, `declare -x C`. */
function exportedNames(bare: string, words: readonly ShellWord[]): readonly string[] {
  const isExporting =
    bare === 'export' || (/^(declare|typeset|local)$/.test(bare) && words.some(word => /^-[a-zA-Z]*x/.test(word.shape)))
  if (!isExporting) return []
  return words.slice(1).flatMap(({ shape }) => {
    const [, name, value = anyText] = /^([A-Za-z_]\w*)(?:=(.*))?/s.exec(shape) ?? []
    return name === undefined || isHarmlessValue(name, value) ? [] : [name]
  })
}

const settingBuiltins = new Set(
  'export declare typeset local readonly read printf getopts unset mapfile readarray wait'.split(' '),
)

function follow(launch: Launch, fed: readonly string[], outer: Walk): void {
  const assigned = (launch.assignments ?? []).map(({ shape }) => shape.split(/=(.*)/s))
  const walk = {
    ...outer,
    around: [
      ...outer.around,
      ...assigned.flatMap(([name = '', value = anyText]) => (isHarmlessValue(name, value) ? [] : [name])),
    ],
    ...(launch.emptiesEnvironment && { isBare: true }),
  }
  if (launch.doubt) doubt(walk, launch.doubt)
  if (launch.changesWildcards) walk.reading.changesWildcards = true
  for (const [name = '', value] of assigned) checkVariable(name, walk, value)
  for (const word of launch.directories ?? []) move(staticShape(word), walk)
  const role = launch.isGuess ? 'possible' : walk.role
  for (const word of launch.files ?? []) target(walk, { word, access: 'read', isGuess: role === 'possible' })
  for (const word of launch.changes ?? []) target(walk, { word, access: 'write', isGuess: false })
  // Guesses begin at every word already, so a guess inside a guess adds nothing.
  if (!(launch.isGuess && walk.role === 'possible'))
    for (const words of launch.commands)
      if (words[0]) run({ words, source: written(words), variables: [], fed }, { ...walk, role })
  for (const script of launch.scripts) walkScript(script, { ...walk, depth: walk.depth + 1, role })
}

function changeDirectory(name: string, words: readonly ShellWord[], walk: Walk): void {
  const targets = words.slice(1).filter(word => !/^(-[Ln]+|--)$/.test(word.shape))
  const target = targets[0]
  const isKnown = targets.length === 1 && target !== undefined && !/^[-+]\d*$/.test(target.shape)
  const path = isKnown ? staticShape(target) : targets.length === 0 && name === 'cd' ? walk.home : undefined
  // A wildcard picks one of the directories it fits.
  if (isKnown && path === undefined && !target.shape.includes(anyText)) walk.reading.mayEnter(target.shape)
  move(path, walk)
}

function move(path: string | undefined, walk: Walk): void {
  if (walk.at !== undefined) walk.reading.isOutOfOrder = true
  walk.reading.enterDirectory(path, walk.isRepeated)
}

function checkRedirect(node: RedirectNode, walk: Walk): void {
  const { operator, target: written, descriptor } = node
  if (descriptor?.name?.includes('[')) doubt(walk, 'an array index can run commands')
  else if (descriptor?.name) checkUnseen(descriptor.name, walk)
  const words = written ? resolveWord(written, walk) : []
  const word = words[0]
  if (!word || !written || words.length > 1) {
    doubt(walk, 'a redirection has no single target')
    walk.reading.hasPlainDescriptors = false
    return
  }
  if (node.type === 'Redirect' && !isPlainRedirection({ operator, descriptor, word }))
    walk.reading.hasPlainDescriptors = false
  const isDescriptor = /^(\d+-?|-)$/.test(word.shape)
  if (operator === '<&' || (operator === '>&' && isDescriptor)) {
    if (!isDescriptor) doubt(walk, `${clip(written.text)} is no plain descriptor`)
    return
  }
  if (word.shape.startsWith('!')) doubt(walk, 'some shells read >! as a redirection of its own')
  if (/^\/dev\/(tcp|udp)\//.test(word.shape)) doubt(walk, 'the redirection opens a network connection')
  const access = operator === '<' ? 'read' : 'write'
  target(walk, { word, access, isGuess: walk.role === 'possible' })
  if (!isStatic(word))
    for (const shape of alternatives(written, walk, walk.bindings.values))
      if (shape !== word.shape) target(walk, { word: { shape, source: written.text }, access, isGuess: true })
}

function target(walk: Walk, found: ShellTarget): void {
  walk.reading.addTarget(walk.at === undefined ? found : { ...found, at: walk.at })
}

function checkAssignment(node: AssignmentNode, walk: Walk): void {
  const { shape } = resolveAssignment(node, walk)
  checkVariable(node.name, walk, node.value ? shape.slice(node.name.length + 1) : '')
  if (node.append) checkRest(node.name, walk)
  list((node.value as { elements?: readonly WordNode[] } | undefined)?.elements ?? [], walk)
  const evaluated = evaluatedIn(node, walk.isTable === true)
  if (evaluated) doubt(walk, evaluated)
}

function checkSetting(builtin: string, word: ShellWord, walk: Walk): void {
  // Bash takes such a word apart once more: an index is evaluated, and a list in quotes is expanded.
  if (/^\w+\[(?!\d+\])/.test(word.shape) || /^[^=]*=\s*\(/.test(word.shape))
    doubt(walk, 'an array index or a list in quotes can run commands')
  const [, name, sets, value] = /^([A-Za-z_]\w*)(\+?=|$)(.*)/s.exec(word.shape) ?? []
  // `export X` leaves it what it is.
  const isLeft = sets === '' && /^(export|declare|typeset|readonly)$/.test(builtin)
  if (name) checkUnseen(name, walk, sets || isLeft ? value : anyText)
  if (name && (isLeft || sets === '+=')) checkRest(name, walk)
  if (!name && !isStatic(word) && !/^[^\u0001-\u0003=]*=/.test(word.shape))
    doubt(walk, 'which variable is set cannot be told beforehand')
}

function checkVariable(name: string, walk: Walk, value = anyText): void {
  if (!isPlainValue(value)) walk.reading.unplain.add(name)
  for (const text of new Set([value, ...walk.bindings.values(name)])) {
    walk.reading.addAssignment(name, text, walk.at)
    for (const script of scriptsInVariable(name, text))
      if (script.trim() !== '' && isCertain(script))
        walkScript(script, { ...walk, depth: walk.depth + 1, role: 'possible' })
  }
  if (name.startsWith('OFFSHOOT'))
    walk.reading.refuse('own-controls', 'how Offshoot knows its runs is not theirs to change.')
  if (name === 'GIT_TEMPLATE_DIR' && value !== '')
    target(walk, { word: literalWord('.git/hooks'), access: 'write', isGuess: walk.role === 'possible' })
  if (name === 'GLOBIGNORE') walk.reading.changesWildcards = true
  if (isDangerousVariable(name, value)) doubt(walk, `setting ${name} changes what commands do`)
}

/** It keeps what it held, before what is added to it or alone: no value that is seen here makes it harmless. */
function checkRest(name: string, walk: Walk): void {
  if (isDangerousVariable(name)) doubt(walk, `setting ${name} changes what commands do`)
}

/** `${x:=value}` sets it. */
function checkParameter({ operation, parameter, text }: WordPartNode, walk: Walk): void {
  if (operation?.type === 'Default' && /^\$\{\w+:?=/.test(text)) checkVariable(parameter ?? '', walk)
}

/** What is only guessed at raises no doubts of its own. */
function doubt(walk: Walk, sentence: string): void {
  if (walk.role === 'plain') walk.reading.doubts.add(sentence)
}

function staticShape(word: ShellWord): string | undefined {
  return isStatic(word) ? word.shape : undefined
}

function written(words: readonly ShellWord[]): string {
  return words.map(word => word.source).join(' ')
}

function clip(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
