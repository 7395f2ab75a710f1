/**
 * Text that a command types into another shell, which runs it: wherever that stands, and outside of every run. Keys that
 * write nothing (`C-c`, `Up`) say nothing about what is run.
 */
import { anyText } from '../text/glob.js'
import type { Launch } from './launch.js'
import type { ShellWord } from './words.js'

type Words = readonly ShellWord[]

/** What it types, a line for each time it is sent off; undefined where it types nothing. `name` is the bare name. */
export function typedBy(name: string, rest: Words): string | undefined {
  const text = typists.get(name)?.(rest)
  return text?.trim() ? text : undefined
}

/** Held against what forbids, from a directory that nobody knows. */
export function throughKeys(name: string, rest: Words): Launch | undefined {
  const text = typedBy(name, rest)
  if (text === undefined) return undefined
  const scripts = text.includes(anyText) ? [] : [text]
  return { isTransparent: false, isGuess: true, commands: [], scripts, directories: [{ shape: anyText, source: '…' }] }
}

/** What follows these words, options and their values besides; undefined where they do not stand there. */
function after(rest: Words, verbs: readonly string[], valued: RegExp = /$^/): readonly string[] | undefined {
  const at = rest.findIndex((_, start) => verbs.every((verb, index) => rest[start + index]?.shape === verb))
  if (at < 0) return undefined
  return operandsOf(rest.slice(at + verbs.length), valued)
}

function operandsOf(words: Words, valued: RegExp): readonly string[] {
  const found: string[] = []
  for (let at = 0; at < words.length; at++) {
    const { shape } = words[at]!
    if (valued.test(shape)) at++
    else if (found.length > 0 || !/^-[\w-]/.test(shape)) found.push(shape)
  }
  return found
}

/** Commands of tmux may stand behind each other; `send` and `send-k` are the same, and `-X` is about another mode. */
function byTmux(rest: Words): string | undefined {
  const ends = rest.flatMap(({ shape }, at) => (/;$/.test(shape) ? [at + 1] : []))
  const texts = [0, ...ends].flatMap((start, index) => {
    const words = rest.slice(start, ends[index])
    const at = words.findIndex(({ shape }) => /^send(?:-k[a-z]*)?$/.test(shape))
    if (at < 0) return []
    const given = words.slice(at + 1)
    const isHex = given.some(({ shape }) => /^-[A-Z]*H/.test(shape))
    return operandsOf(given, /^-[A-Za-z]*[tNc]$/).map(key => (isHex ? fromHex(key) : tmuxKey(key)))
  })
  return texts.length > 0 ? texts.join('') : undefined
}

/** Names of keys are no text. */
function tmuxKey(key: string): string {
  if (/^(?:Enter|KPEnter|C-m|C-j|\^M|\^J);?$/i.test(key)) return '\n'
  if (/^Space;?$/i.test(key)) return ' '
  return /^(?:(?:[CMS]-|\^).|Escape|Tab|BTab|BSpace|DC|IC|Up|Down|Left|Right|Home|End|NPage|PPage|F\d+);?$/.test(key)
    ? ''
    : key
}

const fromHex = (key: string): string =>
  /^[\da-f]{1,2}$/i.test(key) ? String.fromCharCode(Number.parseInt(key, 16)).replace('\r', '\n') : ''

/** Signs for a control key, by which such a text is sent off. */
const sentOff = (texts: readonly string[] | undefined): string | undefined =>
  texts?.join(' ').replace(/\^[MJmj]|\\[rn]|\\0?1[25]|[\r\n]/g, '\n')

const typists: ReadonlyMap<string, (rest: Words) => string | undefined> = new Map(
  Object.entries<(rest: Words) => string | undefined>({
    tmux: byTmux,
    byobu: byTmux,
    screen: rest => sentOff(after(rest, ['stuff'])),
    zellij: rest => sentOff(after(rest, ['action', 'write-chars'])),
    kitty: rest => sentOff(after(rest, ['send-text'], /^(?:-m|--match(?:-tab)?)$/)),
    kitten: rest => sentOff(after(rest, ['send-text'], /^(?:-m|--match(?:-tab)?)$/)),
    wezterm: rest => sentOff(after(rest, ['send-text'], /^--pane-id$/)),
    xdotool: rest => sentOff(after(rest, ['type'], /^--(?:delay|window|file)$/)),
    ydotool: rest => sentOff(after(rest, ['type'])),
    wtype: rest => sentOff(operandsOf(rest, /^-[Mmksd]$/)),
  }),
)
