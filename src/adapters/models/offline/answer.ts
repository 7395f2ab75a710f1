/** The answer a person reads in a terminal: first the best place in a sentence, then the evidence. */
import { fileKind } from './file-kind.js'
import type { Fused } from './fuse.js'
import type { Question } from './question.js'
import { termList } from './report.js'

export function writeAnswer(question: Question, found: readonly Fused[], unanswered: readonly string[]): string {
  const trouble = unanswered.length > 0 ? [`No report came back on: ${unanswered.join(', ')}; the list may be incomplete.`, ''] : []
  if (found.length === 0) return [`I found nothing for: ${termList(question)}.`, '', ...trouble, closing(question)].join('\n')
  return [direct(found), '', ...trouble, ...found.slice(0, 6).map(cite), closing(question)].join('\n')
}

function direct(found: readonly Fused[]): string {
  const best = found[0]!
  return `The best match is ${best.path}:${best.line}${best.symbol ? `, \`${best.symbol}\`` : ''}.${best.excerpt.comment ? ` It says: "${best.excerpt.comment}"` : ''}`
}

function cite(place: Fused, index: number): string {
  const rows = [`${index + 1}. ${place.path}:${place.line}${place.symbol ? `  ${place.symbol}` : ''}  (${fileKind(place.path)}; ${place.matched.join(', ')})`]
  return [...rows, ...place.excerpt.lines.slice(0, 4).map(({ line, text }) => `   ${String(line).padStart(5)} | ${text}`), ''].join('\n')
}

function closing(question: Question): string {
  return `Searched for: ${termList(question)}. This is keyword search by offline/scout, not a language model: read the places before you rely on them.`
}
