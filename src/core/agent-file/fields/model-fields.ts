/** Readers of the model and how it is asked. */

import { isModelAlias } from '../../brief/model-choice.js'
import { isRecord } from '../../record.js'
import { looseKey } from '../../text/nearest.js'
import type { Dialect } from '../dialect.js'
import { efforts } from '../field-shapes.js'
import { drop, type FieldReader, type Given, namesOf, numberOf, textOf } from './field-reader.js'

export const readModel: FieldReader = (value, given) => {
  if (value === null || value === '') return
  if (isRecord(value)) {
    const model = textOf(value.model) ?? textOf(value.name)
    const provider = textOf(value.provider)
    if (model === undefined) return drop(given, 'a name, provider/model, a list of these, or {provider, model}')
    given.draft.model = [provider === undefined ? model : withVendor(model, provider)]
    return
  }
  const names = namesOf(typeof value === 'string' ? value.replace(settings, '') : value)
  if (!names || names.length === 0 || names.length > maxModels)
    return drop(given, `a name, provider/model, or a list of at most ${maxModels} of these`)
  given.draft.written = { model: names.join(', '), ...given.draft.written }
  given.draft.model = names.map(written => {
    // `opus[1m]`: the size of its window is not up to the file.
    const known = written.endsWith(']') ? written.replace(/\[\d+[km]\]$/i, '') : withoutVariant(written, given)
    const name = given.dialect === 'copilot' ? idOfDisplayName(known) : known
    const shown = /^auto \(copilot\)$/i.test(name) ? 'auto' : tierOfDisplayName(name)
    // Copilot's files call models by the names they are shown under.
    if (shown !== undefined && given.dialect === 'copilot') return shown
    if (shown !== undefined) given.note('value-converted', `the model "${name}" was read as "${shown}"`)
    else if (providerIn(name) !== undefined)
      given.note(
        'model-unknown',
        `"${name}" names its provider with a colon, which is not read`,
        `write ${providerIn(name)}`,
      )
    else if (given.draft.provider === undefined && !isModelWord(name) && vendorOf(name) !== atHome[given.dialect])
      given.note(
        'model-unknown',
        `"${name}" is named without its provider: if the name is known here, that model has to be had; if not, the caller’s is used`,
        hintFor(name),
      )
    return shown ?? name
  })
}

const maxModels = 20

/** What a gateway calls `anthropic/claude-sonnet-4-5` is another account’s model than Anthropic’s own of that name. */
export function withVendor(model: string, provider: string): string {
  return model.toLowerCase().startsWith(`${provider.toLowerCase()}/`) ? model : `${provider}/${model}`
}

/** Cursor's `[]` and `[effort=high,fast=false]`: the comma is none between models. */
const settings = /\[(?:\w{1,20}=[\w.]{1,20}(?:,\w{1,20}=[\w.]{1,20}){1,9})?\]$/

