/**
 * Texts that go into a run's prompt besides its definition: instructions, memory, preloaded skills.
 *
 * 1. Instructions and memory stand in the system prompt, skills in the opening; each names its file.
 * 2. Each kind has a bound for all of its texts together. The nearest text is cut last: it says the most.
 * 3. Every text leaves a reason with its bytes, so that `explain` shows what a prompt is made of.
 */

import type { AgentDefinition } from '../agent-definition.js'
import * as notices from '../notices.js'
import type { WrittenDeny } from '../permission/written-deny.js'
import { byteLength, cutToBytes } from '../text/text.js'
import type { Decision, PermissionLink } from '../types.js'

/** What a piece is. */
export type PromptPartKind = 'instructions' | 'memory' | 'skill'

/** A piece of an agent's prompt that is not in its definition. */
export interface PromptPart {
  readonly kind: PromptPartKind
  /** The file it comes from, or the name of a skill. */
  readonly origin: string
  /** Empty: it was asked for and is not there. */
  readonly text: string
  /** The rule that keeps it out; then there is no text. */
  readonly deniedBy?: WrittenDeny
}

/**
 * Gives the parts of one agent's prompt, farthest first. Must not throw. `chain`: what binds the run, from the root down to
 * the agent itself.
 */
export type PromptParts = (agent: AgentDefinition, chain: readonly PermissionLink[]) => readonly PromptPart[]

export const promptPartBounds: Readonly<Record<PromptPartKind, number>> = {
  instructions: 64 * 1024,
  memory: 24 * 1024,
  skill: 64 * 1024,
}

export interface PlacedParts {
  /** After the agent's own prompt; empty when there is nothing. */
  readonly system: string
  /** The part of it that only this agent has. */
  readonly memory: string
  /** Texts that stand before the task. */
  readonly opening: readonly string[]
  readonly reasons: readonly Decision[]
}

export function placeParts(
  parts: readonly PromptPart[],
  agent: Pick<AgentDefinition, 'omitInstructions'>,
): PlacedParts {
  const wanted = agent.omitInstructions ? parts.filter(part => part.kind !== 'instructions') : parts
  const bounded = (['instructions', 'memory', 'skill'] as const).flatMap(kind => bound(kind, wanted))
  const shown = bounded.filter(part => part.shown !== '')
  const omitted: readonly Decision[] =
    wanted.length === parts.length
      ? []
      : [{ about: 'prompt', subject: 'instructions', verdict: 'left out', rule: 'omit-instructions' }]
  const textsOf = (...kinds: readonly PromptPartKind[]) => shown.filter(part => kinds.includes(part.kind)).map(written)
  return {
    system: textsOf('instructions', 'memory').join('\n\n'),
    memory: textsOf('memory').join('\n\n'),
    opening: textsOf('skill'),
    reasons: [...omitted, ...bounded.map(reasonOf)],
  }
}

interface BoundedPart extends PromptPart {
  readonly shown: string
}

function bound(kind: PromptPartKind, parts: readonly PromptPart[]): readonly BoundedPart[] {
  let left = promptPartBounds[kind]
  return parts
    .filter(part => part.kind === kind)
    .reverse()
    .map(part => {
      const shown = cutToBytes(part.text.trim(), Math.max(0, left))
      left -= byteLength(shown)
      return { ...part, shown }
    })
    .reverse()
}

function written({ kind, origin, text, shown }: BoundedPart): string {
  const isCut = shown.length < text.trim().length
  const body = notices.neutralise(shown) + (isCut ? notices.partCut(byteLength(text.trim())) : '')
  return notices.promptPart[kind](origin, body)
}

function reasonOf({ kind, origin, text, shown, deniedBy }: BoundedPart): Decision {
  if (deniedBy)
    return {
      about: 'prompt',
      subject: origin,
      verdict: 'left out',
      rule: deniedBy.rule,
      detail: `by ${deniedBy.origin}`,
    }
  const [all, kept] = [byteLength(text.trim()), byteLength(shown)]
  if (all === 0) return { about: 'prompt', subject: origin, verdict: 'missing', rule: `${kind}-missing` }
  return {
    about: 'prompt',
    subject: origin,
    verdict: `${kept} bytes`,
    rule: kept < all ? `${kind}-bound` : kind,
    ...(kept < all && { detail: `of ${all} bytes; all ${kind} texts together may have ${promptPartBounds[kind]}` }),
  }
}
