/** Ids, and the messages that pass between a run and its model: our own form, which every adapter translates. */

declare const brand: unique symbol
/** Names one run, for its whole life, over every attempt. */
export type RunId = string & { readonly [brand]: 'RunId' }
/** Names one tool call inside one run. */
export type CallId = string & { readonly [brand]: 'CallId' }

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
export type JsonSchema = { readonly [key: string]: unknown }

export interface TextPart {
  readonly type: 'text'
  readonly text: string
}
export interface ImagePart {
  readonly type: 'image'
  readonly mediaType: string
  /** Base64. */
  readonly data: string
}
/** Reasoning a provider wants back unchanged (`opaque` carries its signature), and nobody else may see. */
export interface ThoughtPart {
  readonly type: 'thought'
  readonly text: string
  readonly opaque?: Json
}
export interface CallPart {
  readonly type: 'call'
  readonly id: CallId
  readonly name: string
  readonly input: unknown
  /** Set when the model's arguments were no JSON: the raw text. `input` is then `{}`. */
  readonly invalidInput?: string
  readonly opaque?: Json
}
export interface ResultPart {
  readonly type: 'result'
  readonly callId: CallId
  readonly name: string
  readonly content: readonly (TextPart | ImagePart)[]
  readonly isError: boolean
}
export type UserPart = TextPart | ImagePart
export type AssistantPart = TextPart | ThoughtPart | CallPart

export interface UserMessage {
  readonly role: 'user'
  readonly content: readonly UserPart[]
}
export interface AssistantMessage {
  readonly role: 'assistant'
  readonly content: readonly AssistantPart[]
}
/** Directly after the assistant message whose calls it answers: all of them, in call order. */
export interface ToolMessage {
  readonly role: 'tool'
  readonly content: readonly ResultPart[]
}
export type Message = UserMessage | AssistantMessage | ToolMessage

export const userMessage = (...texts: readonly string[]): UserMessage => ({
  role: 'user',
  content: texts.map(text => ({ type: 'text', text })),
})

/** Ends what was begun: a subscription, a timer, a watch. */
export type Close = () => void
