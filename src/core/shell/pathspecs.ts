/**
 * Files that git is told by a pathspec, which it reads in its own way: `:(top)a` is `a`, and a wildcard in quotes picks as
 * one without them does. Held against what forbids; nothing is proven by them.
 */
import { anyLetter, anyName, anyText } from '../text/glob.js'
import { gitCall } from './git-call.js'
import type { PossiblePath } from './possible-paths.js'
import type { ShellWord } from './words.js'

/** `rest` are the words after `git`. What is left out (`:!a`) is not named. */
export function pathspecsIn(rest: readonly ShellWord[]): readonly PossiblePath[] {
  const { name, args } = gitCall(rest)
  return args.flatMap((word, at) => {
    const { shape } = word
    if (/^-|\s/.test(shape) || isMessage(args[at - 1]?.shape ?? '')) return []
    const [, listed = '', path] = /^:(?:\(([^)]*)\)|\/:?)(.+)$/s.exec(shape) ?? []
    const isPicking = path !== undefined || changing.has(name ?? '')
    if (!isPicking || /\bexclude\b/.test(listed)) return []
    const picked = /\bliteral\b/.test(listed) ? [path!] : [path ?? shape, withDots(path ?? shape)].map(withWildcards)
    const isFromTop = /\btop\b/.test(listed) || /^:\//.test(shape)
    return [...new Set(picked)]
      .filter(one => one !== shape)
      .map(one => ({ shape: one, word, ...(isFromTop && { isFromTop }) }))
  })
}

/** They write or take away the files they are told. */
const changing = new Set('checkout restore rm reset stash mv clean checkout-index'.split(' '))

const isMessage = (option: string): boolean => /^(-[A-Za-z]*m|--message)$/.test(option)

/** To git a wildcard may stand for a dot at the start of a name: `?mcp.json`. One alone names nothing: `*`, `*.json`. */
function withDots(path: string): string {
  return path.replace(/(^|\/)(?:\?|\[[^\]]*\]|(\*))(?=\w)/g, (_, before, star = '') => `${before}.${star}`)
}

function withWildcards(path: string): string {
  return path
    .replace(/\*\*+/g, anyText)
    .replace(/\*/g, anyName)
    .replace(/\[[^\]]*\]|\?/g, anyLetter)
}
