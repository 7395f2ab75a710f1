/** What was thrown, in words. Anything can be thrown, and looking at it may throw again: this never does. */
export function messageOf(thrown: unknown): string {
  try {
    const message: unknown = (thrown as { readonly message?: unknown } | null | undefined)?.message
    if (typeof message === 'string' && message.trim() !== '') return message
    if (thrown instanceof Error) return String(thrown.name)
    return typeof thrown === 'object' && thrown !== null ? JSON.stringify(thrown) : String(thrown)
  } catch {
    return 'something that cannot be shown'
  }
}

const maxStack = 4_000

/** Where it was thrown, for whoever has to mend that code; bounded, because it is stored. */
export function stackOf(thrown: unknown): string | undefined {
  try {
    const { stack } = thrown as { readonly stack?: unknown }
    return thrown instanceof Error && typeof stack === 'string' ? stack.slice(0, maxStack) : undefined
  } catch {
    return undefined
  }
}
