/** Readers of bounds: turns, time, money, memory, and the switch that turns an agent off. */

import type { Budget, Limits } from '../../agent-definition.js'
import { isRecord } from '../../record.js'
import { looseKey } from '../../text/nearest.js'
import { areContextFiles } from './context-files.js'
import { type FieldReader, flagOf, type Given, numberOf, refuse, textOf } from './field-reader.js'

export const readMaxTurns: FieldReader = (value, given) => setWhole(value, given, maxTurns => ({ maxTurns }))
export const readResultBytes: FieldReader = (value, given) => setWhole(value, given, resultBytes => ({ resultBytes }))

function setWhole(value: unknown, given: Given, limit: (amount: number) => Limits) {
  const amount = numberOf(value)
  if (amount === undefined || !Number.isInteger(amount) || amount < 1)
    return refuse(given, 'it must be a whole number above 0')
  given.draft.limits = { ...given.draft.limits, ...limit(amount) }
}

export const readTimeout: FieldReader = (value, given) => {
  const written = durationMs(value, unitOf(given.entry.key))
  if (written === undefined || written <= 0) return refuse(given, 'write seconds, or a text such as 90s, 10m, 1h')
  const timeoutMs = written > longest ? likelyMs(written, value, given) : written
  given.draft.limits = { ...given.draft.limits, timeoutMs }
}

const longest = 24 * 3_600_000

/** `timeout: 600000`: a number whose key names no unit is seconds, and more of them than a day has were meant as milliseconds. */
function likelyMs(written: number, value: unknown, { entry, note }: Given): number {
  const isPlain = numberOf(value) !== undefined && looseKey(entry.key) === 'timeout'
  const shown = `"${entry.key}: ${String(value).slice(0, 40)}"`
  if (isPlain) note('value-converted', `${shown} was read as milliseconds`, 'write seconds, or a text such as 10m')
  else note('value-converted', `${shown} is more than a day`, 'write a text such as 10m')
  return isPlain ? Math.round(written / 1000) : written
}

export const readGrace: FieldReader = (value, given) => {
  const graceMs = value === false ? 0 : durationMs(value, unitOf(given.entry.key))
  if (graceMs === undefined) return refuse(given, 'write seconds, or a text such as 30s; 0 turns it off')
  given.draft.limits = { ...given.draft.limits, graceMs }
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** A key may name its unit: `timeout_mins`, `graceMs`. */
function unitOf(key: string): number {
  const loose = looseKey(key)
  if (loose.endsWith('ms')) return 1
  return /min(?:ute)?s$/.test(loose) ? 60_000 : 1000
}

function durationMs(value: unknown, unit: number): number | undefined {
  const plain = numberOf(value)
  if (plain !== undefined) return plain < 0 ? undefined : Math.round(plain * unit)
  const match = typeof value === 'string' ? /^(\d+(?:\.\d+)?)\s*(ms|s|m|h)[a-z]*$/i.exec(value.trim()) : null
  return match ? Math.round(Number(match[1]) * units[match[2]!.toLowerCase()]!) : undefined
}

export const readBudget: FieldReader = (value, given) => {
  const isDollars = looseKey(given.entry.key).endsWith('usd')
  const usd = isDollars ? numberOf(value) : undefined
  const written = usd === undefined ? value : { usd }
  const budget =
    typeof written === 'string' ? budgetOfText(written) : isRecord(written) ? budgetOfMap(written) : undefined
  if (budget) given.draft.budget = budget
  else refuse(given, 'write {tokens, usd, toolCalls}, or a text such as $0.50 or 200k tokens')
}

function budgetOfText(text: string): Budget | undefined {
  if (text.length > 40) return undefined
  const usd = /^\s*(?:\$\s*(\d+(?:\.\d+)?)|(\d+(?:\.\d+)?)\s*(?:usd|dollars?))\s*$/i.exec(text)
  if (usd) return positive({ usd: Number(usd[1] ?? usd[2]) })
  const tokens = /^\s*(\d+(?:\.\d+)?)\s*([km]?)\s*tokens?\s*$/i.exec(text)
  if (!tokens) return undefined
  const scale = { '': 1, k: 1000, m: 1_000_000 }[tokens[2]!.toLowerCase()]!
  return positive({ tokens: Math.round(Number(tokens[1]) * scale) })
}

function budgetOfMap(value: Readonly<Record<string, unknown>>): Budget | undefined {
  const budget: { tokens?: number; usd?: number; toolCalls?: number } = {}
  for (const [key, given] of Object.entries(value)) {
    const amount = numberOf(given)
    const word = looseKey(key).replace(/^max(?=tokens|usd|toolcalls)/, '')
    const name = (['tokens', 'usd', 'toolCalls'] as const).find(each => looseKey(each) === word)
    if (amount === undefined || name === undefined || name in budget) return undefined
    budget[name] = amount
  }
  return positive(budget)
}

function positive(budget: Budget): Budget | undefined {
  const amounts = Object.values(budget)
  return amounts.length > 0 && amounts.every(amount => amount > 0) ? budget : undefined
}

export const readResources: FieldReader = (value, given) => {
  if (areContextFiles(value) && (value.length > 0 || given.dialect === 'kiro')) {
    if (value.length > 0) given.note('files-unread', `the files under "${given.entry.key}" are not read`)
    return
  }
  if (Array.isArray(value) && value.length > 0 && value.every(isPath))
    return given.note('files-unread', `the files under "${given.entry.key}" are not read`)
  if (!isRecord(value)) return refuse(given, 'it must be {memoryMb, cpuSeconds}')
  const memoryMb = numberOf(value.memoryMb)
  const cpuSeconds = numberOf(value.cpuSeconds)
  const known = [memoryMb, cpuSeconds].filter(amount => amount !== undefined && amount > 0).length
  if (known !== Object.keys(value).length) return refuse(given, 'it must be {memoryMb, cpuSeconds}, each above 0')
  given.draft.resources = {
    ...(memoryMb === undefined ? {} : { memoryMb }),
    ...(cpuSeconds === undefined ? {} : { cpuSeconds }),
  }
}

const isPath = (item: unknown): boolean => typeof item === 'string' && /^[\w./*@:%?=&#-]{1,200}$/.test(item)

export const readDisabled: FieldReader = (value, given) => {
  const flag = flagOf(value)
  if (flag === undefined) return refuse(given, 'it must be true or false')
  if (looseKey(given.entry.key).startsWith('enable') ? !flag : flag) given.draft.isDisabled = true
}

export const readExtends: FieldReader = (value, given) => {
  const name = textOf(value)
  if (name === undefined) return refuse(given, 'it must name one agent')
  given.draft.extends = name
}
