/** `offshoot models list|test`: what can be had here and why not, and whether it answers. */

import type { Command } from 'commander'
import type { Models } from '../../../adapters/models/registry.js'
import { chooseModel, isRefusedModel, providerOf } from '../../../core/brief/model-choice.js'
import { noUsage } from '../../../core/budget/usage.js'
import type { RunId } from '../../../core/message.js'
import type { ModelInfo, ModelReply, ModelRequest } from '../../../core/ports.js'
import { columns } from '../../session/columns.js'

export interface ModelsCommandDeps {
  readonly createModels: () => Models
  /** Standard output. */
  readonly write: (text: string) => void
  /** Standard error. */
  readonly warn: (text: string) => void
  readonly now: () => number
  readonly signal?: AbortSignal
  readonly setExitCode: (code: number) => void
}

export function registerModelsCommands(program: Command, deps: ModelsCommandDeps): void {
  const models = program.command('models').description('which models can be had here, and whether they answer')
  const run = async (act: (models: Models) => Promise<number>) => {
    const open = deps.createModels()
    try {
      deps.setExitCode(await act(open))
    } finally {
      open.close()
    }
  }
  models
    .command('list')
    .description('list models, the default, and what is missing for the rest')
    .option('--names', 'only what --model takes, one a line')
    .option('--json', 'print as JSON')
    .option('--all', 'list models that cannot be had here, too')
    .action((options: ListOptions) => run(open => listModelsCommand(open, options, deps)))
  models
    .command('test [model]')
    .description('ask a model (the default one) to call a tool, and say what came of it')
    .option('--json', 'print as JSON')
    .action((name: string | undefined, options: TestOptions) =>
      run(open => testModelCommand(open, name, options, deps)),
    )
}

interface ListOptions {
  readonly names?: boolean
  readonly json?: boolean
  readonly all?: boolean
}
type Output = Pick<ModelsCommandDeps, 'write' | 'warn'>

async function listModelsCommand(models: Models, options: ListOptions, output: Output): Promise<number> {
  const listed = models.infos.filter(info => !info.id.endsWith('/*') && (options.all || !info.unavailable))
  if (options.names) {
    const names = listed.flatMap(({ id, tier, aliases = [] }) => [...(tier ? [tier] : []), ...aliases, id])
    output.write([...new Set(names)].map(name => `${name}\n`).join(''))
    return 0
  }
  const rows = await Promise.all(listed.map(async info => ({ info, price: await pricePerMillion(models, info.id) })))
  for (const { message, file } of models.diagnostics) output.warn(`${file ? `${file}: ` : ''}${message}\n`)
  if (options.json) {
    const { defaultModel } = models
    const list = rows.map(({ info, price }) => ({ ...info, ...(price && { price }) }))
    output.write(
      `${JSON.stringify({ default: defaultModel, models: list, missing: missingProviders(models) }, null, 2)}\n`,
    )
    return 0
  }
  output.write(`Default: ${models.defaultModel.id} (${models.defaultModel.why})\n\n`)
  output.write(columns([header, ...rows.map(({ info, price }) => rowOf(info, price))]))
  const others = models.providers.filter(
    provider => !provider.unavailable && !rows.some(row => providerOf(row.info.id) === provider.name),
  )
  for (const { name } of others) output.write(`${name}/…  any model of this provider, by its own name\n`)
  const missing = missingProviders(models)
  if (missing.length > 0) output.write(`\nNot here:\n${columns(missing.map(one => [`  ${one.provider}`, one.why]))}`)
  return 0
}

const header = ['MODEL', 'TIER', 'WINDOW', 'PRICE IN / OUT A MILLION', '']

interface ShownPrice {
  readonly input: number
  readonly output: number
}

const rowOf = (info: ModelInfo, price: ShownPrice | undefined): string[] => [
  info.id,
  info.tier ?? '',
  info.contextWindow === undefined ? 'unknown' : shortCount(info.contextWindow),
  price ? `$${price.input} / $${price.output}` : 'unknown',
  info.unavailable ?? (info.aliases ? `also called ${info.aliases.join(', ')}` : ''),
]

/** Asked for a thousand tokens, because some prices rise with the length of a request. */
async function pricePerMillion({ prices }: Models, id: string): Promise<ShownPrice | undefined> {
  const [input, output] = await Promise.all([
    prices.cost(id, { ...noUsage, input: 1_000 }),
    prices.cost(id, { ...noUsage, output: 1_000 }),
  ])
  if (input === undefined || output === undefined) return undefined
  const perMillion = (cost: number) => Number((cost * 1_000).toPrecision(4))
  return { input: perMillion(input), output: perMillion(output) }
}

