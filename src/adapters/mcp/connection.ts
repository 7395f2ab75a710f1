/**
 * One server: its client while it lives, and the tools it offers.
 *
 * M1 A call on a dead server is an error result. It is started again once, after a pause; only an answer earns it the
 *    next chance. One elsewhere that lost us is asked anew with the next call; by the same one where it said that it
 *    does not know our session, since it has done nothing then. What others still wait for in the old session goes on.
 * M2 The list of tools is bounded in pages and number, and in how often it is read anew. One tool that cannot be read
 *    costs that tool.
 * M3 A tool that no longer is what was let in is not offered; and one that changes under a run is not called.
 * M4 Nothing here rejects but on abort: faults are diagnostics and error results, without secrets. Closing waits for no
 *    server that is still starting.
 */

import { covers } from '../../core/brief/tool-filter.js'
import type { McpServer } from '../../core/mcp/mcp-config.js'
import { readServerTool, type ServerTool } from '../../core/mcp/mcp-tool.js'
import { readServerNote, type ServerNote } from '../../core/mcp/server-notes.js'
import type { JsonSchema } from '../../core/message.js'
import type { Diagnostic, Tool, ToolContext, ToolOutput } from '../../core/ports.js'
import { commandLine } from '../../core/text/shell-word.js'
import { canonicalJson, cutCharacters, oneLine } from '../../core/text/text.js'
import { messageOf } from '../../core/thrown.js'
import { contentHash } from '../os/content-hash.js'
import { type ConnectPlace, connect, isCutOff, type OpenClient, reasonOf, sayable } from './connect.js'
import { anyResult, listTools } from './list-tools.js'
import { hasLostUs, isAnswer, isForgotten, LeftSessions } from './lost-session.js'
import { readCallResult } from './tool-output.js'
import { type Pins, pinOf, type ToolPins } from './tool-pins.js'

export interface ConnectionOptions extends ConnectPlace {
  readonly pins: ToolPins
  /** The pause before a restart. */
  readonly backoffMs?: number
  /** The list of tools is another one now. */
  onChange(): void
}

const usualBackoffMs = 500
/** A server that keeps changing its list is listened to less and less often. */
const longestRelistMs = 60_000
/** Of all tools a server ever had; beyond it a person has to look. */
const maxPins = 5_000

/** Among what was let in; no tool has such a name. */
const theirInstructions = 'what it says of its tools (instructions)'

export class McpConnection {
  readonly server: McpServer
  tools: readonly Tool[] = []
  diagnostics: readonly Diagnostic[] = []
  readonly #options: ConnectionOptions
  /** How the server is started or reached, in short. */
  readonly #mark: string
  readonly #key: string
  /** What each tool looks like now; a tool that is gone is not here. */
  #current = new Map<string, string>()
  #open: OpenClient | undefined
  #opening: Promise<OpenClient> | undefined
  readonly #sessions = new LeftSessions()
  #restarts = 0
  #listedAt = 0
  /** Why the last list is not whole. */
  #listFault: string | undefined
  #relisting: Promise<void> | undefined
  #relistMs = 0
  #willRelist = false
  readonly #closing = new AbortController()

  constructor(server: McpServer, options: ConnectionOptions) {
    this.server = server
    this.#options = options
    this.#mark = contentHash(canonicalJson(server.transport)).slice(0, 16)
    this.#key = `${server.name}:${this.#mark}`
  }

  get isUsable(): boolean {
    return !this.diagnostics.some(({ code }) => code === 'mcp-server-down')
  }

  /** Connects and lists. Resolves in any case; `diagnostics` say what went wrong. */
  async load(): Promise<void> {
    try {
      await this.#ready()
    } catch (error) {
      this.#say('mcp-server-down', `the MCP server "${this.server.name}" cannot be used: ${messageOf(error)}`)
    }
  }

