/** `agents explain NAME`: the brief it would get, with the rule behind every decision. */

import type { AgentDefinition, ApprovalMode } from '../../../core/agent-definition.js'
import { reachesServers } from '../../../core/brief/tool-filter.js'
import { type Catalog, createCatalog } from '../../../core/catalog/catalog.js'
import { oneLine } from '../../../core/text/text.js'
import type { Brief, Refusal, Task } from '../../../core/types.js'
import { withCommand } from '../../session/commands-for.js'
import { furtherDecisions, type Shown, withBase } from './further-decisions.js'
import {
  type AgentsOutput,
  json,
  type Output,
  openToOthers,
  paragraph,
  printable,
  styleOf,
  table,
  whyOpen,
} from './output.js'
import { unknownAgent } from './show.js'
import { whyNoPlace } from './why-no-place.js'

export interface ExplainDeps extends AgentsOutput {
  readonly prepareBrief: (task: Task, catalog: Catalog) => Promise<Brief | Refusal>
}

interface Asked {
  readonly json?: boolean
}

export async function explainAgent(
  name: string,
  options: Asked & { readonly prompt: string; readonly background?: boolean },
  deps: ExplainDeps,
): Promise<number> {
  const loaded = await deps.loadAgents()
  const { catalog } = loaded
  const entry = catalog.lookup(name)
  if (!entry) return unknownAgent(name, loaded, deps)
  if (entry.state === 'quarantined') return tellQuarantine(entry.agent, options, deps)
  const task = {
    agent: entry.agent.name,
    prompt: options.prompt,
    description: 'explain',
    isBackground: options.background ?? false,
  }
  const { brief, lifted: asked } = await liftedBrief(task, entry.agent, catalog, deps)
  const placeless = 'refused' in brief ? undefined : await whyNoPlace(brief, deps.cwd)
  const lifted = placeless === undefined ? asked : [...asked, { refused: placeless, rule: 'no-place' }]
  if ('refused' in brief) tellRefusals([...lifted, brief], entry.agent, options, deps)
  else if (options.json)
    json(deps, { ...lifted[0], ...withAllReasons(brief, entry.agent, catalog), estimatedTokens: tokensByPart(brief) })
  else {
    for (const refusal of lifted) deps.write(paragraph(deps, styleOf(deps)('yellow', headingOf(refusal, entry.agent))))
    if (lifted.length > 0) deps.write('Otherwise it would get:\n\n')
    printBrief(withAllReasons(brief, entry.agent, catalog), deps)
    const own = ownServers(entry.agent)
    if (own.length > 0)
      deps.warn(`Not shown: tools of its own MCP servers (${printable(own.join(', '))}), which start with it.\n`)
  }
  if (lifted.some(({ rule }) => rule === 'agent-untrusted'))
    deps.warn(
      openToOthers(loaded).has(entry.agent.source.path ?? '')
        ? `It is yours, and ${whyOpen}.\n`
        : '`offshoot trust` shows what the folder brings along and lets it act.\n',
    )
  return 'refused' in brief || lifted.length > 0 ? 1 : 0
}

type ExplainedBrief = Omit<Brief, 'reasons'> & { readonly reasons: readonly Shown[] }

const withAllReasons = (brief: Brief, agent: AgentDefinition, catalog: Catalog): ExplainedBrief => ({
  ...brief,
  source: agent.source,
  reasons: withBase([...brief.reasons, ...furtherDecisions(brief, agent)], agent, catalog),
})

function tellQuarantine({ name, quarantine = '' }: AgentDefinition, { json: asJson }: Asked, deps: Output): number {
  const refused = `${name} is quarantined and will not run: ${quarantine}`
  if (asJson) json(deps, { refused, rule: 'agent-quarantined' })
  else deps.warn(`${printable(refused)}\n`)
  return 1
}

function tellRefusals(refusals: readonly Refusal[], agent: AgentDefinition, options: Asked, deps: Output): void {
  if (options.json) json(deps, refusals[0]!)
  else for (const refusal of refusals) deps.warn(paragraph(deps, headingOf(refusal, agent)))
}

/**
 * What stands in the way of a start for now is told, and then what it would get without: whoever is to trust it, or has no
 * key for its model here, may see that first. Nothing is kept of it: the catalogs that say so are made for this alone.
 */
async function liftedBrief(
  task: Task,
  agent: AgentDefinition,
  catalog: Catalog,
  { prepareBrief }: ExplainDeps,
): Promise<{ readonly brief: Brief | Refusal; readonly lifted: readonly Refusal[] }> {
  const lifted: Refusal[] = []
  let brief = await prepareBrief(task, catalog)
  const mayLift = (rule: string) => lifts[rule] !== undefined && !lifted.some(each => each.rule === rule)
  for (let free = agent; 'refused' in brief && mayLift(brief.rule); ) {
    lifted.push(brief)
    free = lifts[brief.rule]!(free)
    const settled = catalog.all().map(entry => {
      const { extends: _, ...each } = entry.agent === agent ? free : entry.agent
      return each
    })
    brief = await prepareBrief(task, createCatalog(settled))
  }
  const unmet = lifted.find(({ rule }) => lifts[rule] === withoutModel)
  return { brief: unmet && !('refused' in brief) ? withoutChoice(brief, agent, unmet) : brief, lifted }
}