const missingProviders = ({ providers }: Models) =>
  providers.flatMap(({ name, unavailable }) => (unavailable ? [{ provider: name, why: unavailable }] : []))

const shortCount = (count: number): string =>
  count >= 1_000_000 ? `${count / 1_000_000}M` : `${Math.round(count / 1_000)}k`

interface TestOptions {
  readonly json?: boolean
}

async function testModelCommand(
  models: Models,
  name: string | undefined,
  options: TestOptions,
  deps: Output & Pick<ModelsCommandDeps, 'now' | 'signal'>,
): Promise<number> {
  const choice = chooseModel({ asked: name ?? models.defaultModel.id, models: models.infos })
  if (isRefusedModel(choice)) {
    deps.warn(`${choice.refused}\n`)
    return 1
  }
  const started = deps.now()
  let firstMs: number | undefined
  const reply = await models.model.ask(
    testRequest(choice.model),
    delta => {
      if (delta.type === 'retrying') deps.warn(`${delta.reason} Waiting ${Math.ceil(delta.waitMs / 1000)} s.\n`)
      else firstMs ??= deps.now() - started
    },
    deps.signal ?? new AbortController().signal,
  )
  const report = reportOf(choice.model, reply, deps.now() - started, firstMs)
  if (options.json) deps.write(`${JSON.stringify(report, null, 2)}\n`)
  else if (report.isOk) deps.write(`${sentenceOf(report)}\n`)
  else deps.warn(`${'ms' in report ? sentenceOf(report) : report.error}\n`)
  return report.isOk ? 0 : 1
}

type TestReport = { readonly isOk: false; readonly model: string; readonly error: string } | AnsweredReport

interface AnsweredReport {
  /** It called the tool, or is no language model and need not. */
  readonly isOk: boolean
  readonly model: string
  readonly ms: number
  readonly firstMs: number
  readonly hasCalledTool: boolean
  readonly tokens: { readonly input: number; readonly output: number }
  readonly cost?: number
}

function reportOf(model: string, reply: ModelReply, ms: number, firstMs = ms): TestReport {
  if ('error' in reply) return { isOk: false, model, error: reply.error.message }
  const { input, cacheRead, cacheWrite, output } = reply.usage
  const hasCalledTool = reply.content.some(part => part.type === 'call')
  return {
    isOk: hasCalledTool || isOffline(reply.model),
    model: reply.model,
    ms,
    firstMs,
    hasCalledTool,
    tokens: { input: input + cacheRead + cacheWrite, output },
    ...(reply.cost !== undefined && { cost: reply.cost }),
  }
}

/** It searches by keywords and calls tools only for that: being asked for one means nothing to it. */
const isOffline = (model: string): boolean => providerOf(model) === 'offline'

function sentenceOf(report: AnsweredReport): string {
  const cost = report.cost === undefined ? 'cost unknown' : `$${report.cost.toFixed(6)}`
  const { input, output } = report.tokens
  return `${report.model} ${whatItDid(report)} in ${report.ms} ms (first sign after ${report.firstMs} ms); ${input} tokens in, ${output} out, ${cost}.`
}

function whatItDid({ hasCalledTool, model }: AnsweredReport): string {
  if (hasCalledTool) return 'called the tool'
  if (isOffline(model)) return 'answered (by keyword search; it is no language model, so no call was expected)'
  return 'answered, but did not call the tool it was asked to call, so no agent can work with it:'
}

const testRequest = (model: string): ModelRequest => ({
  runId: 'models-test' as RunId,
  rootId: 'models-test' as RunId,
  agent: 'main',
  purpose: 'work',
  model,
  declared: {
    system: 'This is a connection test. Do exactly what the user asks, and nothing else.',
    tools: [
      {
        name: 'ping',
        description: 'Confirms that tools can be called.',
        effect: 'read',
        inputSchema: {
          type: 'object',
          properties: { word: { type: 'string' } },
          required: ['word'],
          additionalProperties: false,
        },
      },
    ],
  },
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Call the tool ping with the word "ok".' }] }],
  toolChoice: 'auto',
  sampling: {},
  maxOutputTokens: 1_024,
})
