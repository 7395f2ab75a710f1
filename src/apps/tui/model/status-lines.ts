/** The lines below the prompt: the user's own, or ours; and what the keys do just now. */
import { costWords, shortCount } from '../../session/figures.js'
import type { Glyphs } from './glyphs.js'
import { cutLine, dim, type Line, safeText, span } from './line.js'

export interface StatusFacts {
  readonly model: string
  readonly mode: string
  readonly cwd: string
  readonly tokens: number
  readonly cost: number | undefined
  readonly isEstimated?: boolean
  /** Children at work. */
  readonly active: number
  /** Of the context window, when it is known. */
  readonly contextPercent?: number
}

export function statusLine(facts: StatusFacts, width: number, glyphs: Glyphs): Line {
  const about = facts.isEstimated ? '~' : ''
  const parts = [
    facts.model,
    ...(facts.mode === 'default' ? [] : [facts.mode]),
    `${about}${shortCount(facts.tokens)} tok`,
    `${facts.cost === undefined ? '' : about}${costWords(facts.cost)}`,
    ...(facts.contextPercent === undefined || facts.contextPercent < 5
      ? []
      : [`${facts.contextPercent}% of the window`]),
    ...(facts.active > 0 ? [`${facts.active} ${facts.active === 1 ? 'child' : 'children'}`] : []),
    facts.cwd,
  ]
  return cutLine([dim(`  ${parts.join(` ${glyphs.dot} `)}`)], width, glyphs.ellipsis)
}

/** Colours of a user's own status line are kept; everything that moves the cursor is taken out. */
export function ownStatusLines(output: string, width: number): readonly Line[] {
  return output
    .split('\n')
    .filter(line => line.trim() !== '')
    .slice(0, 3)
    .map(line => cutLine([dim('  '), span(safeText(line))], width))
}

export type KeyContext = 'prompt' | 'working' | 'tree' | 'transcript' | 'approval' | 'message' | 'picker' | 'question'

const hints: Readonly<Record<KeyContext, string>> = {
  prompt: '/ commands · @ agents and files · Shift+Tab mode · Tab children · Ctrl+D quits',
  working: 'Esc stops · Tab children · Ctrl+B to the background · Enter sends a message',
  tree: '↑↓ choose · Enter opens · Space expands · m message · x stop · b background · Esc back',
  transcript: '↑↓ PgUp PgDn scroll · m message · x stop · b background · Esc back',
  approval: 'Enter answers · y once · n no · ↑↓ choose · Esc says no',
  message: 'Enter sends · Esc back',
  picker: '↑↓ choose · Enter takes it · Esc back',
  question: 'Enter answers · ↑↓, a number or your own words · Esc leaves it open',
}

export function hintLine(context: KeyContext, notice: string | undefined, width: number, glyphs: Glyphs): Line {
  if (notice) return cutLine([span(`  ${notice}`, { hue: 'yellow' })], width, glyphs.ellipsis)
  const text = fitting(hints[context].split(' · '), width - 2).join(' · ')
  return cutLine(
    [dim(`  ${glyphs.dot === '·' ? text : text.replaceAll('·', '-').replaceAll('↑↓', 'arrows')}`)],
    width,
    glyphs.ellipsis,
  )
}

/** A key is named whole or not at all. The way out, at the end, is named longest. */
function fitting(keys: readonly string[], room: number): readonly string[] {
  if (keys.length < 2 || keys.join(' · ').replaceAll('↑↓', 'arrows').length <= room) return keys
  return fitting(keys.length === 2 ? keys.slice(1) : [...keys.slice(0, -2), keys.at(-1)!], room)
}
