/** Colours of agents, as their files name them, on a terminal. What is no colour is cyan, the colour of children. */
import type { Hue } from './line.js'

const known: Readonly<Record<string, Hue>> = {
  red: 'red',
  blue: 'blue',
  green: 'green',
  yellow: 'yellow',
  purple: 'magenta',
  magenta: 'magenta',
  orange: '#ff8c00',
  pink: '#ff79c6',
  cyan: 'cyan',
  gray: 'gray',
  grey: 'gray',
  white: 'white',
}

export function hueOf(colour: string | undefined): Hue {
  if (!colour) return 'cyan'
  if (/^#[0-9a-f]{6}$/i.test(colour)) return colour as Hue
  return known[colour.trim().toLowerCase()] ?? 'cyan'
}
