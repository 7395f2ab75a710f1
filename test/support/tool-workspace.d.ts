import type { Tool, ToolContext, ToolOutput, Workspace } from '../../src/core/ports.js'
export interface TestWorkspace {
  readonly root: string
  path(...parts: string[]): string
  write(name: string, content: string | Uint8Array, mode?: number): string
  text(name: string): string
  remove(): void
}
export declare function createTestWorkspace(): TestWorkspace
export interface TestRun {
  readonly context: ToolContext
  /** Runs the tool and remembers the versions it reports, as a run's log would. */
  call(tool: Tool, input: unknown, overrides?: Partial<ToolContext>): Promise<ToolOutput>
}
export declare function createTestRun(workspace: Workspace | string, name?: string): TestRun
export declare function textOf(output: ToolOutput): string
