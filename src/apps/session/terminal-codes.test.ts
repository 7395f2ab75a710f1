import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { paint } from './paint.js'
import { forTerminal } from './terminal-codes.js'

test.each([
  ['a title', 'a\u001b]0;pwn\u0007b', 'ab'],
  ['a clipboard', 'a\u001b]52;c;ZXZpbA==\u001b\\b', 'ab'],
  ['a cleared screen', 'a\u001b[2J\u001b[Hb', 'ab'],
  ['a colour', 'a\u001b[31mb\u001b[0m', 'ab'],
  ['a line overwritten', 'rm -rf\rls', 'rm -rf\nls'],
  ['a bell and a backspace', 'a\u0007\u0008b', 'ab'],
  ['what is begun and never ended', 'a\u001b]0;the rest\nof it', 'a0;the rest\nof it'],
  ['eight bits', 'a\u009b2Jb', 'a\\u009b2Jb'],
  ['lines of another system', 'a\r\n\tb\r\n', 'a\r\n\tb\r\n'],
])('G03 %s of somebody else never reaches the terminal', (_, text, shown) => expect(forTerminal(text)).toBe(shown))

test('G03 our own colours stay, also around a text that has some of its own', () => {
  const text = `${paint(true).red('a\u001b[0mb')} \u001b[32mc`
  expect(forTerminal(text)).toBe('\u001b[31mab\u001b[39m c')
})

test('a code that was cut into two writes is none', () => {
  expect(['a\u001b', ']0;pwn\u0007b'].map(forTerminal).join('')).toBe('a]0;pwnb')
})

test('words that a carriage return or a page feed stood between were joined', () => {
  expect(forTerminal('10%\r20%\r\nform\ffeed\r')).toBe('10%\n20%\r\nform\nfeed')
})

test('a document of JSON says exactly what it said', () => {
  const value = { text: 'a\u001b]0;pwn\u0007\u0085\u009b2J\u007f\\\u009b\r\n' }
  expect(JSON.parse(forTerminal(JSON.stringify(value)))).toEqual(value)
})

test('G03 nothing writes past the streams of the program', () => {
  const apps = resolve(import.meta.dirname, '..')
  const found = readdirSync(apps, { recursive: true, encoding: 'utf8' })
    .filter(path => /\.tsx?$/.test(path) && !path.includes('.test.'))
    .filter(path =>
      /process\.std(?:out|err)\.write\(|output: process\.std|console\.\w+\(/.test(
        readFileSync(join(apps, path), 'utf8'),
      ),
    )
  // Their own version, the screen and its modes, a program nobody starts by hand, and the streams themselves.
  expect(found.sort()).toEqual([
    'child/main.ts',
    'cli/ask-at-terminal.ts',
    'cli/main.ts',
    'session/streams.ts',
    'tui/open-terminal.tsx',
    'tui/suspend.ts',
  ])
})
