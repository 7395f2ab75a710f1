/** Ids, and the messages that pass between a run and its model: our own form, which every adapter translates. */

declare const brand: unique symbol
/** Names one run, for its whole life, over every attempt. */
export type RunId = string & { readonly [brand]: 'RunId' }
/** Names one tool call inside one run. */
export type CallId = string & { readonly [brand]: 'CallId' }
/** One call of one run, among all: who wants an attempt (`run.resumed`). */
export interface CallOfRun {
  readonly runId: RunId
  readonly callId: CallId
}

/** A value that survives JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
/** A JSON Schema, passed on as it is. */
export type JsonSchema = { readonly [key: string]: unknown }

/** Words, as they are. */
export interface TextPart {
  readonly type: 'text'
  readonly text: string
}
/** A picture, in Base64. */
export interface ImagePart {
  readonly type: 'image'
  readonly mediaType: string
  /** Base64. */
  readonly data: string
}
/**
 * The largest picture that goes into a request, in characters of Base64: Anthropic's bound, the lowest of the large
 * providers.
 */
export const maxImageCharacters = 5 * 1024 * 1024
/** Reasoning a provider wants back unchanged (`opaque` carries its signature), and nobody else may see. */
export interface ThoughtPart {
  readonly type: 'thought'
  readonly text: string
  readonly opaque?: Json
}
/** A tool call the model wants. */
export interface CallPart {
  readonly type: 'call'
  readonly id: CallId
  readonly name: string
  readonly input: unknown
  /** Set when the model's arguments were no JSON: the raw text. `input` is then `{}`. */
  readonly invalidInput?: string
  readonly opaque?: Json
}
/** The answer to one call. */
export interface ResultPart {
  readonly type: 'result'
  readonly callId: CallId
  readonly name: string
  readonly content: readonly (TextPart | ImagePart)[]
  readonly isError: boolean
}
/** What can be said to a model. */
export type UserPart = TextPart | ImagePart
/** What a reply is made of, in order. */
export type AssistantPart = TextPart | ThoughtPart | CallPart

/** What a model is told: by a person, a caller, or the runtime. */
export interface UserMessage {
  readonly role: 'user'
  readonly content: readonly UserPart[]
}
/** A model's reply. */
export interface AssistantMessage {
  readonly role: 'assistant'
  readonly content: readonly AssistantPart[]
}
/** Results of calls: directly after the assistant message whose calls it answers, all of them, in call order. */
export interface ToolMessage {
  readonly role: 'tool'
  readonly content: readonly ResultPart[]
}
/** One entry of a conversation. */
export type Message = UserMessage | AssistantMessage | ToolMessage

export const userMessage = (...texts: readonly string[]): UserMessage => ({
  role: 'user',
  content: texts.map(text => ({ type: 'text', text })),
})

/** Ends what was begun: a subscription, a timer, a watch. */
export type Close = () => void
