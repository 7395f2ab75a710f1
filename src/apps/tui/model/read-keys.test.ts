/** What terminals send, whole and cut in two anywhere. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { KeyPress } from './keys.js'
import { KeyReader } from './read-keys.js'

const esc = '\u001b'
/** Reads that come at once, one after the other, and then nothing. */
const keysOf = (...reads: readonly string[]): readonly KeyPress[] => {
  const reader = new KeyReader()
  return [...reads.flatMap(read => [...reader.read(read, 1000)]), ...reader.settle()]
}
/** Neighbouring text is one text, however it was read. */
const joined = (keys: readonly KeyPress[]) =>
  keys.reduce<KeyPress[]>((all, key) => {
    const last = all.at(-1)
    const isText = (each: KeyPress | undefined) => each !== undefined && Object.keys(each).length === 1
    if (isText(last) && isText(key)) all.splice(-1, 1, { input: last!.input + key.input })
    else all.push(key)
    return all
  }, [])

describe('keys', () => {
  test.each<[string, KeyPress[]]>([
    ['hi', [{ input: 'hi' }]],
    ['hi\r', [{ input: 'hi' }, { input: '', return: true }]],
    [
      '\t\r',
      [
        { input: '', tab: true },
        { input: '', return: true },
      ],
    ],
    ['a\u0003', [{ input: 'a' }, { input: 'c', ctrl: true }]],
    ['\n', [{ input: '\n' }]],
    ['\u007f', [{ input: '', backspace: true }]],
    [esc, [{ input: '', escape: true }]],
    [
      esc + esc,
      [
        { input: '', escape: true },
        { input: '', escape: true },
      ],
    ],
    [`${esc}b`, [{ input: 'b', meta: true }]],
    [`${esc}\r`, [{ input: '', return: true, meta: true }]],
    [`${esc}\u007f`, [{ input: '', backspace: true, meta: true }]],
    [`${esc}[A`, [{ input: '', upArrow: true }]],
    [`${esc}OB`, [{ input: '', downArrow: true }]],
    [`${esc}[1;5D`, [{ input: '', leftArrow: true, ctrl: true }]],
    [`${esc}[1;3C`, [{ input: '', rightArrow: true, meta: true }]],
    [`${esc}${esc}[D`, [{ input: '', leftArrow: true, meta: true }]],
    [
      `${esc}[H${esc}[4~`,
      [
        { input: '', home: true },
        { input: '', end: true },
      ],
    ],
    [`${esc}[3~`, [{ input: '', delete: true }]],
    [
      `${esc}[5~${esc}[6~`,
      [
        { input: '', pageUp: true },
        { input: '', pageDown: true },
      ],
    ],
    [`${esc}[Z`, [{ input: '', tab: true, shift: true }]],
    [`${esc}[13;2u`, [{ input: '', return: true, shift: true }]],
    [`${esc}[27;2;13~`, [{ input: '', return: true, shift: true }]],
    [`${esc}[99;5u`, [{ input: 'c', ctrl: true }]],
    [`${esc}[1;1:3A`, []],
  ])('%j', (read, keys) => expect(keysOf(read)).toEqual(keys))

  test.each([
    '[1;5P',
    '[25;5~',
    '[0n',
    '[0m',
    '[1;5R',
    '[29;5~',
    '[1;5E',
    '[57441;2u',
    '[99999999u',
    '[27;5;9999999~',
    '[27;5;9~',
    '[I',
    '[O',
    '[24;80R',
    '[?62;22c',
    '[>0;276;0c',
    '[?1;2$y',
    '[[A',
    '[[E',
    '[15~',
    '[2~',
    '[201~',
    'OP',
    'O5P',
    ']11;rgb:0000/0000/0000\u0007',
    `]11;rgb:0000/0000/0000${esc}\\`,
    `P1+r544e${esc}\\`,
    '[',
    '[20',
    'O',
    ']',
  ])('Ctrl+F1 ended the program, answers of the terminal were typed: ESC %j is dropped', sequence => {
    expect(keysOf(`${esc}${sequence}`).filter(key => !(key.meta && key.input === ']'))).toEqual([])
    const before = keysOf(`a${esc}${sequence}`)
    expect(before[0]).toEqual({ input: 'a' })
  })

  test('Escape and a key pressed shortly after it are two keys', () => {
    expect(keysOf(esc, `${esc}[B`)).toEqual([
      { input: '', escape: true },
      { input: '', downArrow: true },
    ])
    expect(keysOf(esc, 'x')).toEqual([{ input: '', escape: true }, { input: 'x' }])
    expect(keysOf(esc, '[B')).toEqual([{ input: '', downArrow: true }])
  })

  test('words behind what only looks like a sequence are kept', () => {
    expect(keysOf(`${esc}]`, 'hello')).toEqual([{ input: 'hello' }])
    expect(joined(keysOf(`${esc}]`, 'hello', '\r')).slice(1)).toEqual([{ input: 'hello' }, { input: '', return: true }])
  })

  test('only the beginning of something waits, Escape shortly', () => {
    const reader = new KeyReader()
    const waits = (read: string) => {
      reader.read(read, 0)
      const wait = reader.waitMs
      reader.settle()
      return wait
    }
    expect(['a', `${esc}[A`].map(waits)).toEqual([undefined, undefined])
    expect(waits(esc)).toBeLessThan(waits(`${esc}[20`)!)
  })
})

