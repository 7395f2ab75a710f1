/**
 * What users say about models, in the settings (`models`, `providers`) or in a file of their own. Tolerant and loud:
 * a field that makes no sense is dropped and reported, the rest counts.
 *
 * R1 A project chooses among what is configured: its settings may name models and aliases, never an address, a header
 *    or a key, because they would carry the user's key to whoever wrote the project; nor a price or a window, because the
 *    user's budget is counted by them (`core/settings/settings-guard.ts` leaves both out).
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Diagnostic } from '../../../core/ports.js'
import { offshootDirectories } from '../../os/directories.js'
import type { ProviderKind } from './provider-kind.js'

export interface Price {
  /** US dollars for a million tokens. */
  readonly input: number
  readonly output: number
  readonly cacheRead?: number
  readonly cacheWrite?: number
}
export interface KnownOverride {
  readonly tier?: string
  readonly contextWindow?: number
  readonly maxOutputTokens?: number
  readonly price?: Price
}
export interface ProviderSettings {
  /** Needed for a name nobody knows; `compatible` when left out. */
  readonly kind?: ProviderKind
  readonly baseUrl?: string
  readonly apiKey?: string
  /** The variable that holds the key. */
  readonly apiKeyEnv?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Its models, the default first. */
  readonly models?: readonly string[]
}
export interface ModelSettings {
  /** The model of the main conversation. */
  readonly default?: string
  readonly aliases?: Readonly<Record<string, string>>
  readonly known?: Readonly<Record<string, KnownOverride>>
  readonly providers?: Readonly<Record<string, ProviderSettings>>
}
export interface ReadSettings {
  readonly settings: ModelSettings
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Takes `{ models: { default, aliases, known }, providers }` as settings have it, or the same keys side by side as the
 * models file has them.
 */
export function readModelSettings(value: unknown, file?: string): ReadSettings {
  const report = new Report(file)
  const top = report.record(value, 'settings')
  const models = { ...top, ...report.record(top.models, 'models') }
  const settings: ModelSettings = {
    ...report.text(models.default ?? top.model, 'models.default', 'default'),
    ...report.each(models.aliases, 'models.aliases', 'aliases', report.plainText),
    ...report.each(models.known, 'models.known', 'known', (one, at) => readKnown(one, at, report)),
    ...report.each(top.providers, 'providers', 'providers', (one, at) => readProvider(one, at, report)),
  }
  return { settings, diagnostics: report.diagnostics }
}

/** Later ones win, entry by entry. */
export function mergeModelSettings(...layers: readonly ModelSettings[]): ModelSettings {
  const entries = <T>(pick: (layer: ModelSettings) => Readonly<Record<string, T>> | undefined) =>
    Object.assign({}, ...layers.map(layer => pick(layer) ?? {})) as Record<string, T>
  const chosen = layers.findLast(layer => layer.default !== undefined)?.default
  return {
    ...(chosen !== undefined && { default: chosen }),
    aliases: entries(layer => layer.aliases),
    known: mergeKnown(layers.map(layer => layer.known ?? {})),
    providers: entries(layer => layer.providers),
  }
}

/** Who says one thing of a model takes nothing else back that was said of it. */
function mergeKnown(layers: readonly NonNullable<ModelSettings['known']>[]): Record<string, KnownOverride> {
  const all = new Map<string, KnownOverride>()
  for (const [id, said] of layers.flatMap(Object.entries<KnownOverride>)) all.set(id, { ...all.get(id), ...said })
  return Object.fromEntries(all)
}

const modelsFilePath = (env: NodeJS.ProcessEnv): string =>
  env.OFFSHOOT_MODELS_FILE ?? path.join(offshootDirectories(env).config, 'models.json')

/** No file is no news, unless somebody named it. */
export function readModelsFile(env: NodeJS.ProcessEnv): ReadSettings {
  const file = modelsFilePath(env)
  try {
    return readModelSettings(JSON.parse(readFileSync(file, 'utf8')), file)
  } catch (error) {
    const isAbsent = (error as NodeJS.ErrnoException).code === 'ENOENT'
    if (isAbsent && !env.OFFSHOOT_MODELS_FILE) return { settings: {}, diagnostics: [] }
    const message = `the models file cannot be read: ${(error as Error).message}`
    return { settings: {}, diagnostics: [{ code: 'models-file', severity: 'error', message, file }] }
  }
}

function readKnown(value: unknown, at: string, report: Report): KnownOverride {
  const one = report.record(value, at)
  const price = one.price === undefined ? undefined : report.record(one.price, `${at}.price`)
  return {
    ...report.text(one.tier, `${at}.tier`, 'tier'),
    ...report.count(one.contextWindow, `${at}.contextWindow`, 'contextWindow'),
    ...report.count(one.maxOutputTokens, `${at}.maxOutputTokens`, 'maxOutputTokens'),
    ...(price && readPrice(price, `${at}.price`, report)),
  }
}

function readPrice(price: Readonly<Record<string, unknown>>, at: string, report: Report): { price?: Price } {
  const amounts = {
    ...report.amount(price.input, `${at}.input`, 'input'),
    ...report.amount(price.output, `${at}.output`, 'output'),
    ...report.amount(price.cacheRead, `${at}.cacheRead`, 'cacheRead'),
    ...report.amount(price.cacheWrite, `${at}.cacheWrite`, 'cacheWrite'),
  }
  if (amounts.input === undefined || amounts.output === undefined) {
    report.warn(at, 'needs input and output, in US dollars for a million tokens')
    return {}
  }
  return { price: { ...amounts, input: amounts.input, output: amounts.output } }
}

const kinds: readonly string[] = [
  'anthropic',
  'openai',
  'openai-chat',
  'google',
  'bedrock',
  'compatible',
] satisfies ProviderKind[]

function readProvider(value: unknown, at: string, report: Report): ProviderSettings {
  const one = report.record(value, at)
  const { kind } = report.text(one.kind, `${at}.kind`, 'kind')
  const isKnownKind = kind === undefined || kinds.includes(kind)
  if (!isKnownKind) report.warn(`${at}.kind`, `must be one of ${kinds.join(', ')}`)
  const models = Array.isArray(one.models) ? one.models.filter(name => typeof name === 'string') : undefined
  return {
    ...(kind !== undefined && isKnownKind && { kind: kind as ProviderKind }),
    ...report.address(one.baseUrl ?? one.baseURL, `${at}.baseUrl`, 'baseUrl'),
    ...report.text(one.apiKey, `${at}.apiKey`, 'apiKey'),
    ...report.text(one.apiKeyEnv, `${at}.apiKeyEnv`, 'apiKeyEnv'),
    ...report.each(one.headers, `${at}.headers`, 'headers', report.plainText),
    ...(models && { models }),
  }
}

/** Reads fields one by one; each gives back `{ key: value }` or nothing. */
class Report {
  readonly diagnostics: Diagnostic[] = []
  readonly #file: string | undefined
  constructor(file: string | undefined) {
    this.#file = file
  }

