/** Randomness that a seed repeats. What processes and the clock add cannot be repeated; the seed narrows a search. */
export interface Chance {
  /** 0 ≤ n < 1. */
  next(): number
  /** Whether something of this probability happens now. */
  is(probability: number): boolean
  /** A whole number, both ends included. */
  between(low: number, high: number): number
  pick<T>(from: readonly T[]): T
}

export function chanceOf(seed: number): Chance {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    is: probability => next() < probability,
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    pick: from => from[Math.floor(next() * from.length)]!,
  }
}
