/** What README and the pages point at is there. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..')
const pages = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'GLOSSARY.md',
  ...readdirSync(join(root, 'docs'))
    .filter(name => name.endsWith('.md'))
    .map(name => `docs/${name}`),
]

test.each(pages)('every link in %s leads somewhere', page => {
  const text = readFileSync(join(root, page), 'utf8')
  const targets = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)]
    .map(match => match[1]!)
    .filter(target => !/^[a-z]+:/.test(target))
  expect(targets.filter(target => !existsSync(resolve(root, dirname(page), target)))).toEqual([])
})

test('README leads to every page, and every word of the eight has one', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const all = pages.filter(page => page.startsWith('docs/'))
  expect(all.filter(page => !readme.includes(`(${page})`))).toEqual([])
  const words = [...readFileSync(join(root, 'GLOSSARY.md'), 'utf8').matchAll(/^\| \*\*(\w+)\*\*/gm)].slice(0, 8)
  for (const [, word] of words) expect(readme).toMatch(new RegExp(`\\[${word!.toLowerCase()}\\]\\(docs/`))
})
