/**
 * Words by which a command is told what to leave alone: `--exclude=.git`, `-g '!.git'`, `-path ./.git -prune -o`. Such a
 * word names nothing that could be changed. What lies below a directory that is worked on counts as it does without it.
 * L1 A value that is a word of its own counts only for a program that is known to take one there.
 * L2 Of find only forms under which no later test or action can be about what is left out.
 */
import { nameOf } from '../text/path-text.js'
import { usualName } from './usual-names.js'
import { isStatic, type ShellWord } from './words.js'

export function leftOut([called, ...words]: readonly ShellWord[]): ReadonlySet<ShellWord> {
  if (!called || !isStatic(called) || called.shape.includes('/')) return new Set()
  const name = usualName(nameOf(called.shape))
  if (name === 'find') return new Set(leftOutByFind(words))
  // It deletes what is left out, at the other end.
  if (name === 'rsync' && words.some(({ shape }) => /^--(del|remove)/.test(shape))) return new Set()
  const valued = valuedOptions.get(name)
  return new Set(
    words.flatMap((word, index) => {
      const { shape } = word
      if (!isStatic(word)) return []
      if (gluedOption.test(shape) || (name === 'rg' && /^(-g|--i?glob=)!/.test(shape))) return [word]
      if (!valued?.test(shape)) return []
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

const action = /^-(delete|exec|execdir|ok|okdir|fprint|fprint0|fprintf|fls)$/

/** `! -path ./.git …`: all that follows is only about others, unless an `-o` brings them back. */
function negatedIn(words: readonly ShellWord[], start: number): readonly ShellWord[] {
  const found: ShellWord[] = []
  let [depth, isActing] = [0, false]
  for (let at = start; at < words.length; at++) {
    const { shape } = words[at]!
    if (shape === '(') depth++
    if (shape === ')') depth--
    if (depth === 0 && either.test(shape)) return []
    isActing ||= action.test(shape)
    const isNegated = negation.test(shape) && !negation.test(words[at - 1]?.shape ?? '')
    if (!isActing && depth === 0 && isNegated && nameTest.test(words[at + 1]?.shape ?? '') && words[at + 2])
      found.push(words[at + 2]!)
  }
  return found
}
