/** Texts kept by content: how an address looks, and which addresses a log speaks of. */
import { hash } from 'node:crypto'

export const addressOf = (content: string): string => `sha256:${sha256(content)}`

export const sha256 = (text: string): string => hash('sha256', text, 'hex')

const anyAddress = /sha256:[0-9a-f]{64}/g

/**
 * How long a text that no log names is left alone. Whoever kept it may be about to name it.
 */
export const keptGraceMs = 7 * 86_400_000

export const isAddress = (text: string): boolean => /^sha256:[0-9a-f]{64}$/.test(text)

/** Every address anywhere inside a value: what keeps a text alive. Naming one too many only keeps it longer. */
export function addressesIn(value: unknown): readonly string[] {
  const found = new Set<string>()
  collect(value, found)
  return [...found]
}

function collect(value: unknown, found: Set<string>): void {
  if (typeof value === 'string') {
    if (value.includes('sha256:')) for (const address of value.match(anyAddress) ?? []) found.add(address)
  } else if (typeof value === 'object' && value !== null) {
    for (const item of Object.values(value)) collect(item, found)
  }
}
