/**
 * What was meant by a name in settings that nobody reads.
 *
 * 1. A key in a section is held against the names of that section only: `allw` is no `ask`.
 * 2. A word that other products use for a limit, or that a limit here has in its name, counts as one: who writes
 *    `maxConcurrent` wants fewer runs, and must not get the default.
 * 3. So does the name of a limit, or a word for one, that stands at the top instead of in its section: `deny`, `maxTurns`.
 */
import type { PermissionRules } from '../agent-definition.js'
import { namesNoHost } from '../permission/network-policy.js'
import { didYouMean, looseKey } from '../text/nearest.js'
import { isReachingOut } from '../tools/outside-roots.js'
import { deniedMeantBy } from '../tools/tool-guess.js'
import { isLimit, isSection, knownSettings } from './settings-table.js'

export interface Meant {
  /** The setting it may be a slip for. */
  readonly near?: string
  /** Unread, a limit is lost. */
  readonly losesLimit: boolean
}

export function meantBy(key: string): Meant {
  // Too short for slips to be told from other words: `books`.
  if (/^hooks?$/i.test(key)) return { near: 'hooks', losesLimit: true }
  const at = key.indexOf('.')
  const section = key.slice(0, Math.max(at, 0))
  const near = isSection(section) ? nearIn(section, key.slice(at + 1)) : (misplaced(key) ?? didYouMean(key, topKeys))
  if (near !== undefined) return { near, losesLimit: isGuarding(near) }
  return { losesLimit: section === 'subagents' && soundsLikeLimit.test(key.slice(at + 1)) }
}

/** The tool that a rule may have meant, when there is none of its name. */
export function toolMeantBy(tool: string): string | undefined {
  return tool.includes('*') || isReachingOut(tool) ? undefined : deniedMeantBy(tool)
}

export interface RuleSlip {
  readonly code: string
  readonly message: string
  readonly hint?: string
}

/** Of a deny or an ask that binds nothing here: it counts as written, since a host may have a tool of that name. */
export const lostRule = 'permission-rule-binds-nothing'
const denials = { allow: 'allowed', ask: 'asked about', deny: 'denied' } as const

/** Rules that can be read and hold other than whoever wrote them may think. */
export function ruleSlips(rules: PermissionRules): readonly RuleSlip[] {
  return (['allow', 'ask', 'deny'] as const).flatMap(list =>
    rules[list].flatMap(({ tool, text, pattern }) => {
      const near = toolMeantBy(tool)
      const isLost = list !== 'allow'
      const said = `permissions.${list}: "${text}"`
      const isForAll = list !== 'allow' && tool === 'WebFetch' && pattern !== undefined && namesNoHost(pattern)
      return [
        ...(near
          ? [
              {
                code: isLost ? lostRule : 'permission-tool-unknown',
                message: `${said} is for a tool nobody knows here${isLost ? `, so no call is ${denials[list]} by it` : ''}`,
                hint: `did you mean "${near}"?`,
              },
            ]
          : []),
        ...(isForAll
          ? [{ code: 'permission-host-unreadable', message: `${said} names no host, so it is about all` }]
          : []),
      ]
    }),
  )
}

const ruleLists = ['permissions.deny', 'permissions.ask', 'permissions.allow']
const sectionsWithLimits = ['permissions', 'subagents']
const allKeys = [...ruleLists, ...Object.keys(knownSettings)]
const topKeys = [...sectionsWithLimits, ...allKeys]

const namesIn = (section: string): readonly string[] =>
  allKeys.filter(key => key.startsWith(`${section}.`)).map(key => key.slice(section.length + 1))
const names: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  sectionsWithLimits.map(section => [section, namesIn(section)]),
)

/** The limit that a key at the top is the name of, or a word for: whole words only, since anything may stand there. */
function misplaced(key: string): string | undefined {
  const loose = looseKey(key)
  const words = Object.entries(topWords).find(([, each]) => each.includes(loose))
  return words?.[0] ?? limitsByName.get(loose)
}

const topWords: Readonly<Record<string, readonly string[]>> = {
  'permissions.deny':
    `denied denylist denytools deniedtools disallow disallowed disallowedtools disabledtools excludetools
    excludedtools forbidden forbiddentools blocked blockedtools blockedcommands deniedcommands never`.split(/\s+/),
  'permissions.defaultMode': ['permissionmode', 'approvalmode', 'approvalpolicy'],
  sandbox: ['sandboxmode', 'sandboxtype', 'sandboxkind', 'sandboxpolicy'],
  'subagents.budgetUsd': ['budget', 'maxbudget', 'maxbudgetusd', 'maxcost', 'maxcostusd'],
  'subagents.timeoutSeconds': ['timeout', 'timeoutms', 'timeoutmins', 'maxtime'],
  'subagents.concurrency': ['maxconcurrency', 'maxconcurrent'],
}

function nearIn(section: string, name: string): string | undefined {
  const known = names[section] ?? []
  const near = didYouMean(name, known) ?? byWord(section, name.toLowerCase(), known)
  return near && `${section}.${near}`
}

function byWord(section: string, name: string, known: readonly string[]): string | undefined {
  if (section === 'permissions') return permissionWords.find(([, shape]) => shape.test(name))?.[0]
  const word = limitWords.find(each => name.includes(each))
  return word && known.find(each => each.toLowerCase().includes(word))
}

const permissionWords: readonly (readonly [string, RegExp])[] = [
  ['deny', /^(den(y|ied)|dis_?-?allow|forb[ia]d|block|reject|never)/],
  ['ask', /^(always_?-?ask|confirm|prompt)/],
  ['defaultMode', /^((permission|approval)_?-?)?(mode|policy)$/],
]
const limitWords = 'concurren timeout turn depth descendant budget token usd expir retention queue'.split(' ')
const soundsLikeLimit = /max|limit|cost/i

const isGuarding = (key: string): boolean =>
  sectionsWithLimits.includes(key) || key === 'permissions.deny' || key === 'permissions.ask' || isLimit(key)

/** By the name alone. One that says nothing without its section is not among them. */
const limitsByName: ReadonlyMap<string, string> = new Map(
  allKeys
    .filter(key => key.includes('.') && isGuarding(key) && key !== 'subagents.enabled')
    .map(key => [looseKey(key.slice(key.indexOf('.') + 1)), key]),
)
