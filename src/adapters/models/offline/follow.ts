/** Names that the best places mention and that may be what the question is really about. */

import type { Scale } from './evidence.js'
import { fileKind } from './file-kind.js'
import type { Finding } from './finding.js'
import { judgeText, worth } from './judge.js'

export interface Name {
  readonly name: string
  /** How promising it is, next to the best one. */
  readonly share: number
}

export function namesWorthFollowing({ question, weights }: Scale, places: readonly Finding[]): Name[] {
  const scores = new Map<string, number>()
  for (const place of places) {
    const isProse = fileKind(place.path) === 'docs'
    for (const name of namesIn(isProse ? shownText(place) : `${place.text} ${place.excerpt.comment ?? ''}`)) {
      const fit = worth(judgeText(question, name), weights)
      // Prose names things on purpose; code names everything, so there a name must fit the question.
      const score = isProse ? place.score * (0.5 + fit) : fit * place.score
      if (score > 0) scores.set(name, (scores.get(name) ?? 0) + score)
    }
  }
  const best = [...scores].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 8)
  return best.map(([name, score]) => ({ name, share: score / best[0]![1] }))
}

const shownText = ({ excerpt }: Finding) => excerpt.lines.map(({ text }) => text).join('\n')

function namesIn(text: string): string[] {
  const shaped = text.match(/\b[a-z]+[A-Z]\w*\b|\b[A-Z][a-z0-9]+[A-Z]\w*\b|\b[a-z]+_\w+\b/g) ?? []
  const ticked = [...text.matchAll(/`([A-Za-z_]\w{2,40})(?:\(.*?\))?`/g)].map(found => found[1]!)
  return [...new Set([...shaped, ...ticked])]
}
