/** Where a file of tests meets its servers: a folder for each test, and hubs that are closed after it. */
import { afterEach } from 'vitest'
import type { McpHub } from '../../src/adapters/mcp/mcp-hub.js'
import type { Tool, ToolContext } from '../../src/core/ports.js'
import { freshWorkspace } from '../support/fresh-workspace.js'
import { createTestRun, type TestWorkspace } from '../support/tool-workspace.js'
import { hubOf } from './servers.js'

export interface McpPlace {
  /** Of the test that runs. */
  readonly folder: TestWorkspace
  /** Done after the test, the last one first. */
  closeLater(close: () => unknown): void
  loaded(...args: Parameters<typeof hubOf>): Promise<McpHub>
  call(
    tool: Tool,
    input?: unknown,
    overrides?: Partial<ToolContext>,
  ): ReturnType<ReturnType<typeof createTestRun>['call']>
}

/** Once at the top of a file: it sets up and clears away around each of its tests. */
export function mcpPlace(): McpPlace {
  const folder = freshWorkspace()
  const closing: (() => unknown)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })
  return {
    folder,
    closeLater: close => void closing.push(close),
    async loaded(...args) {
      const hub = hubOf(...args)
      closing.push(() => hub.close())
      await hub.load()
      return hub
    },
    call: (tool, input = {}, overrides) => createTestRun(folder.root).call(tool, input, overrides),
  }
}

export function named(hub: McpHub, name: string): Tool {
  const found = hub.tools().find(tool => tool.spec.name === name)
  if (!found) throw new Error(`no ${name} in ${hub.tools().map(tool => tool.spec.name)}`)
  return found
}

export const messages = (hub: McpHub): readonly string[] => hub.diagnostics().map(({ message }) => message)
