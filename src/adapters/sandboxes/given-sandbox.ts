/**
 * The sandbox of a house, and for trees that were begun in a tighter one that one as well: it was given beside files, so
 * it stands in their chain (core/permission/given-bounds). It is opened when the first such run is entered; where it cannot
 * be had, that run is not entered.
 */
import { type GivenSandbox, givenSandbox } from '../../core/permission/given-bounds.js'
import { canonicalJson } from '../../core/text/text.js'
import type { Sandbox } from '../../core/workspace.js'

export interface GivenSandboxOptions {
  /** What the house was opened with; absent: it holds no commands in. */
  readonly own?: GivenSandbox | undefined
  /** Where no tree asks for another. */
  readonly usual: Sandbox
  open(wish: GivenSandbox): Promise<Sandbox>
}

export function createGivenSandbox({ own, usual, open }: GivenSandboxOptions): Sandbox {
  const opened = new Map<string, Promise<Sandbox>>()
  return {
    holdsGiven: true,
    async enter(run) {
      const wish = givenSandbox(run.brief.chain, own)
      if (!wish || isSame(wish, own)) return usual.enter(run)
      const key = canonicalJson(wish)
      const sandbox = opened.get(key) ?? open(wish)
      opened.set(key, sandbox)
      return (await sandbox).enter(run)
    },
  }
}

const isSame = (wish: GivenSandbox, own: GivenSandbox | undefined): boolean =>
  own !== undefined && canonicalJson(wish) === canonicalJson(givenSandbox([], own))
