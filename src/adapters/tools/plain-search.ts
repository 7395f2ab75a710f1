/** Search without ripgrep: slower, same answers for the patterns both grammars share. */
import { open, stat } from 'node:fs/promises'
import { messageOf } from '../../core/thrown.js'
import { readFileState } from '../os/file-version.js'
import { isAnyHeld, isHeldHere } from '../os/held-files.js'
import { ToolFailure } from './define-tool.js'
import { walkFiles } from './file-walk.js'
import {
  type FileQuery,
  type Found,
  type FoundFile,
  longestShownLine,
  type SearchEngine,
  type TextQuery,
} from './search.js'
import { decodeText, hasTextMark } from './text-encoding.js'

const maxFiles = 200_000
const maxLines = 200_000

export function createPlainSearch(): SearchEngine {
  return {
    async files(query) {
      const items: string[] = []
      for await (const path of walkFiles(query)) {
        if (items.push(path) >= maxFiles) break
      }
      return { items, isCut: items.length >= maxFiles }
    },
    async filesWithMatches(query) {
      const found = await searchAll(query)
      return { items: found.items.map(file => file.path), isCut: found.isCut }
    },
    async counts(query) {
      const found = await searchAll(query)
      return { items: found.items.map(({ path, matched }) => ({ path, count: matched.size })), isCut: found.isCut }
    },
    async matches(query) {
      const found = await searchAll(query)
      return { items: found.items.map(file => withContext(file, query)), isCut: found.isCut }
    },
  }
}

interface MatchedFile {
  readonly path: string
  readonly lines: readonly string[]
  /** Indexes of the lines that a match touches. */
  readonly matched: ReadonlySet<number>
}

async function searchAll(query: TextQuery): Promise<Found<MatchedFile>> {
  const pattern = compile(query)
  const items: MatchedFile[] = []
  let lines = 0
  for await (const path of walkFiles(query)) {
    const text = await readText(path, query)
    const file = text === undefined ? undefined : search(path, text, pattern, query.isMultiline)
    if (!file) continue
    items.push(file)
    lines += file.matched.size
    if (lines > maxLines) return { items, isCut: true }
  }
  return { items: items.sort((left, right) => (left.path < right.path ? -1 : 1)), isCut: false }
}

function compile({ pattern, isCaseInsensitive, isMultiline }: TextQuery): RegExp {
  try {
    return new RegExp(pattern, `gm${isCaseInsensitive ? 'i' : ''}${isMultiline ? 's' : ''}`)
  } catch (error) {
    throw new ToolFailure(`The search could not run: ${messageOf(error)}`, 'bad pattern')
  }
}

/** Nothing for binary, unreadable and very large files; the store's own is a binary one. */
async function readText(path: string, { signal }: FileQuery): Promise<string | undefined> {
  try {
    if (isAnyHeld() && isHeldHere(await stat(path))) return undefined
    const handle = await open(path)
    try {
      const { bytes } = await readFileState(handle, signal)
      if (!bytes || (!hasTextMark(bytes) && bytes.subarray(0, 8192).includes(0))) return undefined
      return decodeText(bytes)
    } finally {
      await handle.close()
    }
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}

function search(path: string, text: string, pattern: RegExp, isMultiline: boolean): MatchedFile | undefined {
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  const matched = isMultiline ? linesTouched(text, pattern) : linesMatching(lines, pattern)
  return matched.size > 0 ? { path, lines, matched } : undefined
}

function linesMatching(lines: readonly string[], pattern: RegExp): Set<number> {
  const matched = new Set<number>()
  lines.forEach((line, index) => {
    pattern.lastIndex = 0
    if (pattern.test(line)) matched.add(index)
  })
  return matched
}

function linesTouched(text: string, pattern: RegExp): Set<number> {
  const matched = new Set<number>()
  let [line, position] = [0, 0]
  const advance = (to: number) => {
    for (let end = text.indexOf('\n', position); end !== -1 && end < to; end = text.indexOf('\n', position)) {
      line++
      position = end + 1
    }
  }
  for (const match of text.matchAll(pattern)) {
    advance(match.index)
    matched.add(line)
    for (const _ of match[0].trimEnd().matchAll(/\n/g)) matched.add(++line)
    position = match.index + match[0].trimEnd().length
  }
  return matched
}

function withContext({ path, lines, matched }: MatchedFile, { before, after }: TextQuery): FoundFile {
  const shown: string[] = []
  let last = -1
  for (const index of [...matched].sort((left, right) => left - right)) {
    const start = Math.max(index - before, last + 1)
    if (before + after > 0 && last >= 0 && start > last + 1) shown.push('--')
    for (let line = start; line <= Math.min(index + after, lines.length - 1); line++) {
      shown.push(`${line + 1}${matched.has(line) ? ':' : '-'}${shortened(lines[line]!)}`)
      last = line
    }
  }
  return { path, lines: shown }
}

function shortened(line: string): string {
  return line.length > longestShownLine ? `${line.slice(0, longestShownLine)} [... omitted end of long line]` : line
}
