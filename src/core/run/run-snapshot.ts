/**
 * The state of a run as text, so that a long log need not be folded from its first event. The log stays the only truth:
 * a snapshot says what its fold was up to one event, and whoever cannot read it folds the log.
 *
 * S1 `foldVersion` goes up with every change to what a fold gives or to the shape of a state: snapshots of another
 *    version are not read. A test holds the fold of a rich log against the version, so that none is forgotten.
 * S2 What was written and read again goes on folding as if it never had been: the same state, the same next step.
 */
import type { RunState } from './run-state.js'

export const foldVersion = 20

export function writeSnapshot(state: RunState): string {
  const {
    clockCauses,
    calls,
    children,
    seen,
    letters,
    callIds,
    budgetMarks,
    filesChanged,
    evidence,
    versions,
    leftRunning,
  } = state
  return JSON.stringify({
    ...state,
    clockCauses: [...clockCauses],
    calls: [...calls],
    children: [...children],
    seen: [...seen],
    letters: [...letters],
    callIds: [...callIds],
    budgetMarks: [...budgetMarks],
    filesChanged: [...filesChanged],
    evidence: { calls: evidence.calls, files: [...evidence.files], commands: [...evidence.commands] },
    versions: [...versions],
    leftRunning: [...leftRunning],
  } satisfies Flat)
}

/** Undefined for what is none. It takes the word of the text for everything else: stores see that it was not damaged. */
export function readSnapshot(text: string): RunState | undefined {
  try {
    const flat = JSON.parse(text) as Flat
    return {
      ...flat,
      clockCauses: new Set(flat.clockCauses),
      calls: new Map(flat.calls),
      children: new Map(flat.children),
      seen: new Set(flat.seen),
      letters: new Map(flat.letters),
      callIds: new Set(flat.callIds),
      budgetMarks: new Map(flat.budgetMarks),
      filesChanged: new Set(flat.filesChanged),
      evidence: {
        calls: flat.evidence.calls,
        files: new Set(flat.evidence.files),
        commands: new Set(flat.evidence.commands),
      },
      versions: new Map(flat.versions),
      leftRunning: new Map(flat.leftRunning),
    }
  } catch {
    return undefined
  }
}

/** A state with lists in place of sets and maps. A new set or map in it does not compile until it is written here. */
type Flat = { readonly [K in keyof RunState]: Flattened<RunState[K]> }
type Flattened<T> =
  T extends Map<infer K, infer V>
    ? readonly (readonly [K, V])[]
    : T extends Set<infer V>
      ? readonly V[]
      : T extends RunState['evidence']
        ? { readonly calls: number; readonly files: readonly string[]; readonly commands: readonly string[] }
        : T
