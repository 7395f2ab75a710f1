/**
 * The Judge port on this machine: core's judgement with real paths and the bash grammar.
 * It fails closed: whatever goes wrong while judging is a deny that says so.
 */
import type { PermissionRule } from '../../core/agent-definition.js'
import { modeOfLink, type SwitchedMode } from '../../core/brief/mode.js'
import { type Catalog, namesOf } from '../../core/catalog/catalog.js'
import { readWishedAgent } from '../../core/catalog/wished-agent.js'
import { approvalRule } from '../../core/permission/approval-rule.js'
import type { Place } from '../../core/permission/path-policy.js'
import { type CallPolicy, type Explanation, explainCall, isUnbound } from '../../core/permission/permission.js'
import type { RuleLayer } from '../../core/permission/permission-rules.js'
import { plainReading } from '../../core/permission/plain-reading.js'
import { type WrittenDeny, writtenDeny } from '../../core/permission/written-deny.js'
import type { CallToJudge, Judge, Verdict } from '../../core/ports.js'
import type { ShellGrammar } from '../../core/shell/grammar.js'
import { looseKey } from '../../core/text/nearest.js'
import { messageOf } from '../../core/thrown.js'
import type { PermissionLink } from '../../core/types.js'
import { homeDirectory } from '../os/directories.js'
import { repositoryOf } from '../os/git-index.js'
import { directoriesIn, filesBelow, filesIn, linksIn, waysTo } from '../os/real-path.js'
import { realPathsNow } from '../os/real-paths-now.js'
import { ownProgram } from '../os/search-path.js'
import { loadShellGrammar } from './shell-grammar.js'

export interface JudgeOptions {
  /** Asked at every call, so that a rule added now binds runs that are under way. A throw denies the call. */
  layers(): readonly RuleLayer[]
  /** Our own state and configuration directories: closed to every tool. */
  readonly stateDirs: readonly string[]
  /** Inside `stateDirs` but open for reading: the run's kept output, skills. */
  readable?(call: CallToJudge): readonly string[]
  /** Open for writing: the call's scratch directory, its memory. */
  writable?(call: CallToJudge): readonly string[]
  /** Scripts of hooks, folders of plugins and of agents: writing them asks a person, in every mode. */
  decisive?(chain: readonly PermissionLink[]): readonly string[]
  /** Folders from which the user's shells take programs by their bare names: writing one asks a person, in every mode. */
  readonly programs?: readonly string[]
  /** The plan file of the call's run. */
  planFile?(call: CallToJudge): string | undefined
  /** Every name the agent of a delegation goes by: aliases, or the agent of a run that is resumed. */
  agentNames?(input: unknown): readonly string[] | undefined
  readonly isSameAgent?: CallPolicy['isSameAgent']
  readonly delegate?: CallPolicy['delegate']
  readonly unspoken?: CallPolicy['unspoken']
  /** What the call's conversation was switched to, plan mode that its agent entered included. */
  switched?(call: CallToJudge): SwitchedMode | undefined
  /** Where the run's shell stands now. Commands are judged from there; rules still start from the workspace's directory. */
  shellDirectory?(call: CallToJudge): string | undefined
  readonly home?: string
  /** The PATH with which commands run. Default: this process’s. */
  searchPath?(): string | undefined
  /** Replaces the grammar that is loaded on first use. */
  readonly parseShell?: () => Promise<ShellGrammar>
  readonly realPath?: (path: string) => string
}

/** A judge that also shows what it weighed. */
export interface ExplainingJudge extends Judge {
  judge(call: CallToJudge): Promise<Verdict>
  /** The verdict with every rule that was weighed. Fails closed in the same way. */
  explain(call: CallToJudge): Promise<Explanation>
  /** For searches: a quick yes for ordinary files, made once a call. What it says no to is still to be judged. */
  plainReading(call: CallToJudge): (realPath: string) => boolean
  /** The written rule that denies this, told at once: for what goes into a prompt. Command lines are not looked into. */
  writtenDeny(call: CallToJudge): WrittenDeny | undefined
  /** The narrow rule with which this call would no longer ask; undefined when there is none. */
  ruleFor(call: CallToJudge): Promise<PermissionRule | undefined>
}

export function createJudge(given: JudgeOptions): ExplainingJudge {
  const asItStands = (call: CallToJudge) => inModeOfNow(call, given)
  const { realPath } = given
  const realPaths = realPath ? () => remembered(realPath) : realPathsNow
  const options = { ...given, realPaths, sharedNow: sharedForNow(realPaths) }
  const policyOf = async (call: CallToJudge): Promise<CallPolicy> => {
    const isFree = options.unspoken === 'allow' && isUnbound(call)
    const needsGrammar = !isFree && (call.spec.effect === 'execute' || call.spec.name === 'Bash')
    const grammar = needsGrammar ? await (options.parseShell ?? loadShellGrammar)() : undefined
    return policyFor(call, options, grammar)
  }
  const explain = async (call: CallToJudge): Promise<Explanation> => {
    try {
      return explainCall(asItStands(call), await policyOf(call))
    } catch (error) {
      return failedClosed(call, error)
    }
  }
  return {
    explain,
    judge: async call => {
      const { verdict, judged } = await explain(call)
      return judged && verdict.decision !== 'deny' ? { ...verdict, judged } : verdict
    },
    plainReading: call => plainReading(asItStands(call), policyFor(call, options, undefined)),
    writtenDeny: call => {
      try {
        return writtenDeny(call, policyFor(call, options, undefined))
      } catch (error) {
        return { rule: 'judge-failed', origin: messageOf(error) }
      }
    },
    ruleFor: async call => {
      try {
        const policy = await policyOf(call)
        const rule = approvalRule(call, policy)
        return rule && isEnough(rule, asItStands(call), policy) ? rule : undefined
      } catch {
        return undefined
      }
    },
  }
}

