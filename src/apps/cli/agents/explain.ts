/** `agents explain NAME`: the brief it would get, with the rule behind every decision. */

import type { AgentDefinition, ApprovalMode } from '../../../core/agent-definition.js'
import { reachesServers } from '../../../core/brief/tool-filter.js'
import { type Catalog, createCatalog } from '../../../core/catalog/catalog.js'
import { oneLine } from '../../../core/text/text.js'
import type { Brief, Decision, Refusal, Task } from '../../../core/types.js'
import { columns } from '../../session/columns.js'
import { withCommand } from '../../session/commands-for.js'
import { type AgentsOutput, json, type Output, printable, styleOf } from './output.js'
import { unknownAgent } from './show.js'

export interface ExplainDeps extends AgentsOutput {
  readonly prepareBrief: (task: Task, catalog: Catalog) => Promise<Brief | Refusal>
}

export async function explainAgent(
  name: string,
  options: { readonly prompt: string; readonly background?: boolean; readonly json?: boolean },
  deps: ExplainDeps,
): Promise<number> {
  const { catalog } = await deps.loadAgents()
  const entry = catalog.lookup(name)
  if (!entry) return unknownAgent(name, catalog, deps)
  if (entry.state === 'quarantined') {
    deps.warn(`${entry.agent.name} is quarantined and will not run: ${printable(entry.agent.quarantine ?? '')}\n`)
    return 1
  }
  const task = {
    agent: entry.agent.name,
    prompt: options.prompt,
    description: 'explain',
    isBackground: options.background ?? false,
  }
  const brief = await deps.prepareBrief(task, catalog)
  if ('refused' in brief) {
    if (brief.rule === 'agent-untrusted') return explainUntrusted(task, entry.agent, catalog, options, deps)
    if (options.json) json(deps, brief)
    else deps.warn(`${printable(withCommand(brief).refused)} (${brief.rule})\n`)
    return 1
  }
  if (options.json) json(deps, { ...brief, estimatedTokens: tokensByPart(brief) })
  else printBrief(brief, deps)
  const own = ownServers(entry.agent)
  if (own.length > 0)
    deps.warn(`Not shown: tools of its own MCP servers (${printable(own.join(', '))}), which start with it.\n`)
  return 0
}

const ownServers = ({ mcpServers = [] }: AgentDefinition): readonly string[] =>
  mcpServers.flatMap(server => (typeof server === 'string' ? [] : [server.name]))

/** Who is to trust it may see first what it would get. Nothing is kept of it: the catalog that says so is made for this alone. */
async function explainUntrusted(
  task: Task,
  agent: AgentDefinition,
  catalog: Catalog,
  options: { readonly json?: boolean },
  deps: ExplainDeps,
): Promise<number> {
  const settled = catalog.all().map(entry => {
    const { extends: _, ...each } = entry.agent
    return entry.agent === agent ? { ...each, source: { ...each.source, isTrusted: true } } : each
  })
  const brief = await deps.prepareBrief(task, createCatalog(settled))
  const whose = `${agent.name} is not trusted yet and will not run (${agent.source.path ?? agent.source.scope})`
  if ('refused' in brief)
    deps.warn(`${printable(whose)}. Trusted, it would not run either: ${printable(brief.refused)} (${brief.rule})\n`)
  else if (options.json) json(deps, { ...brief, source: agent.source, estimatedTokens: tokensByPart(brief) })
  else {
    deps.write(`${styleOf(deps)('yellow', `NOT TRUSTED: ${printable(whose)}; trusted, it would get:`)}\n`)
    printBrief(brief, deps)
  }
  deps.warn('`offshoot trust` shows what the folder brings along and lets it act.\n')
  return 1
}

function printBrief(brief: Brief, deps: Output): void {
  const style = styleOf(deps)
  const head = (title: string) => deps.write(`\n${style('bold', title)}\n`)
  deps.write(
    `${style('bold', brief.path.join(' / '))}  ${style('dim', `depth ${brief.depth}, from ${brief.source.path ?? brief.source.scope}`)}\n`,
  )
  head('Tools')
  const tools = brief.reasons.filter(reason => reason.about === 'tool')
  deps.write(
    columns(
      [...tools].sort(keptFirst).map(reason => toolRow(reason, deps)),
      '  ',
    ),
  )
  head('Decisions')
  const others = brief.reasons.filter(reason => reason.about !== 'tool')
  deps.write(
    columns(
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
    columns(
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
    columns(
      Object.entries(tokensByPart(brief)).map(([part, tokens]) => [part, String(tokens)]),
      '  ',
    ),
  )
}

function keptFirst(a: Decision, b: Decision): number {
  return Number(b.verdict === 'kept') - Number(a.verdict === 'kept')
}

function toolRow(reason: Decision, deps: Output): readonly string[] {
  const style = styleOf(deps)
  const mark = reason.verdict === 'kept' ? style('green', '✓') : style('red', '✗')
  return [mark, reason.subject, style('dim', reason.rule), oneLine(printable(reason.detail ?? ''), 80)]
}

const approvalWords: Readonly<Record<ApprovalMode, string>> = {
  caller: 'what must be asked goes to the caller',
  suppress: 'what must be asked is denied',
  sandbox: 'what must be asked is allowed inside the sandbox',
}

function chainRules({ grants, handedOn = [], refusals, rules, isReadOnly }: Brief['chain'][number]): string {
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
  ]
    .filter(Boolean)
    .join('; ')
}

const charactersPerToken = 4

/** A rough count, good for comparing parts. */
function tokensByPart(brief: Brief): Readonly<Record<string, number>> {
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
