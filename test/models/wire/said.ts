/** What a model says in a test, before it is put into a provider's words. */
export interface Said {
  readonly thought?: { readonly text: string; readonly signature: string }
  readonly text?: readonly string[]
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly arguments: string }[]
  /** `odd`: a word that nobody knows; in Anthropic's format alone. */
  readonly end?: 'stop' | 'length' | 'refusal' | 'filter' | 'odd'
  readonly usage?: {
    readonly input: number
    readonly output: number
    readonly cacheRead?: number
    readonly cacheWrite?: number
  }
  readonly model?: string
}
export const defaultUsage = { input: 100, output: 20, cacheRead: 0, cacheWrite: 0 }
