/** What `{}` stands for in a command that find runs: one of the files below its starting points, or many of them. */
import { anyText } from '../text/glob.js'
import { endingOf } from './name-filters.js'
import { isStatic, type ShellWord } from './words.js'

/** `words` are find's, `at` is the place of its `-exec`. Where the starting points are not plain, the word is any text. */
function foundWord(words: readonly ShellWord[], at: number, isMany: boolean): ShellWord {
  const unknown: ShellWord = { shape: anyText, source: '{}' }
  const starts = startsOfFind(words.slice(0, at))
  if (!starts) return unknown
  const start = words.findIndex(isTest)
  return { ...unknown, found: { starts, isMany, endings: endingsOf(words.slice(start, at)) } }
}

const isTest = ({ shape }: ShellWord): boolean => /^[-(!,)]/.test(shape)

/** Where find begins, below which all lies that it finds; undefined where that is not plain. */
export function startsOfFind(words: readonly ShellWord[]): readonly ShellWord[] | undefined {
  // These choose other starting points, or follow links.
  if (words.some(({ shape }) => /^-([HLPDO]|-$|follow$|files0-from)/.test(shape))) return undefined
  const start = words.findIndex(isTest)
  const starts = words.slice(0, start < 0 ? undefined : start)
  if (!starts.every(isStatic)) return undefined
  return starts.length > 0 ? starts : [{ shape: '.', source: '.' }]
}

/** How the names end that a test before any action and outside of any choice keeps to. */
function endingsOf(tests: readonly ShellWord[]): 'all' | readonly string[] {
  if (tests.some(({ shape }) => /^(!|-not|-o|-or|,|\(|\))$/.test(shape))) return 'all'
  const acting = tests.findIndex(({ shape }) => /^-(exec|execdir|ok|okdir)$/.test(shape))
  const before = acting < 0 ? tests : tests.slice(0, acting)
  const named = before.findIndex(({ shape }) => shape === '-name')
  const ending = named < 0 ? undefined : endingOf(before[named + 1]?.shape ?? '')
  return ending === undefined ? 'all' : [ending]
}

/** Where a command ends that begins at `from`. A plus ends it only behind `{}`: before that it is a word like any other. */
export function endOfRun(words: readonly ShellWord[], from: number): number {
  const end = words.findIndex(
    ({ shape }, at) => at >= from && (shape === ';' || (shape === '+' && at > from && words[at - 1]!.shape === '{}')),
  )
  return end < 0 ? words.length : end
}

/** The command that find's `-exec` at this place runs. */
export function runBy(words: readonly ShellWord[], at: number): readonly ShellWord[] {
  const end = endOfRun(words, at + 1)
  const found = foundWord(words, at, words[end]?.shape !== ';')
  return words.slice(at + 1, end).map(word => (word.shape === '{}' ? found : unknownFrom(word)))
}

export function unknownFrom(word: ShellWord): ShellWord {
  if (!word.shape.includes('{}')) return word
  return { shape: word.shape.replaceAll('{}', anyText), source: word.source }
}

/** What find itself is told, and the commands it runs. */
export function partsOfFind(words: readonly ShellWord[]): {
  readonly own: readonly ShellWord[]
  readonly runs: readonly (readonly ShellWord[])[]
} {
  const own: ShellWord[] = []
  const runs: (readonly ShellWord[])[] = []
  for (let at = 0; at < words.length; at++) {
    if (words[at]!.shape !== '-exec') own.push(words[at]!)
    else {
      runs.push(runBy(words, at))
      at = endOfRun(words, at + 1)
    }
  }
  return { own, runs }
}
