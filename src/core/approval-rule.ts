/**
 * The rule that an approval "for this run", "for this session" or "always" adds: exactly what was shown, and no more.
 * A command line is kept whole with its stars made plain, a path is absolute, a host is one host.
 */

import type { PermissionRule } from './agent-definition.js'
import { type PartsContext, partsOf } from './call-parts.js'
import { escapeCommand } from './permission-pattern.js'
import type { CallToJudge } from './ports.js'

/** Undefined when nothing short of the whole tool could be named, and the approval should stay for once. */
export function approvalRule(call: CallToJudge, context: PartsContext): PermissionRule | undefined {
  const { name } = call.spec
  const [part, ...further] = partsOf(call, context)
  switch (part?.kind) {
    case 'command':
    case 'doubt':
      return written(name, escapeCommand(part.line.trim()))
    case 'path':
      if (further.length > 0 || part.facts.fault !== undefined) return undefined
      return written(part.access === 'write' ? 'Edit' : 'Read', `/${escapePath(part.facts.spellings[0]!)}`)
    case 'url':
      return part.host === '' ? undefined : written('WebFetch', `domain:${part.host}${part.port && `:${part.port}`}`)
    case 'agent':
      return part.names?.[0] === undefined ? undefined : written('Agent', part.names[0])
    case 'skill':
      return written('Skill', escapeCommand(part.name))
    case 'tool':
      return call.spec.origin === 'mcp' || call.spec.effect === 'network' ? { tool: name, text: name } : undefined
    default:
      return undefined
  }
}

function written(tool: string, pattern: string): PermissionRule {
  return { tool, pattern, text: `${tool}(${pattern})` }
}

function escapePath(path: string): string {
  return path.replace(/[\\*?[\]{}]/g, letter => `\\${letter}`)
}
