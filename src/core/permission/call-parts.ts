/**
 * A call taken apart into what rules are about: paths, commands, hosts, agents. A call may run when every part may.
 * Inputs are read by the names the tools use; a tool nobody knows is read by the usual names of such fields.
 */

import { readWishedAgent, usualAgent } from '../catalog/wished-agent.js'
import type { CallToJudge } from '../ports.js'
import { isRecord } from '../record.js'
import type { ShellGrammar } from '../shell/grammar.js'
import { alternativesOf, anyLetter, anyName, anyText } from '../text/glob.js'
import { resolvePath } from '../text/path-text.js'
import { toolNames } from '../tools/tool-names.js'
import type { ToolEffect, ToolSpec } from '../types.js'
import {
  commandFields,
  declaredFields,
  hasUnknownText,
  isDeclared,
  madeUpField,
  pathFields,
  saysWhatItTakes,
  startFields,
  urlFields,
} from './judged-fields.js'
import { hostOfUrl } from './network-policy.js'
import { clip, type Part, type PathPart, pathPart } from './part.js'
import { lookAtPath, type Place } from './path-policy.js'
import { shellParts } from './shell-parts.js'

export interface PartsContext {
  readonly place: Place
  /** Without one no command line is understood. */
  readonly grammar?: ShellGrammar
  /** Every name the agent of a delegation goes by; undefined when it cannot be told. */
  readonly agentNames?: (input: unknown) => readonly string[] | undefined
  /** Whether two names find one agent: what allows a name allows whoever it finds, and nobody else. */
  readonly isSameAgent?: (name: string, other: string) => boolean
}

export function partsOf(call: CallToJudge, context: PartsContext): readonly Part[] {
  const { spec } = call
  const { name } = spec
  const input = isRecord(call.input) ? call.input : {}
  if (call.handsTo !== undefined) return [agentPart('Task', { subagent_type: call.handsTo }, context)]
  if (isDelegation(name) && hasEffect(call, 'delegate')) return [agentPart(name, input, context)]
  if (spec.origin === 'mcp') return [{ kind: 'tool', subject: name, server: spec.server }]
  const madeUp = madeUpField(spec, input)
  if (madeUp !== undefined) return [refusedFor(spec, madeUp)]
  if (name === 'Skill') return [skillPart(input)]
  if (isShellCall(call, input)) {
    const parts = commandsIn(input).flatMap(line => shellParts(line, startingPlace(input, context), context.grammar))
    return saysNoMore(call, input) ? parts : [...parts, { kind: 'tool', subject: name }]
  }
  if (hasEffect(call, 'network')) return besideUnknown(urlParts(input), call, input)
  return besideUnknown(pathParts(call, input, context.place), call, input)
}

function refusedFor(spec: ToolSpec, field: string): Part {
  const fields = declaredFields(spec)
  const isStart = startFields.includes(field) && commandFields.some(one => fields.includes(one))
  const what = isStart ? 'Begin the command with `cd … &&`, or leave it out' : `It takes ${clip(fields.join(', '))}`
  const reason = `there is no input "${field}". ${fields.length === 0 ? 'It takes none' : what}.`
  return { kind: 'refused', rule: 'unknown-input', reason, subject: spec.name }
}

/** What a tool of nobody knows what does besides goes by its effect. */
function besideUnknown(parts: readonly Part[], { spec, effect }: CallToJudge, input: Input): readonly Part[] {
  const tool: Part = { kind: 'tool', subject: spec.name }
  if (parts.length === 0) return [tool]
  const isOurs = toolNames.includes(spec.name)
  const isChanging = spec.effect === 'write' || effect === 'write'
  return !isOurs && (!saysWhatItTakes(spec) || (isChanging && hasUnknownText(input))) ? [...parts, tool] : parts
}

type Input = Readonly<Record<string, unknown>>

const commandsIn = (input: Input): readonly string[] => commandFields.flatMap(field => textsIn(input[field]))

/** The effect the tool declares or the one this call has: the stricter counts. */
function hasEffect(call: CallToJudge, effect: ToolEffect): boolean {
  return call.spec.effect === effect || call.effect === effect
}

/** A command line, in words of its own or of a host's tool. What is no text, or said twice, nobody can judge. */
function isShellCall(call: CallToJudge, input: Input): boolean {
  const isClear = (fields: readonly string[]) => {
    const given = fields.filter(field => input[field] != null)
    return given.length < 2 && given.every(field => typeof input[field] === 'string')
  }
  if (!isClear(commandFields) || !isClear(startFields) || commandsIn(input).length === 0) return false
  return call.spec.name === 'Bash' || hasEffect(call, 'execute')
}

/**
 * Whether a command line, and where and how long to run it, is all that a host's tool is told. A field that it does not
 * declare tells it nothing; any other may make something else of the line, so the call counts as one of the tool as well.
 */
function saysNoMore({ spec }: CallToJudge, input: Input): boolean {
  if (spec.name === 'Bash') return true
  const fields = new Set([...commandFields, ...startFields, 'description', 'timeout', 'run_in_background'])
  return saysWhatItTakes(spec) && Object.keys(input).every(field => fields.has(field) || !isDeclared(spec, field))
}

