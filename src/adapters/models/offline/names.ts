/** How well names fit a question: names of files, folders and definitions. */
import type { Scale } from './evidence.js'
import { type Fit, judgeName, pairsFound, worth } from './judge.js'
import type { Question } from './question.js'
import { stemOf, wordParts } from './stem.js'
import { stopWords } from './words.js'

/** Names that consist of the question's words and little else come first. */
export function nameScore(scale: Scale, name: string, fit: Fit = judgeName(scale.question, name)): number {
  const { question, weights, total } = scale
  const pairs = 0.5 * pairsFound(question, name) * (total / question.terms.length)
  return worth(fit, weights) * (0.4 + 0.6 * shareAsked(scale, name)) + pairs
}

/** A file's name counts like any name, its folders a little, and a path that the question names more than anything. */
export function pathScore(scale: Scale, path: string): number {
  const { question, weights, total } = scale
  const folders = path.split('/')
  const stem = folders.pop()!.replace(/(\.(test|spec))?\.\w+$/, '')
  const inName = judgeName(question, stem)
  const inFolders = judgeName(question, folders.slice(-3).join('/')).map((strength, i) =>
    inName[i]! > 0 ? 0 : strength,
  )
  return nameScore(scale, stem, inName) + 0.25 * worth(inFolders, weights) + (isNamed(question, path) ? total : 0)
}

/** Whether the question names this file, or a folder it lies in. */
export function isNamed({ paths }: Question, path: string): boolean {
  return paths.some(said => path === said || path.endsWith(`/${said}`) || isInside(path, said))
}

const isInside = (path: string, folder: string) => folder.endsWith('/') && `/${path}`.includes(`/${folder}`)

/** The share of a name's words that the question asks for. */
function shareAsked({ question }: Scale, name: string): number {
  const words = wordParts(name).filter(word => !stopWords.has(word))
  if (words.length === 0) return 0
  const asked = words.filter(word => question.terms.some(term => (term.stems.get(stemOf(word)) ?? 0) > 0))
  return asked.length / words.length
}
