/**
 * Calls of an answer in OpenAI's chat format, put together from their pieces.
 *
 * R1 A piece belongs to the call with its id and its place; where a server leaves one of them out, to the only call it can
 *    mean. A piece that could mean two is dropped. R2 Name and opening bracket after a call whose arguments are complete
 *    begin another one, even in the same place. R3 Calls are told at the end, by their places.
 */
import { randomUUID } from 'node:crypto'
import type { LanguageModelV3StreamPart, SharedV3ProviderMetadata } from '@ai-sdk/provider'
import type { CallDelta } from './openai-chunk.js'

type Take = (part: LanguageModelV3StreamPart) => void

export interface ChatCalls {
  /** Gives what is wrong with it, if the answer is of no use with it. */
  grow(delta: CallDelta): Error | undefined
  end(): Error | undefined
}

interface Call {
  readonly id: string
  readonly name: string
  readonly index: number | undefined
  readonly metadata: SharedV3ProviderMetadata | undefined
  text: string
}

export function collectCalls(
  take: Take,
  metadataOf: (delta: CallDelta) => SharedV3ProviderMetadata | undefined = () => undefined,
): ChatCalls {
  const calls: Call[] = []
  const byId = new Map<string, Call[]>()
  const byIndex = new Map<number, Call[]>()
  const find = (id: string | undefined, index: number | undefined, name: string | undefined, isOpening: boolean) =>
    owner({ calls, withId: listAt(byId, id), there: listAt(byIndex, index) }, { id, index, name, isOpening })

  return {
    grow(delta) {
      const { name: givenName, arguments: text } = delta.function
      const [id, name, index] = [unlessBlank(delta.id), unlessBlank(givenName), delta.index ?? undefined]
      let call = find(id, index, name, name !== undefined && isOpened(text ?? ''))
      if (call === 'unclear') return undefined
      if (call === 'new') {
        if (name === undefined)
          return givenName == null ? invalid(`Expected 'function.name' to be a string.`) : undefined
        call = { id: freshId(id, calls), name, index, text: '', metadata: metadataOf(delta) }
        calls.push(call)
      }
      call.text += text ?? ''
      note(byId, id, call)
      note(byIndex, index, call)
      take({ type: 'tool-input-delta', id: call.id, delta: text ?? '' })
      return undefined
    },
    end() {
      // R3. Without a place, the order in which they came.
      const isPlaced = calls.every(call => call.index !== undefined)
      for (const call of isPlaced ? [...calls].sort((a, b) => a.index! - b.index!) : calls) take(toCallPart(call))
      return undefined
    },
  }
}

const toCallPart = ({ id, name, text, metadata }: Call): LanguageModelV3StreamPart => ({
  type: 'tool-call',
  toolCallId: id,
  toolName: name,
  input: text,
  ...(metadata && { providerMetadata: metadata }),
})

interface Known {
  readonly calls: readonly Call[]
  readonly withId: readonly Call[]
  readonly there: readonly Call[]
}
interface Marks {
  readonly id: string | undefined
  readonly index: number | undefined
  readonly name: string | undefined
  /** It has a name and the opening bracket of its arguments. */
  readonly isOpening: boolean
}

/** R1, R2. */
function owner({ calls, withId, there }: Known, { id, index, name, isOpening }: Marks): Call | 'new' | 'unclear' {
  const named = (some: readonly Call[]) => (name === undefined ? some : some.filter(call => call.name === name))
  if (withId.length > 0) {
    if (index === undefined) return only(named(withId), isOpening)
    const exact = named(there).filter(call => withId.includes(call))
    if (exact.length > 0) return only(exact, isOpening)
    if (name !== undefined) return 'new'
    return there.length > 0 ? 'unclear' : only(withId, false)
  }
  if (id !== undefined) return isOpening ? 'new' : only(named(there), false)
  if (there.length > 0) return only(named(there), isOpening)
  return name === undefined ? only(calls, false) : 'new'
}

function only(calls: readonly Call[], isOpening: boolean): Call | 'new' | 'unclear' {
  const [first, second] = isOpening ? calls.filter(call => !isWhole(call.text)) : calls
  return first === undefined ? 'new' : second === undefined ? first : 'unclear'
}

/** Holds from its opening bracket to the one that closes it, whatever follows. */
function isWhole(text: string): boolean {
  if (!isOpened(text)) return false
  const open: string[] = []
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]!
    if (isQuoted && sign === '\\') at++
    else if (sign === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (sign === '{' || sign === '[') open.push(sign)
    else if (sign === '}' || sign === ']') {
      if (open.pop() !== (sign === '}' ? '{' : '[')) return false
      if (open.length === 0) return true
    }
  }
  return false
}

const isOpened = (text: string): boolean => /^\s*[{[]/.test(text)

/** For servers that tell a call's name late: what comes before it is held back, place by place. */
export function awaitNames(calls: ChatCalls): ChatCalls {
  const held = new Map<number, CallDelta>()
  const isNamed = new Set<number>()
  return {
    grow(delta) {
      const { index } = delta
      if (index == null || isNamed.has(index)) return calls.grow(delta)
      const whole = joined(held.get(index), delta)
      held.set(index, whole)
      if (whole.function.name == null) return undefined
      held.delete(index)
      isNamed.add(index)
      return calls.grow(whole)
    },
    end() {
      for (const delta of held.values()) {
        const fault = calls.grow(delta)
        if (fault) return fault
      }
      return calls.end()
    },
  }
}

const joined = (
  before: CallDelta | undefined,
  { index, id, function: called, extra_content }: CallDelta,
): CallDelta => ({
  index,
  id: before?.id ?? id,
  function: { name: called.name, arguments: `${before?.function.arguments ?? ''}${called.arguments ?? ''}` },
  extra_content: before?.extra_content ?? extra_content,
})

/** Some servers send none, or one twice; a run needs each once. */
function freshId(id: string | undefined, calls: readonly Call[]): string {
  if (id !== undefined && !calls.some(call => call.id === id)) return id
  return randomUUID().replaceAll('-', '').slice(0, 16)
}

const unlessBlank = (text: string | null | undefined): string | undefined =>
  text == null || text.trim() === '' ? undefined : text

const listAt = <K>(lists: ReadonlyMap<K, Call[]>, key: K | undefined): readonly Call[] =>
  (key === undefined ? undefined : lists.get(key)) ?? []

function note<K>(lists: Map<K, Call[]>, key: K | undefined, call: Call): void {
  if (key === undefined) return
  const known = lists.get(key)
  if (!known) lists.set(key, [call])
  else if (!known.includes(call)) known.push(call)
}

export const invalid = (message: string): Error => Object.assign(new Error(message), { name: 'InvalidResponseData' })