describe('a paste', () => {
  const paste = (text: string) => `${esc}[200~${text}${esc}[201~`
  const cases: [string, string][] = [
    ['line one\rline two', 'line one\nline two'],
    ['a\r\nb\n', 'a\nb\n'],
    [`a${esc}[31mred${esc}[0m end`, 'ared end'],
    [`${esc}(B${esc}[mplain${esc}=`, 'plain'],
    [`${esc}]8;;http://x${esc}\\link${esc}]8;;\u0007.`, 'link.'],
    [`hello${esc}`, 'hello'],
    [`x${esc}b`, 'xb'],
    [`a${esc}[5`, 'a[5'],
    [`a${esc}]never ended`, 'a]never ended'],
    [`a\u0007\u0003b\u009b`, 'ab'],
    [`${esc}[A`, ''],
    [`${esc}[200~x`, 'x'],
    ['日本👍', '日本👍'],
  ]
  test.each(cases)('%j is %j, and the keys behind it are keys', (text, result) => {
    const keys = joined(keysOf(`${paste(text)}\r`))
    expect(keys).toEqual([...(result ? [{ input: result }] : []), { input: '', return: true }])
  })

  test.each(cases)('%j: cut in two anywhere, it is the same; the keyboard was dead after a cut end mark', text => {
    const whole = `ab${paste(text)}\u0003${esc}[A`
    const expected = joined(keysOf(whole))
    for (let at = 1; at < whole.length; at++)
      expect(joined(keysOf(whole.slice(0, at), whole.slice(at))), `cut at ${at}`).toEqual(expected)
    expect(joined(keysOf(...whole)), 'one by one').toEqual(expected)
  })

  test('whatever is pasted in whatever pieces, the keyboard lives afterwards and nothing of it is a key', () => {
    const piece = fc.constantFrom(
      'a',
      '\r',
      '\n',
      esc,
      '[',
      ']',
      '0',
      '2',
      '1',
      '~',
      'm',
      ';',
      'O',
      '\u0003',
      '\u0007',
      '\\',
      '👍',
    )
    const text = fc.array(piece, { maxLength: 30 }).map(parts => parts.join('').replaceAll(`${esc}[201~`, ''))
    fc.assert(
      fc.property(text, fc.array(fc.nat(40), { maxLength: 4 }), (pasted, cuts) => {
        const whole = paste(pasted)
        const places = [0, ...cuts.map(cut => Math.min(cut, whole.length)).sort((a, b) => a - b), whole.length]
        const reads = places
          .slice(1)
          .map((to, at) => whole.slice(places[at], to))
          .filter(read => read !== '')
        const reader = new KeyReader()
        const keys = reads.flatMap(read => [...reader.read(read, 1000)])
        for (const key of keys) expect(Object.keys(key)).toEqual(['input'])
        expect(reader.read('\u0003', 1001)).toEqual([{ input: 'c', ctrl: true }])
      }),
    )
  })

  test('without an end mark, Ctrl+C alone after a silence ends it', () => {
    const reader = new KeyReader()
    expect(reader.read(`${esc}[200~never`, 1000)).toEqual([{ input: 'never' }])
    expect(reader.waitMs).toBeUndefined()
    expect(reader.read('\u0003', 1010)).toEqual([])
    expect(reader.read('\u0003', 2000)).toEqual([{ input: 'c', ctrl: true }])
    expect(reader.read('\r', 2001)).toEqual([{ input: '', return: true }])
  })
})