/**
 * The judge of a house that was given none: whatever a definition or the policy's mode forbids is forbidden, for the
 * agent and all below it. Its host gave the tools and said no more about them, so the rest is allowed.
 */
export function judgeOfDefinitions(catalog: () => Catalog): Judge {
  return createJudge({
    layers: () => [],
    stateDirs: [],
    ...agentsOf(catalog),
    unspoken: 'allow',
  })
}

/** What forbids an agent holds for every name it goes by, and what allows one for whoever the catalog finds by it. */
export function agentsOf(catalog: () => Catalog): Required<Pick<JudgeOptions, 'agentNames' | 'isSameAgent'>> {
  return {
    agentNames: input => {
      const { agent: wished } = readWishedAgent(input)
      if (wished === undefined) return undefined
      const agent = catalog().find(wished)
      return agent ? [wished, ...namesOf(agent)] : [wished]
    },
    isSameAgent: (name, other) => {
      const agent = catalog().find(name)
      return agent ? agent === catalog().find(other) : looseKey(name) === looseKey(other)
    },
  }
}

/** Some asks no rule lifts: those that guard a deny or something protected. */
function isEnough(rule: PermissionRule, call: CallToJudge, policy: CallPolicy): boolean {
  const layer: RuleLayer = { scope: 'session', origin: 'to be approved', rules: { allow: [rule], ask: [], deny: [] } }
  return explainCall(call, { ...policy, layers: [...policy.layers, layer] }).verdict.decision === 'allow'
}

function inModeOfNow(call: CallToJudge, { switched }: JudgeOptions): CallToJudge {
  const mode = switched?.(call)
  if (!mode) return call
  if (call.brief.chain.length === 0)
    throw new Error('a call without a chain cannot be judged in a mode that was switched')
  const chain = call.brief.chain.map(link => ({ ...link, mode: modeOfLink(link, mode) }))
  return { ...call, brief: { ...call.brief, chain } }
}

type RealPath = (path: string) => string

interface ReadyOptions extends JudgeOptions {
  /** Found anew for each call: what was found for one may be a link to elsewhere at the next. */
  readonly realPaths: () => RealPath
  readonly sharedNow: () => RealPath
}

/** Real paths found in this turn of the event loop: a search has thousands of files judged at one moment. */
function sharedForNow(realPaths: () => RealPath): () => RealPath {
  let shared: RealPath | undefined
  return () => {
    if (shared) return shared
    shared = realPaths()
    setImmediate(() => {
      shared = undefined
    })
    return shared
  }
}

function remembered(find: RealPath): RealPath {
  const known = new Map<string, string>()
  return path => {
    const found = known.get(path) ?? find(path)
    known.set(path, found)
    return found
  }
}

function policyFor(call: CallToJudge, options: ReadyOptions, grammar: ShellGrammar | undefined): CallPolicy {
  const { agentNames, isSameAgent, delegate, unspoken } = options
  return {
    layers: options.layers(),
    place: placeOf(call, options),
    ...(grammar ? { grammar } : {}),
    ...(agentNames ? { agentNames } : {}),
    ...(isSameAgent ? { isSameAgent } : {}),
    ...(delegate ? { delegate } : {}),
    ...(unspoken ? { unspoken } : {}),
  }
}

function placeOf(call: CallToJudge, options: ReadyOptions): Place {
  const { cwd, roots, copies, callers } = call.workspace
  const shell = call.spec.name === 'Bash' ? options.shellDirectory?.(call) : undefined
  // What only reads is judged once more by the path it really opened, so a moment's memory opens nothing.
  const real = call.spec.effect === 'read' ? options.sharedNow() : options.realPaths()
  // Asked of every word of a line, and each time a look at the disk.
  let decisive: readonly string[] | undefined
  return {
    cwd: shell ?? cwd,
    start: cwd,
    roots,
    copies,
    callers,
    home: options.home ?? homeDirectory(process.env),
    stateDirs: options.stateDirs,
    get readable() {
      return options.readable?.(call) ?? []
    },
    get writable() {
      return options.writable?.(call) ?? []
    },
    get decisive() {
      decisive ??= options.decisive?.(call.brief.chain) ?? []
      return decisive
    },
    ...(options.programs && { programs: options.programs }),
    get planFile() {
      return options.planFile?.(call)
    },
    realPath: real,
    ...onDisk,
    ownProgram(name, from) {
      const places = [...roots, ...(copies ?? []).flatMap(({ copy, original }) => [copy, original]), ...this.writable]
      return ownProgram(name, options.searchPath ? options.searchPath() : process.env.PATH, places, from)
    },
  }
}

const onDisk = { waysTo, linksIn, directoriesIn, filesIn, filesBelow, repository: repositoryOf } as const

function failedClosed(call: CallToJudge, error: unknown): Explanation {
  const message = messageOf(error)
  const reason = `this call could not be judged, so it is denied: ${message}`
  const rule = 'judge-failed'
  const { agent } = call.brief
  return {
    verdict: { decision: 'deny', rule, origin: 'built-in', reason },
    considered: [{ agent, subject: call.spec.name, decision: 'deny', rule, origin: 'built-in', reason }],
  }
}
