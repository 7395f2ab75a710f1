/**
 * What a turn costs. The prices of the large providers are compiled into a small table; the full one is loaded for the
 * rest, when the first answer is there.
 *
 * R1 An override wins. R2 A price counts only if the table means this very model: it matches by prefix, and the next
 * version of a model is another model. R3 Unknown is undefined, never 0 (P45).
 */
import { readFileSync } from 'node:fs'
import { providerOf } from '../../core/brief/model-choice.js'
import type { Model, ModelReply } from '../../core/ports.js'
import type { Usage } from '../../core/types.js'
import { compiledFile } from '../os/package-root.js'
import { costByTable, type FullTable, type PriceTable, undatedName } from './price-table.js'
import type { Price } from './providers/model-settings.js'

/** What requests cost. An unknown price is undefined, never 0. */
export interface Prices {
  /** US dollars, or undefined when the price is not known. */
  cost(model: string, usage: Usage): Promise<number | undefined>
  /** The user set a price for exactly this name. */
  isOverridden(model: string): boolean
  /** The name under which the price was found, so that it can be shown. */
  matched(model: string): Promise<string | undefined>
}

type Calculator = Pick<FullTable, 'calcPrice'>

export function createPrices(
  overrides: Readonly<Record<string, Price>> = {},
  load: () => Promise<Calculator> = () => import('@pydantic/genai-prices'),
): Prices {
  let table: Promise<Calculator> | undefined
  let compiled: PriceTable | undefined
  const unknown = new Set<string>()
  const look = async (model: string, usage: Usage) => {
    if (unknown.has(model)) return undefined
    table ??= load()
    const name = model.slice(model.indexOf('/') + 1)
    const found = (await table).calcPrice(toTableUsage(usage), name, { providerId: providerOf(model) })
    if (found && isSameModel(name, found.model.id)) return found
    unknown.add(model)
    return undefined
  }
  return {
    async cost(model, usage) {
      if (isFree(model)) return 0
      const own = overrides[model]
      if (own) return priceOf(own, usage)
      const name = model.slice(model.indexOf('/') + 1)
      compiled ??= readCompiledTable()
      const cost = costByTable(compiled, providerOf(model), name, usage)
      return cost === 'ask' ? (await look(model, usage))?.total_price : cost
    },
    isOverridden: model => overrides[model] !== undefined,
    async matched(model) {
      if (isFree(model) || overrides[model]) return model
      return (await look(model, { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 }))?.model.id
    },
  }
}

/**
 * Lays the cost of each answered turn over a model: at the user's own price for what was asked, else at the price of
 * what answered. A table that cannot be read leaves the cost unknown.
 */
export function withCosts(inner: Model, prices: Prices): Model {
  return {
    async ask(request, on, signal): Promise<ModelReply> {
      const reply = await inner.ask(request, on, signal)
      if ('error' in reply || reply.cost !== undefined) return reply
      const priced = prices.isOverridden(request.model) ? request.model : reply.model
      const cost = await prices.cost(priced, reply.usage).catch(() => undefined)
      return cost === undefined ? reply : { ...reply, cost }
    },
  }
}

/** The table counts what came from the cache as input too. */
const toTableUsage = ({ input, output, cacheRead, cacheWrite }: Usage) => ({
  input_tokens: input + cacheRead + cacheWrite,
  cache_read_tokens: cacheRead,
  cache_write_tokens: cacheWrite,
  output_tokens: output,
})

function priceOf(price: Price, { input, output, cacheRead, cacheWrite }: Usage): number {
  const read = price.cacheRead ?? price.input
  const write = price.cacheWrite ?? price.input
  return (input * price.input + output * price.output + cacheRead * read + cacheWrite * write) / 1_000_000
}

/** R2. */
const isSameModel = (asked: string, found: string): boolean => undatedName(asked) === undatedName(found)

/** Nothing compiled: every model is looked up in the full table. */
function readCompiledTable(): PriceTable {
  const file = compiledFile('prices.json')
  return file ? (JSON.parse(readFileSync(file, 'utf8')) as PriceTable) : {}
}

const isFree = (model: string): boolean => providerOf(model) === 'offline'
