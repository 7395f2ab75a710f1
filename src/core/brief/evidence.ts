/**
 * What stands behind a report, and what a definition may demand of it:
 *
 *     evidence: true                    # at least one successful call
 *     evidence:
 *       toolCalls: 3                    # so many successful calls
 *       commands: ["npm test*"]         # for each, one successful command that matches; * is anything but ; & | and newline
 *       citedFiles: true                # the report names files (path/to/file or file.ts:12), and each of them exists
 *
 * V1 A demand nobody understands is a refusal, not a demand for nothing.
 * V2 What an attempt has not done itself stands behind no report of it.
 * V3 `npm test || true` proves nothing: a pattern matches a whole command, or a whole part of an `a && b` chain.
 */

import type { Writable } from '../record.js'
import type { CallState, RunState, ToolEnded } from '../run/run-state.js'
import type { Evidence } from '../types.js'
import { completionTool } from './completion.js'

export interface EvidenceDemand {
  readonly toolCalls?: number
  readonly commands?: readonly string[]
  readonly citedFiles?: boolean
}

/** Kept of each kind: enough to check, and a bound on what a log grows by. */
const bound = 200

export function readEvidenceDemand(given: unknown): { readonly demand: EvidenceDemand } | { readonly fault: string } {
  if (given === true) return { demand: { toolCalls: 1 } }
  if (given === undefined || given === null || given === false) return { demand: {} }
  if (typeof given !== 'object' || Array.isArray(given))
    return { fault: 'evidence must be true, or an object with toolCalls, commands or citedFiles' }
  const demand: Writable<EvidenceDemand> = {}
  for (const [key, value] of Object.entries(given)) {
    const name = key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
    const commands = typeof value === 'string' ? [value] : value
    if (name === 'toolCalls' && Number.isInteger(value) && Number(value) >= 0) demand.toolCalls = Number(value)
    else if (name === 'citedFiles' && typeof value === 'boolean') demand.citedFiles = value
    else if (name === 'commands' && isTexts(commands)) demand.commands = commands
    else
      return {
        fault: `evidence.${key} is not understood: use toolCalls (a number), commands (patterns), citedFiles (true)`,
      }
  }
  return { demand }
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every(one => typeof one === 'string' && one.trim() !== '')

/** The part of the fold that remembers what was done. How a command in the background ended stands nowhere: it proves nothing. */
export function noteEvidence(state: RunState, call: CallState, event: ToolEnded): void {
  if (event.status !== 'ok' || event.name === completionTool) return
  state.evidence.calls += 1
  for (const { path } of event.files ?? []) if (state.evidence.files.size < bound) state.evidence.files.add(path)
  const { command } = (call.input ?? {}) as { command?: unknown }
  if (typeof command !== 'string' || event.leftRunning) return
  if (state.evidence.commands.size < bound) state.evidence.commands.add(command)
}

export const evidenceOf = ({ evidence }: RunState): Evidence => ({
  calls: evidence.calls,
  files: [...evidence.files],
  commands: [...evidence.commands],
})

/** One sentence for each thing that is missing. */
export function evidenceFaults(
  demand: EvidenceDemand,
  { calls, commands }: Evidence,
  cited: ReadonlyMap<string, boolean>,
): readonly string[] {
  const wanted = demand.toolCalls ?? 0
  const absent = [...cited].flatMap(([path, isThere]) => (isThere ? [] : [path]))
  return [
    calls < wanted ? `${calls} of the ${wanted} successful tool calls it needs` : '',
    ...(demand.commands ?? []).map(pattern =>
      commands.some(command => matchesCommand(pattern, command)) ? '' : `no successful command matches "${pattern}"`,
    ),
    demand.citedFiles && cited.size === 0 ? 'it cites no file' : '',
    demand.citedFiles && absent.length > 0 ? `cited and not there: ${absent.slice(0, 10).join(', ')}` : '',
  ].filter(Boolean)
}

/** V3. */
export function matchesCommand(pattern: string, command: string): boolean {
  const plain = command.replace(/\d*>&\d|&>\s*\S+/g, '').trim()
  const parts = /[;|\n]|(?<!&)&(?!&)/.test(plain) ? [plain] : plain.split('&&')
  const expression = pattern
    .trim()
    .split('*')
    .map(text => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^;&|\\n]*')
  const matcher = new RegExp(`^${expression}$`)
  return parts.some(part => matcher.test(part.trim()))
}

/** Paths a report names: with a directory, or with a line. Addresses of the web are none. */
export function citedPaths(text: string): readonly string[] {
  const found = new Set<string>()
  const pattern = /(?<![\w:/.@-])((?:\.{1,2}\/|\/)?(?:[\w@.+-]+\/)*[\w@+-][\w@.+-]*\.[A-Za-z]\w{0,9})(:\d+)?/g
  for (const [, path, line] of text.slice(0, 200_000).matchAll(pattern))
    if (path!.includes('/') || line !== undefined) found.add(path!)
  return [...found].slice(0, bound)
}
