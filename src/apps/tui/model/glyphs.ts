/** The signs a screen uses, and what stands for them where only ASCII is known. */
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
  '—': '-',
  '–': '-',
  '’': "'",
  '‘': "'",
  '“': '"',
  '”': '"',
}

/** Column for column: what has no likeness becomes a question mark. */
export function toAscii(text: string): string {
  return text.replace(/[^\u0020-\u007e]/gu, sign => inAscii[sign] ?? '?')
}
