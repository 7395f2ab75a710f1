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
