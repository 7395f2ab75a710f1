/**
 * One server: its client while it lives, and the tools it offers.
 *
 * M1 A call on a dead server is an error result. It is started again once, after a pause; only an answer earns it the
 *    next chance.
 * M2 The list of tools is bounded in pages and number. One tool that cannot be read costs that tool.
 * M3 A tool that no longer is what was let in is not offered; and one that changes under a run is not called.
 * M4 Nothing here rejects but on abort: faults are diagnostics and error results, without secrets.
 */
import type { Client } from '@modelcontextprotocol/client'
import type { McpServer } from '../../core/mcp-config.js'
import { readServerTool, type ServerTool } from '../../core/mcp-tool.js'
import type { Diagnostic, Tool, ToolContext, ToolOutput } from '../../core/ports.js'
import { canonicalJson, cutCharacters } from '../../core/text.js'
import { contentHash } from '../os/content-hash.js'
import { type ConnectPlace, connect, type OpenClient } from './connect.js'
import { listTools } from './list-tools.js'
import { readCallResult } from './tool-output.js'
import { pinOf, type ToolPins } from './tool-pins.js'

export interface ConnectionOptions extends ConnectPlace {
  readonly pins: ToolPins
  /** The pause before a restart. */
  readonly backoffMs?: number
  /** The list of tools is another one now. */
  onChange(): void
}

const usualBackoffMs = 500

export class McpConnection {
  readonly server: McpServer
  tools: readonly Tool[] = []
  diagnostics: readonly Diagnostic[] = []
  readonly #options: ConnectionOptions
  readonly #key: string
  /** What each tool looks like now; a tool that is gone is not here. */
  #current = new Map<string, string>()
  #open: OpenClient | undefined
  #opening: Promise<OpenClient> | undefined
  #restarts = 0
  #isClosed = false

  constructor(server: McpServer, options: ConnectionOptions) {
    this.server = server
    this.#options = options
    this.#key = `${server.name}:${contentHash(canonicalJson(server.transport)).slice(0, 16)}`
  }

  /** Connects and lists. Resolves in any case; `diagnostics` say what went wrong. */
  async load(): Promise<void> {
    try {
      await this.#ready()
    } catch (error) {
      this.#say('mcp-server-down', `the MCP server "${this.server.name}" cannot be used: ${textOf(error)}`)
    }
  }

  /** A person has looked at what changed: what the server offers now is let in. */
  async approve(): Promise<void> {
    this.#options.pins.set(this.#key, Object.fromEntries(this.#current))
    await this.#relist()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const open = this.#open ?? (await this.#opening?.catch(() => undefined))
    await open?.client.close().catch(() => undefined)
  }

  #ready(): Promise<OpenClient> {
    if (this.#isClosed) return Promise.reject(new Error('it is closed'))
    if (this.#open) return Promise.resolve(this.#open)
    this.#opening ??= this.#connect().finally(() => {
      this.#opening = undefined
    })
    return this.#opening
  }

  async #connect(): Promise<OpenClient> {
    if (this.#restarts > 1) throw new Error('it ended, was started again, and ended again')
    if (this.#restarts === 1) await pause(this.#options.backoffMs ?? usualBackoffMs)
    const open = await connect(this.server, this.#options, () => void this.#relist())
    open.client.onclose = () => {
      if (this.#open === open) this.#open = undefined
      this.#restarts += 1
    }
    this.#open = open
    await this.#list(open)
    return open
  }

  async #relist(): Promise<void> {
    const open = this.#open
    if (!open || this.#isClosed) return
    await this.#list(open)
    this.#options.onChange()
  }

  async #list({ client, redact }: OpenClient): Promise<void> {
    const { tools, faults } = await listTools(client, this.server.startMs)
    const read = new Map<string, ServerTool>()
    const said = faults.map(fault => diagnostic('mcp-list-cut', this.server, redact(fault)))
    for (const tool of tools) {
      const each = readServerTool(this.server, tool)
      if ('fault' in each) said.push(diagnostic('mcp-tool-invalid', this.server, redact(each.fault)))
      else if (read.has(each.spec.name)) said.push(diagnostic('mcp-tool-twice', this.server, each.spec.name))
      else read.set(each.spec.name, each)
    }
    this.#current = new Map([...read].map(([name, tool]) => [name, pinOf(tool.fingerprint)]))
    const changed = this.#pin()
    for (const name of changed)
      said.push({
        ...diagnostic('mcp-tool-changed', this.server, `${name} is not what it was when the server was let in`),
        hint: `look at it, then: offshoot mcp approve ${this.server.name}`,
      })
    this.tools = [...read.values()].filter(({ spec }) => !changed.includes(spec.name)).map(tool => this.#toolOf(tool))
    this.diagnostics = said
  }

  /** Keeps what is new and gives the names of what is not what it was. */
  #pin(): readonly string[] {
    const { pins } = this.#options
    const known = pins.get(this.#key) ?? {}
    const now = Object.fromEntries(this.#current)
    const merged = { ...now, ...known }
    if (canonicalJson(merged) !== canonicalJson(known)) pins.set(this.#key, merged)
    return Object.keys(now).filter(name => Object.hasOwn(known, name) && known[name] !== now[name])
  }

  #toolOf(tool: ServerTool): Tool {
    return { spec: tool.spec, run: (input, context) => this.#call(tool, input, context) }
  }

  async #call(tool: ServerTool, input: unknown, context: ToolContext): Promise<ToolOutput> {
    const name = `the MCP server "${this.server.name}"`
    let open: OpenClient
    try {
      open = await this.#ready()
    } catch (error) {
      context.signal.throwIfAborted()
      return failed(`${name} is not running: ${textOf(error)}. Go on without it, and report that.`, 'server down')
    }
    if (this.#current.get(tool.spec.name) !== pinOf(tool.fingerprint))
      return failed(
        `${name} has changed or removed ${tool.remoteName} since you were given it; it was not called.`,
        'changed',
      )
    try {
      const result = await this.#ask(open.client, tool, input, context)
      this.#restarts = 0
      return readCallResult(result)
    } catch (error) {
      context.signal.throwIfAborted()
      const text = open.redact(cutCharacters(textOf(error), 1000))
      return failed(`${tool.remoteName} of ${name} failed: ${text}`, 'failed')
    }
  }

  #ask(client: Client, tool: ServerTool, input: unknown, { signal, progress }: ToolContext): Promise<unknown> {
    const { timeoutMs: timeout } = this.server
    return client.callTool(
      { name: tool.remoteName, arguments: input as Record<string, unknown> },
      {
        signal,
        timeout,
        resetTimeoutOnProgress: true,
        maxTotalTimeout: timeout * 6,
        onprogress: ({ progress: done, total, message }) =>
          progress(cutCharacters(message ?? `${done}${total === undefined ? '' : ` of ${total}`}`, 200)),
      },
    )
  }

  #say(code: string, message: string): void {
    this.diagnostics = [diagnostic(code, this.server, message)]
  }
}

const diagnostic = (code: string, { origin }: McpServer, message: string): Diagnostic => ({
  code,
  severity: 'warning',
  message,
  file: origin,
})

const failed = (content: string, summary: string): ToolOutput => ({ content, isError: true, summary })
const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))
const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