/** The model it would get otherwise is nobody's choice. */
function withoutChoice(brief: Brief, { model = [] }: AgentDefinition, { rule }: Refusal): Brief {
  const wanted = { about: 'model', subject: model.join(', '), verdict: 'missing', rule } as const
  return { ...brief, reasons: brief.reasons.map(each => (each.about === 'model' ? wanted : each)) }
}

const withoutModel = ({ model: _, ...agent }: AgentDefinition): AgentDefinition => agent
const lifts: Readonly<Record<string, (agent: AgentDefinition) => AgentDefinition>> = {
  'agent-untrusted': agent => ({ ...agent, source: { ...agent.source, isTrusted: true } }),
  'model-unavailable': withoutModel,
  'unknown-model': withoutModel,
  'agent-for-people': ({ isForPeople: _, ...agent }) => agent,
  'invalid-inputs': agent => ({
    ...agent,
    inputs: agent.inputs?.map(input => ({ ...input, isRequired: false })) ?? [],
  }),
}

function headingOf(refusal: Refusal, { name, source }: AgentDefinition): string {
  return printable(
    refusal.rule === 'agent-untrusted'
      ? `NOT TRUSTED: ${name} is not trusted yet and will not run (${source.path ?? source.scope}).`
      : `WILL NOT START: ${withCommand(refusal).refused} (${refusal.rule})`,
  )
}

const ownServers = ({ mcpServers = [] }: AgentDefinition): readonly string[] =>
  mcpServers.flatMap(server => (typeof server === 'string' ? [] : [server.name]))

function printBrief(brief: ExplainedBrief, deps: Output): void {
  const style = styleOf(deps)
  const head = (title: string) => deps.write(`\n${style('bold', title)}\n`)
  deps.write(
    paragraph(
      deps,
      `${style('bold', brief.path.join(' / '))}  ${style('dim', `depth ${brief.depth}, from ${brief.source.path ?? brief.source.scope}`)}`,
    ),
  )
  head('Tools')
  const tools = brief.reasons.filter(reason => reason.about === 'tool')
  deps.write(
    table(
      deps,
      [...tools].sort(keptFirst).map(reason => toolRow(reason, deps)),
      '  ',
    ),
  )
  head('Decisions')
  const others = brief.reasons.filter(reason => reason.about !== 'tool')
  deps.write(
    table(
      deps,
      others.map(reason => [
        reason.about,
        `${reason.subject} ${reason.verdict}`,
        style('dim', reason.rule),
        printable(reason.detail ?? ''),
      ]),
      '  ',
    ),
  )
  head('Permission chain')
  deps.write(
    table(
      deps,
      brief.chain.map(link => [
        link.agent,
        `mode ${link.mode}`,
        approvalWords[link.approvalMode],
        style('dim', chainRules(link)),
      ]),
      '  ',
    ),
  )
  head('Prompt (estimated tokens)')
  deps.write(
    table(
      deps,
      Object.entries(tokensByPart(brief)).map(([part, tokens]) => [part, String(tokens)]),
      '  ',
    ),
  )
}

function keptFirst(a: Shown, b: Shown): number {
  return Number(b.verdict === 'kept') - Number(a.verdict === 'kept')
}

function toolRow(reason: Shown, deps: Output): readonly string[] {
  const style = styleOf(deps)
  const mark = reason.verdict === 'kept' ? style('green', '✓') : style('red', '✗')
  return [mark, reason.subject, style('dim', reason.rule), oneLine(printable(reason.detail ?? ''), 80)]
}

const approvalWords: Readonly<Record<ApprovalMode, string>> = {
  caller: 'what must be asked goes to the caller',
  suppress: 'what must be asked is denied',
  sandbox: 'what must be asked is allowed inside the sandbox',
}

function chainRules({
  grants,
  handedOn = [],
  refusals,
  rules,
  isReadOnly,
  staysInRoots,
}: Brief['chain'][number]): string {
  const patterned = grants.filter(grant => grant.pattern !== undefined)
  return [
    patterned.length > 0 ? `only ${patterned.map(grant => `${grant.name}(${grant.pattern})`).join(', ')}` : '',
    handedOn.length > 0 ? `hands on ${handedOn.map(grant => `${grant.name}(${grant.pattern})`).join(', ')}` : '',
    refusals.length > 0
      ? `never ${refusals.map(({ name, pattern }) => (reachesServers(name) && !pattern ? name : `${name}(${pattern ?? '*'})`)).join(', ')}`
      : '',
    ...(['deny', 'ask', 'allow'] as const).map(kind =>
      rules[kind].length > 0 ? `${kind} ${rules[kind].map(rule => rule.text).join(', ')}` : '',
    ),
    isReadOnly ? 'changes nothing (read-only source)' : '',
    staysInRoots ? 'stays inside the workspace (outside-roots switched off)' : '',
  ]
    .filter(Boolean)
    .join('; ')
}

const charactersPerToken = 4

/** A rough count, good for comparing parts. */
function tokensByPart(brief: Pick<Brief, 'declared' | 'opening'>): Readonly<Record<string, number>> {
  const tokens = (text: string) => Math.ceil(text.length / charactersPerToken)
  const system = tokens(brief.declared.system)
  const schemas = tokens(
    JSON.stringify(
      brief.declared.tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    ),
  )
  const opening = tokens(JSON.stringify(brief.opening))
  return {
    'system prompt': system,
    'tool schemas': schemas,
    'opening messages': opening,
    total: system + schemas + opening,
  }
}
