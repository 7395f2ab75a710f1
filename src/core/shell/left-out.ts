/**
 * Words by which a command is told what to leave alone: `--exclude=.git`, `-g '!.git'`, `-path ./.git -prune -o`. Such a
 * word names nothing that could be changed. What lies below a directory that is worked on counts as it does without it.
 * L1 A value that is a word of its own counts only for a program that is known to take one there.
 * L2 Such an option counts only where it cannot be the value of the word before it.
 * L3 Of find only forms under which no later test or action can be about what is left out, and every word of which is known.
 */
import { nameOf } from '../text/path-text.js'
import { endOfRun } from './found-files.js'
import { usualName } from './usual-names.js'
import { isStatic, type ShellWord } from './words.js'

export function leftOut([called, ...words]: readonly ShellWord[]): ReadonlySet<ShellWord> {
  if (!called || !isStatic(called) || called.shape.includes('/')) return new Set()
  const name = usualName(nameOf(called.shape))
  if (name === 'find') return new Set(leftOutByFind(words))
  // It deletes what is left out, at the other end.
  if (name === 'rsync' && words.some(({ shape }) => /^--(del|remove)/.test(shape))) return new Set()
  const valued = valuedOptions.get(name)
  const last = words.findIndex(
    ({ shape }) => shape === '--' || (/^fd/.test(name) && /^(-[^-]*[xX]|--exec)/.test(shape)),
  )
  return new Set(
    words.flatMap((word, index) => {
      const { shape } = word
      if (!isStatic(word)) return []
      if (gluedOption.test(shape) || (name === 'rg' && /^(-g|--i?glob=)!/.test(shape))) return [word]
      if (!valued?.test(shape) || (last >= 0 && last < index) || mayBeValue(name, words, index)) return []
      const next = name === 'zip' ? untilOption(words.slice(index + 1)) : words.slice(index + 1, index + 2)
      return next.filter(value => isStatic(value) && (name !== 'rg' || value.shape.startsWith('!')))
    }),
  )
}

const gluedOption = /^--(exclude|exclude-dirs?|exclude-pattern|ignore|ignore-dirs?|ignore-pattern|skip-dirs?)=/

const valuedOptions: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    rg: /^(-g|--i?glob)$/,
    tar: /^--exclude$/,
    rsync: /^--exclude$/,
    du: /^--exclude$/,
    diff: /^(-x|--exclude)$/,
    grep: /^--exclude(-dir)?$/,
    fd: /^(-E|--exclude)$/,
    fdfind: /^(-E|--exclude)$/,
    ag: /^--ignore(-dir)?$/,
    // Letters that take no value, as each letter takes the next word in turn.
    tree: /^-[adfisphugDFrtcUnC]*I$/,
    zip: /^-x$/,
  }),
)

/** L2. */
function mayBeValue(name: string, words: readonly ShellWord[], at: number): boolean {
  const before = words[at - 1]
  if (!before) return false
  // `tar cVf label file`: letters without a dash take the words that follow, one after the other.
  const letters =
    name === 'tar' && /^[^-]/.test(words[0]!.shape) ? words[0]!.shape.replace(/[^bCfFgHIKLNTVX]/g, '') : ''
  if (at <= letters.length) return true
  if (!before.shape.startsWith('-')) return !isStatic(before)
  return !isStatic(before) || !(/^--[\w-]+=/.test(before.shape) || valueless.get(name)?.test(before.shape))
}

/** Letters that take no value, of programs that write. Of those that only read none needs to be known. */
const valueless: ReadonlyMap<string, RegExp> = new Map([
  ['tar', /^-[cxtzjJvpPahkmSO]+$/],
  ['rsync', /^-[avzhnrlptgoDHAXuxqPcWSi]+$/],
  ['zip', /^-[rqyjDuFmvT0-9]+$/],
  ['fd', /^-[HIusaLp0]+$/],
  ['fdfind', /^-[HIusaLp0]+$/],
  ...['rg', 'du', 'diff', 'grep', 'ag', 'tree'].map((name): [string, RegExp] => [name, /^-/]),
])

