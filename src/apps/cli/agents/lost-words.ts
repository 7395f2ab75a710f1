/** What stands in an agent file and is in no definition: an import loses it. */
import { Lexer } from 'yaml'
import { extensionOf } from '../../../core/agent-file/file-name.js'
import { splitFrontMatter } from '../../../core/agent-file/text/front-matter.js'
import { isRecord } from '../../../core/record.js'

/** Comments of its head that stand nowhere in what was written, by their lines. */
export function lostComments(content: string, path: string, written: string): readonly number[] {
  const { head, firstLine, language } = headOf(content, path)
  const found = language === 'toml' ? tomlComments(head) : language === 'yaml' ? yamlComments(head) : []
  return found.flatMap(({ text, line }) => {
    const words = text.replace(/^#+/, '').trim()
    return words === '' || written.includes(words) ? [] : [firstLine + line]
  })
}

/** Figures that JSON writes in another way: of a key that is kept as it is, some of it may be lost. */
export function changedFigures(content: string, path: string, extra: unknown): readonly (readonly [string, string])[] {
  const kept = new Set(figuresIn(extra))
  const figures = headOf(content, path).head.match(/(?<![\w.+-])[+-]?\d[\w.+-]*/g) ?? []
  return [...new Set(figures)].flatMap(figure => {
    const value = Number(figure)
    return kept.has(value) && String(value) !== figure ? [[figure, String(value)] as const] : []
  })
}

function figuresIn(value: unknown): readonly number[] {
  if (typeof value === 'number') return [value]
  if (Array.isArray(value)) return value.flatMap(figuresIn)
  return isRecord(value) ? Object.values(value).flatMap(figuresIn) : []
}

interface Head {
  readonly head: string
  readonly firstLine: number
  readonly language: string
}

function headOf(content: string, path: string): Head {
  const extension = extensionOf(path)
  if (extension !== 'md')
    return { head: content, firstLine: 1, language: ['toml', 'json'].includes(extension) ? extension : 'yaml' }
  const split = splitFrontMatter(content)
  if ('none' in split) return { head: '', firstLine: 1, language: 'yaml' }
  return { head: split.lines.join('\n'), firstLine: split.firstLine, language: split.language }
}

interface Comment {
  readonly text: string
  /** From 0. */
  readonly line: number
}

function yamlComments(head: string): readonly Comment[] {
  const comments: Comment[] = []
  let line = 0
  let before = ''
  for (const token of new Lexer().lex(head)) {
    // What follows this mark is a value, whatever it begins with.
    if (token.startsWith('#') && before !== '\u001f') comments.push({ text: token, line })
    line += token.split('\n').length - 1
    before = token
  }
  return comments
}

/** Whole lines; inside a text of several lines they are no comments, but those are written again, and so not lost. */
const tomlComments = (head: string): readonly Comment[] =>
  head.split('\n').flatMap((each, line) => (/^\s*#/.test(each) ? [{ text: each.trim(), line }] : []))