  /**
   * A person has looked at what changed: what the server offers now is let in. Nothing of one that is down, or whose list
   * is not whole.
   */
  async approve(): Promise<void> {
    if (!this.#open || !this.isUsable || this.#listFault !== undefined) return
    await this.#options.pins.update(this.#key, () => Object.fromEntries(this.#current))
    await this.#relist()
  }

  async close(): Promise<void> {
    this.#closing.abort(new DOMException('it is closed', 'AbortError'))
    const open = this.#open ?? (await this.#opening?.catch(() => undefined))
    await Promise.all([open?.close(), this.#sessions.close()])
  }

  #ready(): Promise<OpenClient> {
    if (this.#closing.signal.aborted) return Promise.reject(new Error('it is closed'))
    if (this.#open) return Promise.resolve(this.#open)
    this.#opening ??= this.#connect().finally(() => {
      this.#opening = undefined
    })
    return this.#opening
  }

  async #connect(): Promise<OpenClient> {
    const isOurs = this.server.transport.kind === 'stdio'
    if (isOurs && this.#restarts > 1) throw new Error('it ended, was started again, and ended again')
    if (this.#restarts > 0) await pause(this.#options.backoffMs ?? usualBackoffMs)
    const open = await connect(this.server, this.#options, () => void this.#listChanged(), this.#closing.signal)
    open.client.onclose = () => {
      if (this.#open === open) this.#open = undefined
      this.#restarts += 1
    }
    this.#open = open
    const isAnew = this.#listedAt > 0
    await this.#list(open)
    if (isAnew) this.#options.onChange()
    return open
  }

  async #listChanged(): Promise<void> {
    if (this.#willRelist) return
    this.#willRelist = true
    const isSoon = performance.now() - this.#listedAt < 1_000 + 2 * this.#relistMs
    this.#relistMs = isSoon ? Math.min(this.#relistMs * 2 || 50, longestRelistMs) : 0
    // Keeps no program from ending.
    await new Promise(resolve => setTimeout(resolve, this.#relistMs).unref())
    this.#willRelist = false
    await this.#relist()
  }

  async #relist(): Promise<void> {
    const open = this.#open
    if (!open || this.#closing.signal.aborted) return
    try {
      await this.#list(open)
    } catch (error) {
      // What cannot be compared with what was let in is not offered; one that ended is compared when it is started again.
      if (this.#open === open) {
        this.tools = []
        this.#current.clear()
      }
      this.#say(
        'mcp-server-down',
        `the tools of the MCP server "${this.server.name}" cannot be used: ${messageOf(error)}`,
      )
    }
    this.#options.onChange()
  }

  async #list(open: OpenClient): Promise<void> {
    const { redact } = open
    const { tools, faults, broken } = await listTools(open.client, this.server.startMs)
    this.#listedAt = performance.now()
    if (broken !== undefined && isForgotten(broken)) this.#leaveIfLost(broken, open)
    if (broken !== undefined && this.#open !== open) throw new Error(`${open.told(broken)}, while it listed its tools`)
    this.#listFault = broken === undefined ? undefined : `its list of tools broke off: ${open.told(broken)}`
    const { schemaFaults } = await import('../schema/ajv.js')
    const faultOf = schemaFaults()
    const read = new Map<string, ServerTool>()
    const about = (fault: string) => `the MCP server "${this.server.name}": ${redact(fault)}`
    const said = [...faults, ...(this.#listFault === undefined ? [] : [this.#listFault])].map(fault =>
      diagnostic('mcp-list-cut', this.server, about(fault)),
    )
    for (const tool of tools) {
      const each = checked(readServerTool(this.server, tool), faultOf)
      if ('fault' in each) said.push(diagnostic('mcp-tool-invalid', this.server, about(each.fault)))
      else if (read.has(each.spec.name)) said.push(diagnostic('mcp-tool-twice', this.server, each.spec.name))
      else if (isOffered(this.server, each.spec.name)) read.set(each.spec.name, each)
    }
    const instructions = open.client.getInstructions()
    const note = readServerNote(this.server.name, instructions && open.conceal(instructions))
    this.#current = new Map([...read].map(([name, tool]) => [name, pinOf(tool.fingerprint)]))
    if (note) this.#current.set(theirInstructions, pinOf(note.text))
    const changed = await this.#pin()
    for (const name of changed)
      said.push({
        ...diagnostic('mcp-tool-changed', this.server, `${name} is not what it was when the server was let in`),
        hint: `look at it, then: ${commandLine('offshoot', 'mcp', 'approve', this.server.name)}`,
      })
    const shown = changed.includes(theirInstructions) ? undefined : note
    this.tools = [...read.values()]
      .filter(({ spec }) => !changed.includes(spec.name))
      .map(tool => this.#toolOf(tool, shown))
    this.diagnostics = said
  }

  /** Keeps what is new and gives the names of what is not what it was. */
  async #pin(): Promise<readonly string[]> {
    const { pins } = this.#options
    const now = Object.fromEntries(this.#current)
    const isFull = (known: Pins) => Object.keys({ ...now, ...known }).length > maxPins
    const withNew = (known: Pins): Pins => (isFull(known) ? known : { ...now, ...known })
    let known = pins.get(this.#key) ?? {}
    if (canonicalJson(withNew(known)) !== canonicalJson(known))
      await pins.update(this.#key, (kept = {}) => {
        // Another program may have let it in since.
        known = kept
        return withNew(kept)
      })
    return Object.keys(now).filter(name => (Object.hasOwn(known, name) ? known[name] !== now[name] : isFull(known)))
  }

  #toolOf(tool: ServerTool, serverNote: ServerNote | undefined): Tool {
    const spec = { ...tool.spec, server: this.#mark, ...(serverNote && { serverNote }) }
    return { spec, run: (input, context) => this.#call(tool, input, context) }
  }

  async #call(tool: ServerTool, input: unknown, context: ToolContext, isSecondTry = false): Promise<ToolOutput> {
    const name = `the MCP server "${this.server.name}"`
    let open: OpenClient
    try {
      open = await this.#ready()
    } catch (error) {
      context.signal.throwIfAborted()
      return failed(`${name} is not running: ${messageOf(error)}. Go on without it, and report that.`, 'server down')
    }
    const fault = await this.#changeOf(tool)
    if (fault !== undefined) return failed(`${name} ${fault}; it was not called.`, 'changed')
    try {
      const result = await this.#sessions.during(open, () => this.#ask(open, tool, input, context))
      this.#restarts = 0
      return readCallResult(result, open.conceal)
    } catch (error) {
      context.signal.throwIfAborted()
      if (isAnswer(error)) this.#restarts = 0
      if (this.#leaveIfLost(error, open) && isForgotten(error) && !isSecondTry)
        return this.#call(tool, input, context, true)
      const why = this.#faultIn(error, open)
      return failed(`${tool.remoteName} of ${name} failed: ${why}`, oneLine(why, 50))
    }
  }

  /** A session that is gone is left: the next call begins another. */
  #leaveIfLost(error: unknown, open: OpenClient): boolean {
    if (this.server.transport.kind !== 'http' || !hasLostUs(error, open)) return false
    if (this.#open === open) this.#open = undefined
    this.#sessions.leave(open)
    return true
  }

  /** How a server of ours ended, and its last words, say more than that the connection is closed. */
  #faultIn(error: unknown, { told, redact }: OpenClient): string {
    if (this.server.transport.kind === 'stdio' && !isAnswer(error) && isCutOff(error)) return told(error)
    return sayable(redact(reasonOf(error, { ...this.server, startMs: this.server.timeoutMs })))
  }

  /** Why a tool is not the one that was handed out; undefined when it is. A list that broke off is read once more. */
  async #changeOf({ spec, remoteName, fingerprint }: ServerTool): Promise<string | undefined> {
    if (this.#listFault !== undefined && !this.#current.has(spec.name)) {
      this.#relisting ??= this.#relist().finally(() => {
        this.#relisting = undefined
      })
      await this.#relisting
    }
    const now = this.#current.get(spec.name)
    if (now === pinOf(fingerprint)) return undefined
    return now === undefined && this.#listFault !== undefined
      ? `may have changed ${remoteName}, and cannot be asked: ${this.#listFault}`
      : `has changed or removed ${remoteName} since you were given it`
  }

  #ask(
    { client, conceal }: OpenClient,
    tool: ServerTool,
    input: unknown,
    { signal, progress }: ToolContext,
  ): Promise<unknown> {
    const { timeoutMs: timeout } = this.server
    // What it answers is read loosely: the call has had its effect, whatever one block of the answer looks like.
    return client.request(
      { method: 'tools/call', params: { name: tool.remoteName, arguments: input as Record<string, unknown> } },
      anyResult,
      {
        signal,
        timeout,
        resetTimeoutOnProgress: true,
        maxTotalTimeout: timeout * 6,
        onprogress: ({ progress: done, total, message }) =>
          progress(cutCharacters(conceal(message ?? `${done}${total === undefined ? '' : ` of ${total}`}`), 200)),
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
  message: sayable(message),
  file: origin,
})

/** By the lists of its own configuration. */
function isOffered({ onlyTools, withoutTools = [] }: McpServer, tool: string): boolean {
  const isAmong = (names: readonly string[]) => names.some(name => covers({ name }, tool))
  return (onlyTools === undefined || isAmong(onlyTools)) && !isAmong(withoutTools)
}

function checked(
  read: ReturnType<typeof readServerTool>,
  faultOf: (schema: JsonSchema) => string | undefined,
): ReturnType<typeof readServerTool> {
  const fault = 'fault' in read ? undefined : faultOf(read.spec.inputSchema)
  return fault === undefined ? read : { fault: `the schema of "${(read as ServerTool).remoteName}" is none: ${fault}` }
}

const failed = (content: string, summary: string): ToolOutput => ({ content, isError: true, summary })
const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))