function untilOption(words: readonly ShellWord[]): readonly ShellWord[] {
  const end = words.findIndex(({ shape }) => /^[-@]/.test(shape))
  return end < 0 ? words : words.slice(0, end)
}

function leftOutByFind(words: readonly ShellWord[]): readonly ShellWord[] {
  const shapes = words.map(({ shape }) => shape)
  // What stands after a comma is done with every file; a bracket behind a test is a name.
  if (!words.every(isStatic) || shapes.includes(',')) return []
  if (shapes.some((shape, at) => /^[()]$/.test(shape) && /^-(?!(o|or|a|and|not|prune)$)/.test(shapes[at - 1] ?? '')))
    return []
  const start = shapes.findIndex(shape => /^[-(!]/.test(shape))
  return start < 0 ? [] : [...prunedIn(words, start), ...negatedIn(words, start)]
}

const nameTest = /^-(path|wholename|ipath|iwholename|name|iname)$/
const either = /^-(o|or)$/
const negation = /^(!|-not)$/

/** `-path ./.git -prune -o …`, `( -name .git -o -name dist ) -prune -o …`, with nothing before it that might not hold. */
function prunedIn(words: readonly ShellWord[], start: number): readonly ShellWord[] {
  const found: ShellWord[] = []
  const is = (at: number, form: RegExp) => form.test(words[at]?.shape ?? '')
  let at = start
  while (is(at, /^-(maxdepth|mindepth|xdev|mount|depth|noleaf|daystart)$/))
    at += is(at, /depth$/) && !is(at, /^-depth$/) ? 2 : 1
  for (;;) {
    const names: ShellWord[] = []
    // What is no directory has nothing below it to be spared.
    if (is(at, /^-type$/) && is(at + 1, /^d$/)) at += 2
    const isGroup = is(at, /^\($/)
    if (isGroup) at++
    while (is(at, nameTest) && words[at + 1]) {
      names.push(words[at + 1]!)
      at += 2
      if (isGroup && is(at, either)) at++
    }
    if (names.length === 0 || (!isGroup && names.length > 1)) return found
    if (isGroup && !is(at++, /^\)$/)) return found
    if (!is(at, /^-prune$/) || !is(at + 1, either)) return found
    found.push(...names)
    at += 2
  }
}

/** `! -path ./.git …`: all that follows is only about others, unless an `-o` brings them back. L3. */
function negatedIn(words: readonly ShellWord[], start: number): readonly ShellWord[] {
  const found: ShellWord[] = []
  let [depth, isActing, isNegated] = [0, false, false]
  for (let at = start; at < words.length; ) {
    const { shape } = words[at]!
    const size = sizeOf(words, at)
    if (size === undefined || (depth === 0 && either.test(shape))) return []
    if (shape === '(') depth++
    if (shape === ')') depth--
    isActing ||= action.test(shape)
    if (isNegated && !isActing && depth === 0 && nameTest.test(shape) && words[at + 1]) found.push(words[at + 1]!)
    isNegated = negation.test(shape) && !isNegated
    at += size
  }
  return found
}

const action = /^-(delete|exec|execdir|ok|okdir|fprint|fprint0|fprintf|fls)$/
const alone =
  /^([()!]|-(not|a|and|o|or|prune|print|print0|ls|delete|empty|true|false|xdev|mount|depth|noleaf|daystart|readable|writable|executable))$/
const withValue =
  /^-(path|wholename|ipath|iwholename|name|iname|type|size|regex|iregex|perm|user|group|newer|[acm]time|[acm]min|maxdepth|mindepth|printf|fprint|fprint0|fls)$/

/** How many words one test or action of find takes; undefined for one that is not known. */
function sizeOf(words: readonly ShellWord[], at: number): number | undefined {
  const { shape } = words[at]!
  if (alone.test(shape)) return 1
  if (withValue.test(shape)) return 2
  if (shape === '-fprintf') return 3
  return /^-(exec|execdir|ok|okdir)$/.test(shape) ? endOfRun(words, at + 1) + 1 - at : undefined
}
