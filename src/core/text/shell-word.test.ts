import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { commandLine, hasUnseen, quoteWord, visible } from './shell-word.js'

const hostile = [
  '$(id -un)',
  '`date`',
  'a "b" c',
  "it's",
  '* ?',
  '\\',
  '!!',
  '#x',
  '~',
  '',
  '; touch x',
  "'\\''",
  'a\\*b',
  '-n',
]

test('whatever a word holds, a shell that a line is pasted into reads back that word and runs nothing', () => {
  const line = `for word in ${commandLine(...hostile)}; do printf '%s\\0' "$word"; done`
  expect(execFileSync('sh', ['-c', line], { encoding: 'utf8' }).split('\0').slice(0, -1)).toEqual(hostile)
  for (const word of hostile)
    expect(execFileSync('sh', ['-c', `printf '%s' ${quoteWord(word)}`], { encoding: 'utf8' })).toBe(word)
})

test('plain words stay as they are; what cannot be seen stands for nothing', () => {
  expect(commandLine('offshoot', 'runs', 'resume', '0af3-9')).toBe('offshoot runs resume 0af3-9')
  expect(commandLine('offshoot', 'mcp', 'approve', 'a\u001b[2Jb\nc')).toBe("offshoot mcp approve 'a\ufffd[2Jb\ufffdc'")
  expect(['a\nb', 'a\u202eb', 'a\u2028b', 'a\u0007'].every(hasUnseen)).toBe(true)
  expect(hasUnseen('ein Wort, größer')).toBe(false)
  expect(visible('a\u001bb')).toBe('a\\u{001b}b')
})

test('letters that take no room, and halves of letters, were shown as they are and offered for pasting', () => {
  for (const letter of ['\u3164', '\u034f', '\ufe0f', '\u{e0100}', '\ud800']) {
    expect(hasUnseen(`a${letter}b`)).toBe(true)
    expect(visible(`a${letter}b`)).toBe(`a\\u{${letter.codePointAt(0)!.toString(16).padStart(4, '0')}}b`)
  }
  expect(hasUnseen('a \u{1f600} b')).toBe(false)
})
