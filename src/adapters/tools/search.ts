/** What Glob and Grep ask of whatever searches: ripgrep where it is, our own walk where it is not. Same rules for both. */
import { plural } from './plain-text.js'

export interface FileQuery {
  /** An existing, real directory; globs are matched below it. */
  readonly directory: string
  /** Search this one file of the directory. */
  readonly file?: string
  /** Only files that match one of these. Without a slash a glob matches at any depth. Empty: all. */
  readonly globs: readonly string[]
  /** A language as ripgrep names it (`ts`, `py`). */
  readonly type?: string
  readonly signal: AbortSignal
}
export interface TextQuery extends FileQuery {
  readonly pattern: string
  readonly isCaseInsensitive: boolean
  readonly isMultiline: boolean
  readonly before: number
  readonly after: number
}

export interface FoundFile {
  readonly path: string
  /** `12:text` for a match, `11-text` for a line around it, `--` between groups. */
  readonly lines: readonly string[]
}
/** `isCut`: there was more than could be held, so this is only a part. */
export interface Found<T> {
  readonly items: readonly T[]
  readonly isCut: boolean
  /** Files and directories that could not be looked into. */
  readonly unread?: number
}

/**
 * Hidden files are searched; `.git` and what `.gitignore` or `.ignore` names are not, except a file that a glob asks
 * for by name. Links are not followed.
 * Every path is absolute. Matches come in the order of their paths, files in any. Throws `ToolFailure` for a pattern or
 * type that makes no sense.
 */
export interface SearchEngine {
  files(query: FileQuery): Promise<Found<string>>
  filesWithMatches(query: TextQuery): Promise<Found<string>>
  counts(query: TextQuery): Promise<Found<{ readonly path: string; readonly count: number }>>
  matches(query: TextQuery): Promise<Found<FoundFile>>
}

export const longestShownLine = 500

export function couldNotBeRead(count: number): string {
  return `[${plural(count, 'file or directory', 'files or directories')} could not be read: what is in there was not searched]`
}
