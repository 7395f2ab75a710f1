/** The signs a screen uses, and what stands for them where only ASCII is known. */
import { characterWidth, graphemesIn } from '../../session/text-width.js'

export interface Glyphs {
  readonly spinner: readonly string[]
  readonly done: string
  readonly failed: string
  readonly queued: string
  readonly asking: string
  readonly waiting: string
  readonly grace: string
  readonly background: string
  readonly bullet: string
  readonly arrow: string
  readonly prompt: string
  readonly fork: string
  readonly corner: string
  readonly pipe: string
  readonly rule: string
  readonly ellipsis: string
  readonly dot: string
  readonly open: string
  readonly closed: string
}

export const unicodeGlyphs: Glyphs = {
  spinner: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'],
  done: '✓',
  failed: '✗',
  queued: '○',
  asking: '?',
  waiting: '◌',
  grace: '!',
  background: '&',
  bullet: '●',
  arrow: '→',
  prompt: '❯',
  fork: '├─',
  corner: '└─',
  pipe: '│ ',
  rule: '─',
  ellipsis: '…',
  dot: '·',
  open: '▾',
  closed: '▸',
}

export const asciiGlyphs: Glyphs = {
  spinner: ['|', '/', '-', '\\'],
  done: '+',
  failed: 'x',
  queued: 'o',
  asking: '?',
  waiting: '.',
  grace: '!',
  background: '&',
  bullet: '*',
  arrow: '->',
  prompt: '>',
  fork: '|-',
  corner: '`-',
  pipe: '| ',
  rule: '-',
  ellipsis: '~',
  dot: '-',
  open: 'v',
  closed: '>',
}

const inAscii: Readonly<Record<string, string>> = {
  '…': '~',
  '·': '-',
  '→': '>',
  '↑': '^',
  '↓': 'v',
  '•': '-',
  '×': 'x',
  '⋮': ':',
  '⏎': '|',
  '—': '-',
  '–': '-',
  '’': "'",
  '‘': "'",
  '“': '"',
  '”': '"',
}

/** Column for column: what has no likeness becomes as many question marks as it is wide. */
export function toAscii(text: string): string {
  if (isPrintable.test(text)) return text
  let ascii = ''
  for (const sign of graphemesIn(text))
    ascii += isPrintable.test(sign) ? sign : (inAscii[sign] ?? '?'.repeat(characterWidth(sign)))
  return ascii
}

const isPrintable = /^[\u0020-\u007e]*$/

/** For what somebody decides about: every letter can be told from every other. */
export const escaped = (text: string): string =>
  text.replace(/[^\u0020-\u007e\n]/gu, letter => `\\u{${letter.codePointAt(0)!.toString(16)}}`)
