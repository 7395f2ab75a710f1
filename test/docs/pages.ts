/** The pages a user reads, and the blocks of code in them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../..')

/** README and everything below docs. */
export const userPages: readonly string[] = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter(name => name.endsWith('.md'))
    .map(name => `docs/${name}`),
]

export const textOf = (page: string): string => readFileSync(join(root, page), 'utf8')

export interface Block {
  /** `docs/cli.md:11`. */
  readonly place: string
  readonly language: string
  readonly text: string
  /** Why it is not run: `<!-- not run: reason -->` in the line above it. */
  readonly notRun?: string
}

const fence = /(?:<!-- not run: ([^\n]+) -->\n)?^```(\w+)\n([\s\S]*?)^```$/gm

export function blocks(...languages: readonly string[]): readonly Block[] {
  return userPages.flatMap(page => {
    const text = textOf(page)
    return [...text.matchAll(fence)]
      .filter(([, , language]) => languages.includes(language!))
      .map(({ index, 1: notRun, 2: language, 3: code }) => ({
        place: `${page}:${text.slice(0, index).split('\n').length + (notRun ? 1 : 0)}`,
        language: language!,
        text: code!,
        ...(notRun && { notRun }),
      }))
  })
}
