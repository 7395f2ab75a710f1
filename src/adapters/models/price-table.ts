/**
 * The prices of the large providers, compiled at build time from the full table: that one takes 18 MB and tens of
 * milliseconds to load, and most programs meet only a handful of its models.
 *
 * R1 Says the same as the full table for the models it holds, and nothing for the rest of a provider it holds.
 * R2 A model whose price depends on anything but the number of tokens is marked: then the full table is asked.
 */
import type { Usage } from '../../core/types.js'

/** US dollars for a million tokens; `[threshold, price]` for requests with more input than that. */
export type TablePrice = number | readonly [base: number, ...tiers: readonly (readonly [from: number, price: number])[]]
export type TableEntry =
  | readonly [input: TablePrice, output: TablePrice, cacheRead: TablePrice, cacheWrite: TablePrice]
  | 'ask'
/** By provider and by the model's name without a date. */
export type PriceTable = Readonly<Record<string, Readonly<Record<string, TableEntry>>>>

export type FullTable = Pick<typeof import('@pydantic/genai-prices'), 'calcPrice' | 'findProvider'>

const tableProviders = ['anthropic', 'openai', 'google'] as const

export function compilePrices({ findProvider, calcPrice }: FullTable): PriceTable {
  const table: Record<string, Record<string, TableEntry>> = {}
  for (const providerId of tableProviders) {
    const entries: Record<string, TableEntry> = {}
    for (const { id, prices } of findProvider({ providerId })?.models ?? []) {
      const name = undatedName(id)
      const found = calcPrice({ input_tokens: 1, output_tokens: 1 }, name, { providerId })
      const isOwn = found?.model.id === id && !Object.hasOwn(entries, name)
      entries[name] = isOwn && !Array.isArray(prices) ? entryOf(found.model_price) : 'ask'
    }
    table[providerId] = entries
  }
  return table
}

/** Undefined: unknown. `ask`: only the full table knows. */
export function costByTable(table: PriceTable, providerId: string, name: string, usage: Usage) {
  const entries = Object.hasOwn(table, providerId) ? table[providerId] : undefined
  if (!entries) return 'ask'
  const key = undatedName(name.toLowerCase().trim())
  const entry = Object.hasOwn(entries, key) ? entries[key] : undefined
  if (entry === undefined || entry === 'ask') return entry
  const { input, output, cacheRead, cacheWrite } = usage
  const total = input + cacheRead + cacheWrite
  const amounts = [input, output, cacheRead, cacheWrite]
  return entry.reduce<number>((sum, price, i) => sum + at(price, total) * amounts[i]!, 0) / 1_000_000
}

/** Equal but for a date or `latest` at the end. */
export const undatedName = (name: string): string => name.replace(/[-@](\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, '')

function at(price: TablePrice, input: number): number {
  if (typeof price === 'number') return price
  const [base, ...tiers] = price
  return tiers.reduce((found, [from, higher]) => (input > from ? higher : found), base)
}

type Tiered = { readonly base: number; readonly tiers: readonly { readonly start: number; readonly price: number }[] }
type Given = number | Tiered | undefined

function entryOf(given: object): TableEntry {
  const { input_mtok, output_mtok, cache_read_mtok, cache_write_mtok, requests_kcount } = given as Record<string, Given>
  const input = priceOf(input_mtok)
  if (input === undefined || requests_kcount !== undefined) return 'ask'
  return [input, priceOf(output_mtok) ?? 0, priceOf(cache_read_mtok) ?? input, priceOf(cache_write_mtok) ?? input]
}

function priceOf(given: Given): TablePrice | undefined {
  if (given === undefined || typeof given === 'number') return given
  const tiers = given.tiers.map(({ start, price }) => [start, price] as const).sort(([a], [b]) => a - b)
  return [given.base, ...tiers]
}
