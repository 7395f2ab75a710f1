/** Which wire format a provider speaks. What differs between them is decided by this, never by a provider's name. */
export type ProviderKind = 'anthropic' | 'openai' | 'openai-chat' | 'google' | 'bedrock' | 'compatible'

/** A tool result can carry an image only where the format has a place for it. */
export const takesImagesInResults = (kind: ProviderKind): boolean => kind !== 'openai-chat' && kind !== 'compatible'
