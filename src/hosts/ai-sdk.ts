/**
 * Hands delegation to a loop of the AI SDK: `generateText({ tools: await aiSdkTools(offshoot), … })`. The tools are
 * plain objects in the SDK's shape: only its types are imported, so the host's own copy is the one that runs.
 */
import type { ToolSet } from 'ai'
import type { AssistantPart, CallId, Message, ResultPart } from '../core/message.js'
import type { Tool, ToolOutput } from '../core/ports.js'
import type { Offshoot } from '../offshoot.js'
import type { HostRun } from '../runtime/hosts/host-run.js'

interface CallOptions {
  readonly toolCallId: string
  readonly messages?: readonly HostMessage[]
  readonly abortSignal?: AbortSignal
}
interface HostMessage {
  readonly role: string
  readonly content: unknown
}

// How the SDK recognises its own schema objects, whichever copy of it made them.
const schemaSymbol = Symbol.for('vercel.ai.schema')

/** For hosts that want one run for several loops, or fewer tools. */
export interface AiSdkToolsOptions {
  /** A host opened before; without one the tools open their own, which ends with the Offshoot. */
  readonly host?: HostRun
  /** Which tools to hand over. Default: everything that delegates. */
  readonly tools?: readonly Tool[]
}

/** The delegation tools in the AI SDK's shape. A call never throws: what goes wrong is text the model reads. */
export async function aiSdkTools(offshoot: Offshoot, options: AiSdkToolsOptions = {}): Promise<ToolSet> {
  const host = options.host ?? (await offshoot.host())
  const tools = options.tools ?? offshoot.tools().filter(({ spec }) => spec.effect === 'delegate')
  return Object.fromEntries(tools.map(tool => [tool.spec.name, aiSdkTool(tool, host)])) as unknown as ToolSet
}

function aiSdkTool(tool: Tool, host: HostRun) {
  return {
    type: 'function' as const,
    description: tool.spec.description,
    // The input is checked by the host run, which answers the model with what is wrong instead of throwing.
    inputSchema: {
      jsonSchema: tool.spec.inputSchema,
      [schemaSymbol]: true,
      validate: (value: unknown) => ({ success: true, value }),
    },
    execute: async (input: unknown, { toolCallId, messages = [], abortSignal }: CallOptions) =>
      textOf(
        await host.call(tool, input, {
          callId: toolCallId,
          signal: abortSignal,
          messages: messages.flatMap(readMessage),
        }),
      ),
  }
}

function textOf({ content, isError }: ToolOutput): string {
  const text =
    typeof content === 'string'
      ? content
      : content.map(part => (part.type === 'text' ? part.text : '[image]')).join('\n')
  return isError ? `Error: ${text}` : text
}

/** The SDK's messages in our form, for agents that fork the conversation; what has no counterpart is left out. */
function readMessage({ role, content }: HostMessage): readonly Message[] {
  const parts =
    typeof content === 'string'
      ? [{ type: 'text', text: content }]
      : Array.isArray(content)
        ? (content as readonly Record<string, unknown>[])
        : []
  if (role === 'user')
    return [
      {
        role: 'user',
        content: parts.flatMap(part =>
          part.type === 'text' ? [{ type: 'text' as const, text: String(part.text) }] : [],
        ),
      },
    ]
  if (role === 'assistant') return [{ role: 'assistant', content: parts.flatMap(readAssistantPart) }]
  if (role === 'tool') return [{ role: 'tool', content: parts.flatMap(readResult) }]
  return []
}

function readAssistantPart(part: Record<string, unknown>): readonly AssistantPart[] {
  if (part.type === 'text') return [{ type: 'text', text: String(part.text) }]
  if (part.type === 'tool-call')
    return [{ type: 'call', id: String(part.toolCallId) as CallId, name: String(part.toolName), input: part.input }]
  return []
}

function readResult(part: Record<string, unknown>): readonly ResultPart[] {
  if (part.type !== 'tool-result') return []
  const output = part.output as SdkOutput | undefined
  return [
    {
      type: 'result',
      callId: String(part.toolCallId) as CallId,
      name: String(part.toolName),
      content: [{ type: 'text', text: outputText(output) }],
      isError: failedOutputs.has(output?.type),
    },
  ]
}

interface SdkOutput {
  readonly type?: string
  readonly value?: unknown
  readonly reason?: string
}

const failedOutputs: ReadonlySet<string | undefined> = new Set(['error-text', 'error-json', 'execution-denied'])

function outputText(output: SdkOutput | undefined): string {
  if (output?.type === 'execution-denied') return output.reason ? `Denied: ${output.reason}` : 'Denied.'
  return JSON.stringify(output?.value ?? output ?? '')
}
