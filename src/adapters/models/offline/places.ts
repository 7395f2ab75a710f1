/** The best lines of one file, from its outline and every line with a term in it. */
import { type JudgedHit, judgeHit, type Scale } from './evidence.js'
import type { Place } from './finding.js'
import { better, type Fit, isHit, judgeName, pairsFound, worth } from './judge.js'
import { nameScore } from './names.js'
import { byScore, kindFactor, placeWorth, useFactor } from './rank.js'
import type { Hit } from './tool-output.js'

/** Best first, at most three, and never two that show the same lines. */
export function rankPlaces(scale: Scale, path: string, hits: readonly Hit[]): Place[] {
  const { question } = scale
  const lines = hits.map(hit => judgeHit(question, hit))
  const telling = lines.filter(({ fit }) => isHit(fit))
  const fromPath = 0.7 * placeWorth(scale, path)
  const inPath = judgeName(question, path)
  const places = telling.flatMap((line, i): Place[] => {
    const around = fitAround(telling, i)
    const score = lineWorth(scale, line, around) * useFactor(question, line.text)
    if (score === 0) return []
    const symbol = line.definition?.name ?? enclosing(lines, line)
    return [
      {
        path,
        line: line.line,
        ...(symbol !== undefined && { symbol }),
        score: ((score + fromPath) / scale.total) * kindFactor(question, path),
        matched: question.terms.filter((_, term) => around[term]! > 0 || inPath[term]! > 0).map(({ label }) => label),
        text: line.text.trim(),
      },
    ]
  })
  if (places.length > 0) return apart(places.sort(byScore))
  return fromPath > 0 ? [pathPlace(scale, path, inPath, fromPath)] : []
}

/** A file without a fitting line is still worth naming when its path fits. */
function pathPlace({ question, total }: Scale, path: string, inPath: Fit, worth: number): Place {
  const matched = question.terms.filter((_, term) => inPath[term]! > 0).map(({ label }) => label)
  return { path, line: 1, score: (worth / total) * kindFactor(question, path), matched, text: '' }
}

const reach = 10

function lineWorth(scale: Scale, line: JudgedHit, around: Fit): number {
  const { question, weights, total } = scale
  const own = line.definition ? 0.8 * nameScore(scale, line.definition.name) : 0
  const pairs = 0.25 * pairsFound(question, line.text) * (total / question.terms.length)
  return worth(around, weights) + 0.2 * worth(line.fit, weights) + own + pairs
}

/** What the lines around one add to it, the less the farther away. */
function fitAround(lines: readonly JudgedHit[], at: number): Fit {
  const { line, fit } = lines[at]!
  let around = fit
  for (const step of [-1, 1]) {
    for (let i = at + step; lines[i] && Math.abs(lines[i]!.line - line) <= reach; i += step) {
      const distance = Math.abs(lines[i]!.line - line)
      around = better(
        around,
        lines[i]!.fit.map(strength => strength / (1 + distance / 8)),
      )
    }
  }
  return around
}

/** The nearest definition above that is indented less, or the nearest heading or test. */
function enclosing(lines: readonly JudgedHit[], { line, text }: JudgedHit): string | undefined {
  const own = indentOf(text)
  const above = lines.filter(other => other.line < line && other.definition)
  return above.findLast(other => isTitle(other) || indentOf(other.text) < own)?.definition?.name
}

const isTitle = ({ definition }: JudgedHit) => definition?.kind === 'heading' || definition?.kind === 'test'
const indentOf = (text: string) => /^\s*/.exec(text)![0].length

function apart(places: readonly Place[]): Place[] {
  const kept: Place[] = []
  for (const place of places) {
    if (kept.length >= 3) break
    if (kept.every(other => Math.abs(other.line - place.line) > reach)) kept.push(place)
  }
  return kept
}
