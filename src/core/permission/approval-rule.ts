/**
 * The rule that an approval "for this run", "for this session" or "always" adds: exactly what was shown, and no more.
 * A command line is kept whole with its stars made plain, a path is absolute, a host is one host, a server's tool is that
 * server's. A line that names files, or that only a running shell could read, is kept for the directory the shell stood in:
 * elsewhere it means others. What would be read back as a rule for something else is no rule.
 */

import type { PermissionRule } from '../agent-definition.js'
import type { CallToJudge } from '../ports.js'
import { type PartsContext, partsOf } from './call-parts.js'
import { hostAndPort } from './network-policy.js'
import type { Part } from './part.js'
import { escapeCommand, lineIn, serverPattern } from './permission-pattern.js'
import { canonicalName, controlCharacter, maxRule, parsePermissionRule } from './permission-rule.js'

/** Undefined when nothing short of the whole tool could be named, and the approval should stay for once. */
export function approvalRule(call: CallToJudge, context: PartsContext): PermissionRule | undefined {
  const { name } = call.spec
  const parts = partsOf(call, context)
  const [part, ...further] = parts
  switch (part?.kind) {
    case 'command':
    case 'doubt': {
      const line = part.line.trim()
      return line === ''
        ? undefined
        : written(name, escapeCommand(dependsOnPlace(parts) ? lineIn(part.directory, line) : line))
    }
    case 'path':
      if (further.length > 0 || part.facts.fault !== undefined) return undefined
      return written(part.access === 'write' ? 'Edit' : 'Read', `/${escapePath(part.facts.spellings[0]!)}`)
    case 'url':
      return part.host === '' ? undefined : written('WebFetch', `host:${hostAndPort(part.host, part.port)}`)
    case 'agent':
      // A star in a name would be one in the rule.
      return part.names?.[0] === undefined || part.names[0].includes('*') ? undefined : written('Agent', part.names[0])
    case 'skill':
      return written('Skill', escapeCommand(part.name))
    case 'tool':
      return part.server === undefined ? wholeTool(call) : written(name, serverPattern(part.server)!)
    default:
      return undefined
  }
}

function wholeTool({ spec: { name, origin, effect } }: CallToJudge): PermissionRule | undefined {
  return origin === 'mcp' || effect === 'network' ? { tool: name, text: name } : undefined
}

/** A word of no known meaning counts as a file when it looks like one: `build` does not, `build/`, `.` and `a.py` do. */
function dependsOnPlace(parts: readonly Part[]): boolean {
  return parts.some(
    part =>
      part.kind === 'doubt' ||
      (part.kind === 'path' && (part.from === 'command' || /[./~\u0001-\u0003]/.test(part.facts.asked))),
  )
}

/** A rule without a pattern lets its tool do anything: of a server's tool nobody knows what its input means. */
export function coversWholeTool(rule: string): boolean {
  const read = parsePermissionRule(rule)
  return !('fault' in read) && (read.pattern === undefined || read.pattern.startsWith('server:'))
}

/** Why a rule holds for one session at most: it could not be read back from a file. Undefined when it could. */
export function whyNotKept(rule: string): string | undefined {
  if (rule.length > maxRule) return `its rule has ${rule.length} characters, and at most ${maxRule} are kept`
  if (controlCharacter.test(rule)) return 'its rule has control characters'
  return inWorkTree.test(rule) ? 'it is about a work tree, and the next one has another place' : undefined
}

const inWorkTree = /^\w+\(in (?:'[^']*|[^\s:]*)\/worktrees\//

/** Undefined for nothing at all, which as a pattern is everything, and for blanks at an end, which are not read. */
function written(tool: string, pattern: string): PermissionRule | undefined {
  const rule = { tool, pattern, text: `${tool}(${pattern})` }
  const read = parsePermissionRule(rule.text)
  const isOther = !('fault' in read) && (read.tool !== canonicalName(tool) || read.pattern !== pattern)
  return pattern === '' || isOther ? undefined : rule
}

function escapePath(path: string): string {
  return path.replace(/[\\*?[\]{}]/g, letter => `\\${letter}`)
}
