/** Which key a control sequence stands for: those of xterm, rxvt and the Linux console, and kitty's and xterm's long forms. */
import type { KeyPress } from './keys.js'

type Named = Omit<KeyPress, 'input'>

const byLetter: Readonly<Record<string, Named>> = {
  A: { upArrow: true },
  B: { downArrow: true },
  C: { rightArrow: true },
  D: { leftArrow: true },
  F: { end: true },
  H: { home: true },
  Z: { tab: true, shift: true },
  a: { upArrow: true, shift: true },
  b: { downArrow: true, shift: true },
  c: { rightArrow: true, shift: true },
  d: { leftArrow: true, shift: true },
}
const byNumber: Readonly<Record<string, Named>> = {
  1: { home: true },
  3: { delete: true },
  4: { end: true },
  5: { pageUp: true },
  6: { pageDown: true },
  7: { home: true },
  8: { end: true },
}
const byCode: Readonly<Record<number, Named>> = {
  8: { backspace: true },
  9: { tab: true },
  13: { return: true },
  27: { escape: true },
  127: { backspace: true },
  57414: { return: true },
}
/** rxvt says with the last letter which key was held. */
const heldBy: Readonly<Record<string, Named>> = {
  '~': {},
  $: { shift: true },
  '^': { ctrl: true },
  '@': { ctrl: true },
}
const released = '3'

/** Undefined for what is no key here. */
export function keyOfSequence(sequence: string): KeyPress | undefined {
  const parts = /^(\u001b\u001b?)(?:\[([\d;:]*)([A-Za-z~$^@])|O(\d*)([A-Za-z]))$/.exec(sequence)
  if (!parts) return undefined
  const [, escapes, numbers, final, modifier, letter] = parts
  const meta: Named = escapes!.length === 2 ? { meta: true } : {}
  if (letter !== undefined) return plain(inSs3(letter), { ...meta, ...modifiers(modifier) })
  return inCsi(numbers!, final!, meta)
}

function inCsi(numbers: string, final: string, meta: Named): KeyPress | undefined {
  const [first = '', second = '', third] = numbers.split(';')
  const [modifier, event] = second.split(':')
  if (event === released) return undefined
  const held = { ...meta, ...modifiers(modifier) }
  if (final === 'u') return coded(Number(first.split(':')[0]), held)
  if (!(final in heldBy)) return /^1?$/.test(first) ? plain(byLetter[final], held) : undefined
  // xterm's form for keys that have none of their own: 27;modifier;code.
  if (first === '27' && third !== undefined) return coded(Number(third), held)
  return plain(byNumber[first], { ...held, ...heldBy[final] })
}

/** rxvt sends the arrows with Ctrl as small letters here. */
const inSs3 = (letter: string): Named | undefined =>
  /[a-d]/.test(letter)
    ? { ...byLetter[letter.toUpperCase()], ctrl: true }
    : /[A-DFH]/.test(letter)
      ? byLetter[letter]
      : undefined

const plain = (named: Named | undefined, held: Named): KeyPress | undefined => named && { input: '', ...held, ...named }

function coded(code: number, held: Named): KeyPress | undefined {
  const named = byCode[code]
  // Ctrl+Tab is no Tab.
  if (named?.tab && (held.ctrl || held.meta)) return undefined
  if (named) return { input: '', ...held, ...named }
  const isText = (code >= 0x20 && code < 0x7f) || (code >= 0xa0 && code <= 0x10ffff && !isPrivate(code))
  if (!isText) return undefined
  const character = String.fromCodePoint(code)
  return { ...held, input: held.shift ? character.toUpperCase() : character }
}

/** Where kitty puts keys without a character, and what is no character at all. */
const isPrivate = (code: number): boolean => code >= 0xd800 && code <= 0xf8ff

function modifiers(text: string | undefined): Named {
  const bits = Number(text || 1) - 1
  return { ...(bits & 1 && { shift: true }), ...(bits & 10 && { meta: true }), ...(bits & 4 && { ctrl: true }) }
}
