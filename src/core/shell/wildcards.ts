/** What a wildcard shows by itself: the shell puts in its place the names it finds, and whoever prints them lists a directory. */
import { anyLetter, anyName, anyText } from '../text/glob.js'

const wildcard = new RegExp(`[${anyName}${anyLetter}]`)

/**
 * The directories whose names a word with wildcards picks from, and the word itself where more than a name is picked:
 * `s*` + `/key` tells whether there is one. None where a variable says from where: it may be anywhere, as in any other word.
 */
export function listedBy(shape: string): readonly string[] {
  if (!wildcard.test(shape) || (shape.includes(anyText) && !shape.startsWith('/'))) return []
  // A slash at the end picks directories, and shows no more than their names.
  const segments = shape.replace(/(?<=.)\/+$/, '').split('/')
  const listed = segments.flatMap((segment, at) => (wildcard.test(segment) ? [directory(segments.slice(0, at))] : []))
  return wildcard.test(segments.at(-1)!) ? listed : [...listed, shape]
}

function directory(segments: readonly string[]): string {
  if (segments.length === 0) return '.'
  return segments.join('/') || '/'
}
