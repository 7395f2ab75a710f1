/**
 * HTML as a reader sees it: headings, lists, links, tables and code as plain marks, everything else as text.
 * One pass, no backtracking: hostile pages cost no more than their length.
 */
import { decodeEntities } from './html-entities.js'

export interface Page {
  readonly title: string
  readonly text: string
}

const unread = new Set([
  'script',
  'style',
  'svg',
  'template',
  'noscript',
  'iframe',
  'object',
  'canvas',
  'title',
  'math',
])
const blocks = new Set(
  `address article aside blockquote body dd details div dl dt fieldset figcaption figure footer form header hr html li
  main nav ol p pre section summary table tbody thead tr ul h1 h2 h3 h4 h5 h6`.split(/\s+/),
)
const longestTag = 4096
const tagName = /<(\/?)([a-z][a-z0-9-]{0,30})/y

export function htmlToText(html: string): Page {
  const lower = html.replace(/[A-Z]+/g, letters => letters.toLowerCase())
  const title = between(html, lower, 'title')
  const main = mainPart(html, lower)
  const text = main.length >= 200 ? main : render(html, lower, 0)
  return { title: decodeEntities(title).replace(/\s+/g, ' ').trim(), text }
}

/** A page that says what its content is, is believed. */
function mainPart(html: string, lower: string): string {
  for (const name of ['main', 'article']) {
    const start = lower.search(new RegExp(`<${name}[\\s>]`))
    if (start === -1) continue
    const end = lower.lastIndexOf(`</${name}`)
    if (end > start) return render(html.slice(0, end), lower.slice(0, end), start)
  }
  return ''
}

function between(html: string, lower: string, name: string): string {
  const start = lower.search(new RegExp(`<${name}[\\s>]`))
  const open = lower.indexOf('>', start)
  const end = lower.indexOf(`</${name}`, open)
  return start === -1 || open === -1 || end === -1 ? '' : html.slice(open + 1, end)
}

function render(html: string, lower: string, from: number): string {
  const writer = new TextWriter()
  const tagEnd = tagEnds(html)
  for (let at = from; at < html.length; ) {
    const tag = lower.indexOf('<', at)
    writer.write(decodeEntities(html.slice(at, tag === -1 ? html.length : tag)))
    if (tag === -1) break
    at = readTag(html, lower, tag, tagEnd, writer)
  }
  return writer.text()
}

/** Handles what begins at `start` and says where to go on. */
function readTag(html: string, lower: string, start: number, tagEnd: TagEnd, writer: TextWriter): number {
  if (lower.startsWith('<!--', start)) return after(lower, '-->', start + 4)
  tagName.lastIndex = start
  const name = tagName.exec(lower)
  const end = name ? tagEnd(start) : -1
  if (!name || end === -1) {
    if ('!?/'.includes(lower[start + 1] ?? '<')) return after(lower, '>', start)
    writer.write('<')
    return start + 1
  }
  const [, slash, element] = name as unknown as [string, string, string]
  if (slash === '' && unread.has(element) && html[end - 1] !== '/') return after(lower, `</${element}`, end)
  if (slash === '') writer.open(element, html.slice(start, end))
  else writer.close(element)
  return end + 1
}

type TagEnd = (start: number) => number

/** Finds closing brackets outside quotes; a tag that has none nearby is no tag. Looks at no bracket twice in vain. */
function tagEnds(html: string): TagEnd {
  let next = -1
  return start => {
    if (next < start) next = html.indexOf('>', start)
    if (next === -1) next = html.length
    if (next - start > longestTag || next === html.length) return -1
    for (let end = next; end !== -1 && end - start <= longestTag; end = html.indexOf('>', end + 1)) {
      if (isOutsideQuotes(html.slice(start, end))) return end
    }
    return next
  }
}

function isOutsideQuotes(tag: string): boolean {
  if (!tag.includes('"') && !tag.includes("'")) return true
  return !/["']/.test(tag.replace(/"[^"]*"|'[^']*'/g, ''))
}

function after(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from)
  if (found === -1) return text.length
  return mark.startsWith('</') ? after(text, '>', found) : found + mark.length
}

class TextWriter {
  private readonly lines: string[] = []
  // Pieces, not one string: asking a growing string for its end would copy it each time.
  private line: string[] = []
  private preDepth = 0
  private readonly lists: { isOrdered: boolean; count: number }[] = []
  private readonly links: string[] = []

  write(text: string): void {
    if (text === '') return
    if (this.preDepth > 0) {
      this.writePre(text)
      return
    }
    const flat = text.replace(/[\s\u00a0]+/g, ' ')
    const last = this.line.at(-1)
    this.add(last === undefined || last.endsWith(' ') ? flat.replace(/^ /, '') : flat)
  }

  open(element: string, tag: string): void {
    if (blocks.has(element)) this.breakLine()
    if (/^h[1-6]$/.test(element)) this.startParagraph(`${'#'.repeat(Number(element[1]))} `)
    else if (element === 'br') this.breakLine(true)
    else if (element === 'p' || element === 'table') this.startParagraph('')
    else if (element === 'pre') this.startPre()
    else if (element === 'ul' || element === 'ol') this.lists.push({ isOrdered: element === 'ol', count: 0 })
    else if (element === 'li') this.add(this.bullet())
    else if (element === 'td' || element === 'th') this.add(this.line.length === 0 ? '' : ' | ')
    else if (element === 'code' && this.preDepth === 0) this.add('`')
    else if (element === 'a') this.links.push(attribute(tag, 'href'))
    else if (element === 'img') this.write(imageText(attribute(tag, 'alt')))
  }

  close(element: string): void {
    if (element === 'pre') this.endPre()
    if (element === 'code' && this.preDepth === 0) this.add('`')
    if (element === 'ul' || element === 'ol') this.lists.pop()
    if (element === 'a') {
      const target = this.links.pop() ?? ''
      if (/^https?:/i.test(target)) this.add(` (${target})`)
    }
    if (blocks.has(element)) this.breakLine()
  }

  text(): string {
    this.breakLine()
    return this.lines
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  }

  private add(piece: string): void {
    if (piece !== '') this.line.push(piece)
  }

  private writePre(text: string): void {
    const [first = '', ...rest] = text.split('\n')
    this.add(first)
    for (const next of rest) {
      this.breakLine(true)
      this.add(next)
    }
  }

  private breakLine(isKept = false): void {
    const line = this.preDepth > 0 ? this.line.join('') : this.line.join('').trimEnd()
    if (line !== '' || isKept) this.lines.push(line)
    this.line = []
  }

  private startParagraph(mark: string): void {
    this.breakLine()
    if (this.lines.length > 0 && this.lines.at(-1) !== '') this.lines.push('')
    this.add(mark)
  }

  private startPre(): void {
    this.startParagraph('')
    this.lines.push('```')
    this.preDepth++
  }

  private endPre(): void {
    if (this.preDepth === 0) return
    this.breakLine()
    this.preDepth--
    this.lines.push('```')
  }

  private bullet(): string {
    const list = this.lists.at(-1)
    const indent = '  '.repeat(Math.max(0, Math.min(this.lists.length, 8) - 1))
    if (!list?.isOrdered) return `${indent}- `
    return `${indent}${++list.count}. `
  }
}

function imageText(alternative: string): string {
  return alternative === '' ? '' : `[image: ${alternative}]`
}

function attribute(tag: string, name: string): string {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>]+))`, 'i').exec(tag)
  return decodeEntities(found?.[1] ?? found?.[2] ?? found?.[3] ?? '')
}