  warn(at: string, message: string): undefined {
    const where = this.#file === undefined ? {} : { file: this.#file }
    this.diagnostics.push({
      code: 'model-settings',
      severity: 'warning',
      message: `${at} ${message}; ignored`,
      ...where,
    })
  }

  record(value: unknown, at: string): Readonly<Record<string, unknown>> {
    if (value === undefined || value === null) return {}
    if (typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>
    this.warn(at, 'must be an object')
    return {}
  }

  each<K extends string, T>(
    value: unknown,
    at: string,
    key: K,
    read: (one: unknown, at: string) => T | undefined,
  ): { [key in K]?: Record<string, T> } {
    const entries = Object.entries(this.record(value, at)).map(
      ([name, one]) => [name, read(one, `${at}.${name}`)] as const,
    )
    const kept = entries.filter((entry): entry is readonly [string, T & {}] => entry[1] !== undefined)
    return entries.length === 0 ? {} : ({ [key]: Object.fromEntries(kept) } as { [key in K]?: Record<string, T> })
  }

  plainText = (value: unknown, at: string): string | undefined =>
    typeof value === 'string' && value !== '' ? value : this.warn(at, 'must be a text')

  text<K extends string>(value: unknown, at: string, key: K): { [key in K]?: string } {
    const text = value === undefined ? undefined : this.plainText(value, at)
    return text === undefined ? {} : ({ [key]: text } as { [key in K]?: string })
  }

  address<K extends string>(value: unknown, at: string, key: K): { [key in K]?: string } {
    const found = this.text(value, at, key)
    const text = found[key]
    if (text === undefined || /^https?:\/\/[^/]/.test(text)) return found
    this.warn(at, 'must be an http or https URL')
    return {}
  }

  count<K extends string>(value: unknown, at: string, key: K): { [key in K]?: number } {
    if (value === undefined) return {}
    if (Number.isInteger(value) && Number(value) > 0) return { [key]: value } as { [key in K]?: number }
    this.warn(at, 'must be a whole number above 0')
    return {}
  }

  amount<K extends string>(value: unknown, at: string, key: K): { [key in K]?: number } {
    if (value === undefined) return {}
    if (typeof value === 'number' && value >= 0) return { [key]: value } as { [key in K]?: number }
    this.warn(at, 'must be a number, not below 0')
    return {}
  }
}
