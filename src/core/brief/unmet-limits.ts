/**
 * Limits of a brief that need a port: without one that keeps them the run is refused, because a limit that nobody
 * keeps is none.
 */
import { failsClosed, readHookConfig } from '../hooks/hook-config.js'
import { givenGuards, givenSandbox } from '../permission/given-bounds.js'
import type { Brief, Refusal } from '../types.js'

export interface KeptLimits {
  /** There is a sandbox: it makes the place a run works in. */
  readonly hasSandbox: boolean
  /** Hooks of definitions are run. */
  readonly runsAgentHooks: boolean
  /** The sandbox holds commands in as `chain` says. */
  readonly holdsGiven: boolean
}

export function unmetLimit(
  { agent, isolation, baseDir, hooks, chain }: Pick<Brief, 'agent' | 'isolation' | 'baseDir' | 'hooks' | 'chain'>,
  { hasSandbox, runsAgentHooks, holdsGiven }: KeptLimits,
): Refusal | undefined {
  if (isolation === 'worktree' && !hasSandbox)
    return refuse(
      'isolation-unavailable',
      `${agent} is to work in a worktree of its own, and this house has no sandbox that makes one.`,
    )
  if (baseDir !== undefined && !hasSandbox)
    return refuse(
      'base-dir-unavailable',
      `${agent} is to work in ${baseDir}, and this house has no sandbox that keeps it there.`,
    )
  if (!holdsGiven && givenSandbox(chain))
    return refuse(
      'sandbox-unavailable',
      `the tree of ${agent} was begun with a sandbox for its commands, and this house has none that holds them.`,
    )
  if (!runsAgentHooks && [hooks, ...givenGuards(chain)].some(hasGuard))
    return refuse(
      'guards-unavailable',
      `${agent} has hooks that guard its calls, and this house has none that run them (\`commandHooks\`).`,
    )
  return undefined
}

/** A run cannot be moved: where its agent is held to a place by now, it has to be started anew. */
export function movedPlace(
  old: Pick<Brief, 'agent' | 'isolation' | 'baseDir'>,
  fresh: Pick<Brief, 'isolation' | 'baseDir'>,
): Refusal | undefined {
  const isHeld = fresh.isolation === 'worktree' && old.isolation !== 'worktree'
  if (!isHeld && (fresh.baseDir === undefined || fresh.baseDir === old.baseDir)) return undefined
  const where = isHeld ? 'a worktree of its own' : fresh.baseDir
  const why = `${old.agent} is to work in ${where} by now, and this run began elsewhere. Start it anew.`
  return { refused: `The run was not taken up: ${why}`, rule: 'place-changed' }
}

/** A guard that may fail open can be done without; one that cannot be read may have been meant to hold. */
function hasGuard(hooks: Brief['hooks']): boolean {
  const { entries, faults } = readHookConfig(hooks)
  return entries.some(failsClosed) || faults.some(({ isGuard }) => isGuard)
}

const refuse = (rule: string, why: string): Refusal => ({ refused: `The task was not started: ${why}`, rule })