export function isDelegation(tool: string): boolean {
  return tool === 'Task' || tool === 'Agent' || tool.startsWith('subagent_')
}

function agentPart(tool: string, input: Record<string, unknown>, { agentNames, isSameAgent }: PartsContext): Part {
  const { agent, resume } = readWishedAgent(input)
  // The name of a tool is not the agent's: only a tool that does not say whom it hands to is guessed by it.
  const named = tool.startsWith('subagent_')
    ? tool.slice('subagent_'.length)
    : (agent ?? (textOf(input, ['agent']) || undefined))
  const given = named ?? (resume === undefined ? usualAgent : undefined)
  const known = agentNames?.(given === undefined ? input : { ...input, subagent_type: given })
  const names = known || given ? [...new Set([...(given ? [given] : []), ...(known ?? [])])] : undefined
  const subject = `agent ${given ?? known?.[0] ?? 'of the resumed run'}`
  const isFoundBy = given !== undefined && isSameAgent ? (name: string) => isSameAgent(given, name) : undefined
  return { kind: 'agent', names, subject, ...(isFoundBy && { isFoundBy }) }
}

function skillPart(input: Record<string, unknown>): Part {
  const name = textOf(input, ['skill', 'name', 'command']) ?? ''
  return { kind: 'skill', name, subject: `skill ${name}` }
}

function urlParts(input: Record<string, unknown>): readonly Part[] {
  const urls = urlFields.flatMap(field => textsIn(input[field]))
  return urls.map(url => {
    const { host = '', port = '' } = hostOfUrl(url) ?? {}
    return { kind: 'url', url, host, port, subject: host || clip(url) }
  })
}

function pathParts(call: CallToJudge, input: Record<string, unknown>, place: Place): readonly Part[] {
  const { name } = call.spec
  if ([call.spec.effect, call.effect].some(effect => effect !== 'write' && effect !== 'read')) return []
  const access = hasEffect(call, 'write') ? 'write' : name === 'Glob' || name === 'LS' ? 'list' : 'read'
  const asked = pathFields.flatMap(field => textsIn(input[field]))
  if (name === 'Glob' || name === 'Grep' || name === 'LS')
    return (asked.length > 0 ? asked : ['.']).flatMap(start => searchParts(name, access, start, input, place))
  return asked.map(path => pathPart(lookAtPath(path, place), access, 'tool'))
}

/** A search starts at its path. Where a Glob pattern leads counts as well, and which single files a Grep filter picks. */
function searchParts(
  tool: string,
  access: PathPart['access'],
  from: string,
  input: Record<string, unknown>,
  place: Place,
): readonly Part[] {
  const start = lookAtPath(from, place)
  const bases = start.spellings.slice(0, 1)
  const pattern = textOf(input, tool === 'Glob' ? ['pattern'] : ['glob']) ?? ''
  const further = alternativesOf(pattern.replace(/^!.*/s, '')).flatMap(one => {
    if (tool === 'Glob') return [lookAtPath(fixedStart(one), place, bases)]
    // A search follows no links, so only the names count.
    const names = { ...place, linksIn: () => [] }
    if (isEverything(one)) return []
    const facts = lookAtPath(picked(one), names, bases)
    // What a wildcard might pick is judged file by file when the search finds it; what is spelled out is a wish for it.
    const isSecret = facts.isSecret && (!one.includes('*') || lookAtPath(one.replace(/\*/g, ''), names, bases).isSecret)
    return [{ ...facts, isSecret, isInside: start.isInside }]
  })
  return [start, ...further].map(facts => pathPart(facts, access, 'tool'))
}

function isEverything(pattern: string): boolean {
  return /^(\*\*\/)*\*{0,2}$/.test(pattern)
}

/** The names a filter picks, at the top: a search does not leave the directory it starts in. */
function picked(pattern: string): string {
  const name = pattern.slice(pattern.lastIndexOf('/') + 1)
  return name.replace(/\*+/g, anyName).replace(/\[[^\]]*\]|\?/g, anyLetter)
}

/** Up to the first segment with a wildcard; `..` after one is taken at its word. */
function fixedStart(pattern: string): string {
  const segments = pattern.split('/')
  const first = segments.findIndex(segment => /[*?[{]/.test(segment))
  if (first < 0) return pattern
  const rest = segments.slice(first).includes('..') ? `/${anyText}` : ''
  const fixed = segments.slice(0, first).join('/')
  return (fixed === '' && pattern.startsWith('/') ? '/' : fixed || '.') + rest
}

function startingPlace(input: Record<string, unknown>, { place }: PartsContext): Place {
  const elsewhere = textOf(input, startFields)
  return elsewhere === undefined ? place : { ...place, cwd: resolvePath(place.cwd, elsewhere) }
}

function textsIn(value: unknown): readonly string[] {
  const values = Array.isArray(value) ? value : [value]
  return values.filter(one => typeof one === 'string')
}

function textOf(input: Record<string, unknown>, fields: readonly string[]): string | undefined {
  for (const field of fields) if (typeof input[field] === 'string') return input[field]
  return undefined
}
