/**
 * What a terminal sends, as keys. Pure: reads come in, with the time they came at; a sequence may be cut in two anywhere.
 *
 * K1 A sequence nobody knows here (a key we have no use for, an answer of the terminal) is dropped, never typed.
 * K2 What stands between the marks of a paste is text: newlines are newlines, control sequences are left out.
 * K3 A paste whose end mark never comes is ended by Ctrl+C, alone and after a silence.
 */

import { keyOfSequence } from './key-sequences.js'
import type { KeyPress } from './keys.js'

const pasteStart = '\u001b[200~'
const pasteEnd = '\u001b[201~'
/** How long Escape may be the beginning of something else, and how long the beginning of a sequence waits for its rest. */
const escapeMs = 20
const restMs = 500
const silenceMs = 300

const introduced = String.raw`\[(?:\[[@-~]|[0-?]*[ -/]*[@-Z\\-~])|O[0-?]*[@-~]`
const words = String.raw`[\]P_^X][^\u0000-\u0008\u000a-\u001f]{0,2048}`
const sequence = String.raw`\u001b(?:${introduced}|${words}(?:\u0007|\u001b\\))`
const beginning = String.raw`\u001b(?:\[\[?|\[[0-?]*[ -/]*|O[0-?]*|${words}\u001b?)?$`
const text = String.raw`[^\u0000-\u001f\u007f-\u009f]+`
/** In this order: what a place begins with. */
const piece = new RegExp(
  String.raw`(?<sequence>\u001b?${sequence})|(?<held>\u001b?${beginning})|(?<text>${text})|\u001b(?!\u001b)(?<meta>[\s\S])|(?<control>[\s\S])`,
  'uy',
)
const tail = new RegExp(String.raw`\u001b[ -/]*$|${beginning}`, 'u')
/** With what switches character sets and modes, as `tput sgr0` prints it; of anything else the Escape alone goes. */
const unwanted = new RegExp(
  String.raw`${sequence}|\u001b[ -/]+[0-~]|\u001b[78=>]|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]`,
  'gu',
)

export class KeyReader {
  #held = ''
  #isPasting = false
  #endsInReturn = false
  #lastAt = 0

  /** How long to wait for more before `settle`; undefined when nothing waits. A paste waits for its end. */
  get waitMs(): number | undefined {
    if (this.#held === '' || this.#isPasting) return undefined
    return /^\u001b+$/.test(this.#held) ? escapeMs : restMs
  }

  read(chunk: string, at: number): readonly KeyPress[] {
    const wasSilent = at - this.#lastAt >= silenceMs
    this.#lastAt = at
    if (this.#isPasting && wasSilent && chunk === '\u0003') {
      this.#isPasting = false
      this.#held = ''
    }
    // Escape, and then something else: only a sequence goes on with it.
    const wasEscape = !this.#isPasting && /^\u001b+$/.test(this.#held) && !/^[[O\]P_^X]/.test(chunk)
    const before = wasEscape ? this.settle() : []
    return [...before, ...this.#take(this.#letGo() + chunk)]
  }

  /** Nothing more came in time: Escape was Escape, and of what only looked like a sequence the words are kept. */
  settle(): readonly KeyPress[] {
    const held = this.#letGo()
    if (/^\u001b+$/.test(held)) return [...held].map(() => ({ input: '', escape: true }))
    const rest = /^\u001b+[\]P_^X](.+)/.exec(held)?.[1]?.replace(unwanted, '')
    return rest ? [{ input: rest }] : []
  }

  #letGo(): string {
    const held = this.#held
    this.#held = ''
    return held
  }

  #take(input: string): readonly KeyPress[] {
    const keys: KeyPress[] = []
    for (let rest = input; rest !== ''; )
      rest = this.#isPasting ? this.#takePasted(rest, keys) : this.#takeKeys(rest, keys)
    return keys
  }

  #takePasted(input: string, keys: KeyPress[]): string {
    const end = input.indexOf(pasteEnd)
    const cut = end >= 0 ? end : input.search(tail)
    const pasted = cut >= 0 ? input.slice(0, cut) : input
    const lines = (this.#endsInReturn ? pasted.replace(/^\n/, '') : pasted).replace(/\r\n?/g, '\n')
    if (pasted !== '') this.#endsInReturn = pasted.endsWith('\r')
    const kept = lines.replace(unwanted, '')
    if (kept !== '') keys.push({ input: kept })
    this.#isPasting = end < 0
    if (end >= 0) return input.slice(end + pasteEnd.length)
    this.#held = cut >= 0 ? input.slice(cut) : ''
    return ''
  }

  #takeKeys(input: string, keys: KeyPress[]): string {
    for (piece.lastIndex = 0; piece.lastIndex < input.length; ) {
      const found = piece.exec(input)?.groups
      if (!found) break
      if (found.held !== undefined) {
        this.#held = found.held
        return ''
      }
      if (found.sequence === pasteStart) {
        this.#isPasting = true
        this.#endsInReturn = false
        return input.slice(piece.lastIndex)
      }
      const key = keyOf(found)
      if (key) keys.push(key)
    }
    return ''
  }
}

function keyOf(found: Readonly<Record<string, string | undefined>>): KeyPress | undefined {
  if (found.sequence !== undefined) return keyOfSequence(found.sequence)
  if (found.text !== undefined) return { input: found.text }
  const key = keyOfCharacter((found.meta ?? found.control)!)
  return key && found.meta !== undefined ? { ...key, meta: true } : key
}

function keyOfCharacter(character: string): KeyPress | undefined {
  switch (character) {
    case '\r':
      return { input: '', return: true }
    case '\t':
      return { input: '', tab: true }
    case '\u001b':
      return { input: '', escape: true }
    case '\b':
    case '\u007f':
      return { input: '', backspace: true }
    case '\n':
      return { input: '\n' }
  }
  const code = character.codePointAt(0)!
  if (code >= 0x20) return code >= 0x7f && code < 0xa0 ? undefined : { input: character }
  return code >= 1 && code <= 26 ? { input: String.fromCharCode(code + 0x60), ctrl: true } : undefined
}
