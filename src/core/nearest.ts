/** Names somebody may have meant: used for unknown agents, keys and tools. */

/** Case and separators never matter when a name is looked up. */
export function looseKey(name: string): string {
  return /[^a-z0-9]/.test(name) ? name.toLowerCase().replace(/[\s._-]+/g, '') : name
}

/** `Brand Guardian` → `brand-guardian`. */
export function slugOf(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s._-]+/g, '-')
    .replace(/^-|-$/g, '')
}

/** Best first; equal distances keep the order given. What has little in common with the name is left out. */
export function rankByLikeness(name: string, candidates: readonly string[]): readonly string[] {
  const key = looseKey(name).slice(0, MAX_COMPARED)
  return candidates
    .map((candidate, index) => ({ candidate, index, score: likeness(key, looseKey(candidate)) }))
    .filter(({ score }) => score <= Math.max(1, key.length / 2))
    .sort((a, b) => a.score - b.score || a.index - b.index)
    .map(entry => entry.candidate)
}

/** The one candidate close enough to be a slip of the pen, if any. */
export function didYouMean(name: string, candidates: readonly string[]): string | undefined {
  const key = looseKey(name)
  if (key.length > MAX_COMPARED) return undefined
  const allowed = key.length <= 4 ? 1 : key.length <= 8 ? 2 : 3
  let best: { candidate: string; distance: number } | undefined
  for (const [index, loose] of looseKeysOf(candidates).entries()) {
    if (Math.abs(loose.length - key.length) > allowed) continue
    const distance = editDistance(key, loose)
    if (distance <= allowed && distance < (best?.distance ?? allowed + 1))
      best = { candidate: candidates[index]!, distance }
  }
  return best?.candidate
}

/** The lists compared with are few and constant; their keys are worked out once. */
const LOOSE_KEYS = new WeakMap<readonly string[], readonly string[]>()

function looseKeysOf(candidates: readonly string[]): readonly string[] {
  const known = LOOSE_KEYS.get(candidates)
  if (known) return known
  const keys = candidates.map(looseKey)
  LOOSE_KEYS.set(candidates, keys)
  return keys
}

const MAX_COMPARED = 64

function likeness(key: string, candidate: string): number {
  if (key === candidate) return 0
  const distance = editDistance(key, candidate.slice(0, MAX_COMPARED))
  const isPart = key.length >= 3 && (candidate.includes(key) || (candidate.length >= 3 && key.includes(candidate)))
  return isPart ? Math.min(distance, 1) : distance
}

/** Insertions, deletions, replacements and swaps of neighbours. */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1]
      let best = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + (isSame ? 0 : 1))
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (isSwap) best = Math.min(best, beforeLast[column - 2]! + 1)
      current.push(best)
    }
    beforeLast = last
    last = current
  }
  return last[b.length]!
}
