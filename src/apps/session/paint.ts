/** Colours, or none: NO_COLOR, FORCE_COLOR, TERM=dumb and a missing terminal decide. */
import { ownColour } from './terminal-codes.js'

export type Colour = 'cyan' | 'green' | 'red' | 'yellow' | 'blue' | 'magenta' | 'dim' | 'bold'
export type Paint = Readonly<Record<Colour, (text: string) => string>>

const codes: Readonly<Record<Colour, readonly [number, number]>> = {
  cyan: [36, 39],
  green: [32, 39],
  red: [31, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  dim: [2, 22],
  bold: [1, 22],
}

export function paint(isColoured: boolean): Paint {
  const entries = Object.entries(codes).map(([name, [on, off]]) => [
    name,
    (text: string) => (isColoured && text ? `${ownColour(on)}${text}${ownColour(off)}` : text),
  ])
  return Object.fromEntries(entries) as Paint
}

export function wantsColour(
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  if (env.NO_COLOR) return false
  if (env.FORCE_COLOR && env.FORCE_COLOR !== '0') return true
  return stream.isTTY === true && env.TERM !== 'dumb'
}

/** Line-drawing characters and arrows: only where the locale says the terminal knows them. */
export function mayUseUnicode(env: Readonly<Record<string, string | undefined>>): boolean {
  if (env.OFFSHOOT_ASCII === '1' || env.TERM === 'dumb' || env.TERM === 'linux') return false
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || ''
  return locale === '' ? process.platform !== 'win32' || env.WT_SESSION !== undefined : /utf-?8/i.test(locale)
}
