/**
 * What a yes is given for besides the input: the same words mean something else in another directory, where a link leads
 * elsewhere, or at another server of the same name.
 */

import type { Writable } from '../record.js'
import { canonicalJson } from '../text/text.js'
import type { Part } from './part.js'

/** Where a call was judged, and what its words meant there. */
export interface JudgedFacts {
  /** Where its relative paths and its command start. */
  readonly directory?: string
  /** Each path that leads elsewhere than it is written, with all it may lead to. */
  readonly leadsTo?: Readonly<Record<string, readonly string[]>>
  /** The command or address of the server behind the tool, as a fingerprint. */
  readonly server?: string
  /** The names of the agent it hands work to. */
  readonly agents?: readonly string[]
}

/** Undefined where the input says everything. */
export function judgedFacts(parts: readonly Part[], cwd: string): JudgedFacts | undefined {
  const facts: Writable<JudgedFacts> = {}
  const leadsTo = new Map<string, readonly string[]>()
  for (const part of parts) {
    if (part.kind === 'path') {
      facts.directory = part.directory ?? cwd
      const [, ...others] = part.facts.spellings
      // The same words may stand in two places of a line, and start from two directories.
      if (others.length > 0) leadsTo.set(part.facts.asked, [...(leadsTo.get(part.facts.asked) ?? []), ...others])
    } else if (part.kind === 'command' || part.kind === 'doubt') facts.directory = part.directory
    else if (part.kind === 'tool' && part.server !== undefined) facts.server = part.server
    else if (part.kind === 'agent' && part.names) facts.agents = part.names
  }
  if (leadsTo.size > 0) facts.leadsTo = Object.fromEntries(leadsTo)
  return Object.keys(facts).length > 0 ? facts : undefined
}

/** What a request said about itself, and what is found when its call is judged again. */
export interface AskedAbout {
  readonly rule: string
  readonly lasting?: string | false
  readonly judged?: JudgedFacts
}

/** Why a yes to what was asked is none to what is found now, in words; undefined when it still counts. */
export function whyVoid(asked: AskedAbout, found: AskedAbout): string | undefined {
  const { judged: before } = asked
  const { judged: now } = found
  if (now && !before) return 'the request did not say what it was judged by'
  if (!isSame(before?.directory, now?.directory))
    return `the call would start in ${now?.directory ?? 'no known directory'} now, not in ${before?.directory ?? 'no known directory'}`
  if (!isSame(before?.leadsTo, now?.leadsTo)) return whereItLeads(before?.leadsTo ?? {}, now?.leadsTo ?? {})
  if (!isSame(before?.server, now?.server)) return 'the server of that name is started or reached in another way now'
  if (!isSame(before?.agents, now?.agents)) return 'the agent it names is another now'
  if (asked.rule !== found.rule) return `it is asked about for another reason now (${found.rule}, not ${asked.rule})`
  return isSame(asked.lasting, found.lasting) ? undefined : 'a yes for longer would mean another rule now'
}

type Leads = NonNullable<JudgedFacts['leadsTo']>

function whereItLeads(before: Leads, now: Leads): string {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(now)])]
  const changed = paths.find(path => !isSame(before[path], now[path]))!
  const where = now[changed] ? `to ${now[changed].join(' or ')}` : 'nowhere else'
  return `${changed} leads ${where} now, and did not before`.replace(/[\u0001-\u0003]/g, '*')
}

const isSame = (a: unknown, b: unknown): boolean => canonicalJson(a) === canonicalJson(b)
