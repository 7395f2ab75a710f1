import fc from 'fast-check'
import { expect, test } from 'vitest'
import { htmlToText } from './html-text.js'

test('a page reads like a document', () => {
  const html = `<!DOCTYPE html><HTML><head><title>A &amp; B</title><style>p { color: red }</style></head><body>
    <h1>Heading</h1><p>First <b>bold</b> text&nbsp;with a <a href="https://x.test/?a=1&amp;b=2">link</a>
    and a <a href="#top">jump</a>.</p><script>alert("<p>no</p>")</script>
    <ul><li>one</li><li>two<ol><li>inner</li></ol></li></ul>
    <pre>  keep\n    this</pre><table><tr><th>k</th><th>v</th></tr><tr><td>1</td><td>2</td></tr></table>
    <!-- comment <p>hidden</p> --><img alt="a cat" src=x><br>use <code>x &lt; y</code></body>`
  expect(htmlToText(html)).toEqual({
    title: 'A & B',
    text: [
      '# Heading',
      '',
      'First bold text with a link (https://x.test/?a=1&b=2) and a jump.',
      '- one',
      '- two',
      '  1. inner',
      '',
      '```',
      '  keep',
      '    this',
      '```',
      '',
      'k | v',
      '1 | 2',
      '[image: a cat]',
      'use `x < y`',
    ].join('\n'),
  })
})

test('a page that marks its content is shown without what surrounds it', () => {
  const content = 'word '.repeat(60)
  expect(htmlToText(`<nav>menu</nav><main><p>${content}</p></main><footer>end</footer>`).text).toBe(content.trim())
})

test('F06 broken and hostile pages are read to their end', () => {
  for (const piece of ['<a "', '<', '<!--', '</', '<script>', '<div>', '&amp', '<a href=', '<pre>', '<li>']) {
    expect(htmlToText(piece.repeat(100_000)).text.length).toBeLessThan(1_500_000)
  }
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('<', '>', '"', '/', 'a', ' ', '!', '-', '&', ';', '\n') }), html => {
      htmlToText(html)
    }),
  )
})
