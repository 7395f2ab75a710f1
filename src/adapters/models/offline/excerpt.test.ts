import { expect, test } from 'vitest'
import { endsBefore, showFile, showPlace } from './excerpt.js'

const numbered = (text: string, from = 1) =>
  text
    .split('\n')
    .map((line, i) => `${String(from + i).padStart(6)}\t${line}`)
    .join('\n')

test('a definition is shown with the comment above it', () => {
  const output = numbered(
    '/** Gives a slot back to whoever waits. */\n@traced\nexport function release() {\n  return 1\n}\n',
    40,
  )
  expect(showPlace({ line: 42, text: '' }, output)).toEqual({
    line: 42,
    excerpt: {
      comment: 'Gives a slot back to whoever waits.',
      lines: [
        { line: 42, text: 'export function release() {' },
        { line: 43, text: '  return 1' },
        { line: 44, text: '}' },
      ],
    },
  })
})

test('a comment that stands on a definition leads to it', () => {
  const output = numbered(
    '// Sets pieces aside for an order.\n// All or none.\nfunc Reserve(lines []Line) error {\n\treturn nil',
  )
  expect(showPlace({ line: 1, text: '' }, output)).toMatchObject({
    line: 3,
    symbol: 'Reserve',
    excerpt: { comment: 'Sets pieces aside for an order. All or none.' },
  })
})

test('a docstring below a definition counts as its comment', () => {
  const output = numbered('def cosine(a, b):\n    """How alike two sets of buyers are."""\n    return 1')
  expect(showPlace({ line: 1, text: '' }, output).excerpt.comment).toBe('How alike two sets of buyers are.')
})

test('a place that could not be read is shown by the line that was found', () => {
  const shown = showPlace({ line: 7, text: 'const a = 1' }, 'No such file')
  expect(shown).toEqual({ line: 7, excerpt: { lines: [{ line: 7, text: 'const a = 1' }] } })
})

test('long lines and long comments are cut, and show that they are', () => {
  const shown = showPlace({ line: 2, text: '' }, numbered(`// ${'word '.repeat(100)}\nconst a = '${'x'.repeat(300)}'`))
  expect(shown.excerpt.lines[0]!.text).toMatch(/…$/)
  expect(shown.excerpt.comment!.length).toBeLessThan(240)
})

test('a file is shown by the comment at its head and its first definition', () => {
  const output = numbered(
    "/**\n * The loop of a run.\n * It ends once.\n */\nimport a from 'a'\n\nexport function drive() {\n}",
  )
  expect(showFile(output)).toMatchObject({
    line: 1,
    excerpt: { comment: 'The loop of a run. It ends once.', lines: [{ line: 7 }, { line: 8 }] },
  })
})

test('a line below a function that has ended was said to lie in it', () => {
  const module = ['def checkout():', '    return 1', '', 'if __name__ == "__main__":', '    app.run(port=8081)']
  const body = ['def checkout(', '    cart,', '):', '    if cart:', '', '        return 1']
  const shownAt = (lines: readonly string[], line: number) =>
    endsBefore({ line }, lines.map((text, i) => `${String(i + 1).padStart(6)}\t${text}`).join('\n'))
  expect(shownAt(module, 5)).toBe(true)
  expect(shownAt(module, 2)).toBe(false)
  expect(shownAt(body, 6)).toBe(false)
})