/** `provider/model#high`, as opencode has it. */
function withoutVariant(written: string, { draft, dialect }: Given): string {
  const [, model, variant] = (dialect === 'opencode' ? /^([\w.-]+\/[^#\s]+)#([\w-]+)$/.exec(written) : null) ?? []
  const effort = variant === undefined ? undefined : effortOf(variant)
  if (effort !== undefined && draft.sampling?.effort === undefined) draft.sampling = { ...draft.sampling, effort }
  return model ?? written
}

/** Aliases are tiers; the models themselves are known to the registry, not here. */
function isModelWord(name: string): boolean {
  return isModelAlias(name) || /^[\w.-]+\/\S+$/.test(name) || (/^claude-[\w.@:-]+$/i.test(name) && !ofCursor.test(name))
}

/** `claude-4.6-opus-high-thinking`: since its fourth version the vendor writes the tier first. */
const ofCursor = /^claude-[4-9][\d.]*-(?:opus|sonnet|haiku)\b/i

/** `GPT-5.4 (copilot)`, `Gemini 2.5 Pro`: as the vendor calls it. What no vendor is known for stays as it is. */
function idOfDisplayName(name: string): string {
  const id = name
    .replace(/ \([\w ]{1,20}\)$/, '')
    .replaceAll(' ', '-')
    .toLowerCase()
  return vendorOf(id) === '' ? name : id
}

/** `Claude Sonnet 4.5 (copilot)` names a tier. */
function tierOfDisplayName(name: string): string | undefined {
  if (!/\s/.test(name)) return undefined
  return /\b(opus|sonnet|haiku)\b/i.exec(name)?.[1]?.toLowerCase()
}

const vendors: readonly (readonly [RegExp, string])[] = [
  [/^(?:gpt-|o\d|chatgpt|codex)/i, 'openai'],
  [/^gemini/i, 'google'],
  [/^grok/i, 'xai'],
  [/^(?:mistral|codestral|devstral|magistral)/i, 'mistral'],
  [/^deepseek/i, 'deepseek'],
]

/** `openai:gpt-5`, as Qwen's files have it; what stands behind the colon of `qwen3:8b` is a size. */
function providerIn(name: string): string | undefined {
  const [, provider, model] = /^([a-z]+):([\w./:-]+)$/.exec(name) ?? []
  return provider !== undefined && providers.has(provider) ? `${provider}/${model}` : undefined
}

const providers: ReadonlySet<string> = new Set([
  ...vendors.map(([, vendor]) => vendor),
  ...['anthropic', 'azure', 'bedrock', 'groq', 'ollama', 'openrouter', 'qwen', 'together', 'vertex', 'zai'],
])

/** Whose models the files of a product name without a word about it. */
const atHome: Readonly<Partial<Record<Dialect, string>>> = { 'codex-role': 'openai', gemini: 'google', vibe: 'mistral' }

function vendorOf(name: string): string | undefined {
  return vendors.find(([pattern]) => pattern.test(name))?.[1] ?? ''
}

function hintFor(name: string): string {
  const vendor = vendorOf(name)
  return vendor === ''
    ? 'use inherit, an alias such as sonnet, or provider/model'
    : `write ${vendor}/${name.replace(/[\s[].*$/, '').toLowerCase()} to have that vendor’s model`
}

export const readProvider: FieldReader = (value, given) => {
  const provider = textOf(value)
  if (provider === undefined) return drop(given, 'the name of a provider')
  const vendor = given.dialect === 'offshoot' ? undefined : vendorOfProduct.get(provider.toLowerCase())
  if (vendor !== undefined)
    given.note('value-converted', `the provider "${provider}" was read as "${vendor}"`, `write ${vendor}`)
  given.draft.provider = vendor ?? provider
}

/** A product's name where its vendor's belongs. */
const vendorOfProduct: ReadonlyMap<string, string> = new Map([
  ['claude', 'anthropic'],
  ['gemini', 'google'],
  ['codex', 'openai'],
])

export const readTemperature: FieldReader = (value, given) => {
  const temperature = numberOf(value)
  if (temperature === undefined || temperature < 0 || temperature > 2) return drop(given, '0 to 2')
  given.draft.sampling = { ...given.draft.sampling, temperature }
}

export const readTopP: FieldReader = (value, given) => {
  const topP = numberOf(value)
  if (topP === undefined || topP < 0 || topP > 1) return drop(given, '0 to 1')
  given.draft.sampling = { ...given.draft.sampling, topP }
}

export const readThinkingBudget: FieldReader = (value, given) => {
  const thinkingBudget = numberOf(value)
  if (thinkingBudget === undefined || !Number.isInteger(thinkingBudget) || thinkingBudget < -1) {
    return drop(given, 'tokens; -1 = unlimited, 0 = off')
  }
  given.draft.sampling = { ...given.draft.sampling, thinkingBudget }
}

export const readEffort: FieldReader = (value, given) => {
  const effort = effortOf(value)
  if (effort !== undefined) given.draft.sampling = { ...given.draft.sampling, effort }
  else if (looseKey(given.entry.key) === 'variant')
    // There whoever describes a model names its variants.
    given.note('key-unknown', `the variant ${JSON.stringify(value).slice(0, 60)} is not known here`)
  else drop(given, `${efforts.join(', ')} or a whole number`)
}

function effortOf(value: unknown): (typeof efforts)[number] | number | undefined {
  const amount = numberOf(value)
  if (amount !== undefined && amount >= 1) return Math.round(amount)
  const word = typeof value === 'string' ? looseKey(value) : undefined
  // What Codex has below and above ours.
  if (word === 'minimal' || word === 'none') return 'low'
  return word === 'ultra' ? 'max' : efforts.find(each => each === word)
}
