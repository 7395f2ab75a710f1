/** Commands of git that change files all over its repository, wherever in it they stand and whatever they name. */
import { anyText } from '../text/glob.js'
import { type GitCall, gitCall, isShippedWithGit } from './git-call.js'
import type { ShellCommand } from './reading.js'
import { isStatic, type ShellWord } from './words.js'

/** Of a command that is not known to only look. One that git does not ship with may be an alias of any. */
export function changesTree({ words: [, ...rest], role }: ShellCommand): boolean {
  const call = gitCall(rest)
  const { name, args } = call
  // Of what is only guessed to run, a word in its place is no ground to ask.
  if (name === undefined) return role === 'plain' && args.some(({ shape }) => !shape.startsWith('-'))
  if (!isShippedWithGit(name)) return role === 'plain'
  if (takesPaths.has(name) && mayTakeAny(call)) return true
  return changing.get(name)?.(call) ?? false
}

const takesPaths = new Set('checkout restore rm mv reset stash clean'.split(' '))

/** A path that is not known may lead to the top. */
function mayTakeAny({ args }: GitCall): boolean {
  const operands = operandsOf(args, /^(?:-[bBs]|--orphan|--source)$/)
  return has(args, /^--pathspec-f/) || operands.some(({ shape }) => shape.startsWith(anyText))
}

type Test = (call: GitCall) => boolean

/** To begin a branch where one stands changes no file. */
const changing: ReadonlyMap<string, Test> = new Map<string, Test>([
  ...'merge pull rebase cherry-pick revert am filter-branch mergetool rerere svn'
    .split(' ')
    .map((name): [string, Test] => [name, () => true]),
  ['reset', ({ args }) => has(args, /^--(?:h|me|k)/)],
  ['read-tree', ({ args }) => has(args, /^-[a-z]*u|^--reset/)],
  ['checkout', checksOut],
  ['switch', switches],
  ['bisect', ({ args }) => !isFirst(args, /^(?:log|terms|view|visualize|help)$/)],
  ['sparse-checkout', ({ args }) => !isFirst(args, /^(?:list|check-rules)$/)],
  ['submodule', ({ args }) => !isFirst(args, /^(?:add|init|status|summary|sync|set-\w+)$/)],
  ['lfs', ({ args }) => isFirst(args, /^(?:pull|checkout|migrate)$/)],
])

const forced = /^-[a-z]*f|^--(?:f|m|det|dis)/

function switches({ args }: GitCall): boolean {
  return has(args, forced) || operandsOf(args, /^(?:-[cC]|--(?:force-)?create|--orphan)$/).length > 0
}

/** With paths it changes these, which are judged for themselves. A single word is a branch, if there is one. */
function checksOut({ args }: GitCall): boolean {
  const end = args.findIndex(({ shape }) => shape === '--')
  if (end >= 0 && end < args.length - 1) return false
  const branching = /^(?:-[bB]|--orphan)$/
  const operands = operandsOf(args, branching)
  if (operands.length === 0) return has(args, forced)
  return has(args, branching) || (operands.length === 1 && !/^[.:]/.test(operands[0]!.shape))
}

/** Without the values of these options. A dash alone is the branch before. */
function operandsOf(args: readonly ShellWord[], valued?: RegExp): readonly ShellWord[] {
  return args.filter(({ shape }, at) => !/^-./.test(shape) && !valued?.test(args[at - 1]?.shape ?? ''))
}

const has = (args: readonly ShellWord[], form: RegExp): boolean => args.some(({ shape }) => form.test(shape))

function isFirst(args: readonly ShellWord[], form: RegExp): boolean {
  const [action] = operandsOf(args)
  return action !== undefined && isStatic(action) && form.test(action.shape)
}
