/** A story through `openOffshoot`: files of a person and of a project, a scripted model, and what became of each call. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { AgentDefinition } from '../../src/core/agent-definition.js'
import { type NodeOffshoot, type NodeOptions, openOffshoot } from '../../src/node.js'
import { type Script, ScriptedModel } from '../../src/testing/scripted-model.js'

export interface Told {
  /** `agent tool: status rule`, in order. */
  readonly ends: readonly string[]
  /** What the calls answered, in order. */
  readonly answers: readonly string[]
  readonly model: ScriptedModel
  readonly house: NodeOffshoot
}

export interface NodeStage {
  readonly home: string
  readonly project: string
  /** Relative to the home; `project/…` is the project. */
  write(path: string, content: string): string
  open(
    script: Readonly<Record<string, Script>>,
    options?: NodeOptions,
  ): Promise<Told & { play(agent?: string): Promise<Told> }>
  tell(script: Readonly<Record<string, Script>>, options?: NodeOptions, agent?: string): Promise<Told>
  close(): Promise<void>
}

export function createNodeStage(): NodeStage {
  const home = mkdtempSync(join(tmpdir(), 'node-story-'))
  const project = join(home, 'project')
  mkdirSync(join(project, '.git'), { recursive: true })
  const houses: NodeOffshoot[] = []
  const open: NodeStage['open'] = async (script, options = {}) => {
    const model = new ScriptedModel(script)
    const env = { HOME: home, OFFSHOOT_HOME: join(home, 'state'), PATH: process.env.PATH }
    const house = await openOffshoot({ env, cwd: project, store: 'memory', model, ...options })
    houses.push(house)
    const ends: string[] = []
    const answers: string[] = []
    house.subscribe({}, ({ agent, event }) => {
      if (event.type !== 'tool.ended') return
      ends.push(`${agent} ${event.name}: ${event.status}${event.rule === undefined ? '' : ` ${event.rule}`}`)
      answers.push(event.content.map(part => (part.type === 'text' ? part.text : '')).join('\n'))
    })
    const told: Told = { ends, answers, model, house }
    const play = async (agent = 'main') => {
      const run = await house.start({ agent, prompt: 'Go.', description: 'a story' })
      if ('refused' in run) throw new Error(`${run.rule}: ${run.refused}`)
      await run.result
      return told
    }
    return { ...told, play }
  }
  return {
    home,
    project,
    write: (path, content) => {
      const full = join(home, path)
      mkdirSync(dirname(full), { recursive: true })
      writeFileSync(full, content)
      return full
    },
    open,
    tell: async (script, options, agent) => (await open(script, options)).play(agent),
    close: async () => {
      for (const house of houses.splice(0).reverse()) await house.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** An agent of the person's own with every tool. */
export function ownAgent(name: string, more: Partial<AgentDefinition> = {}): AgentDefinition {
  const source = { scope: 'user', isTrusted: true } as const
  return { name, description: name, systemPrompt: `You are ${name}.`, tools: 'all', source, ...more }
}

export const called = (name: string, input: object = {}) => ({ calls: [{ name, input }] })
export const handed = (input: object) => called('Task', { description: 'some work', prompt: 'work', ...input })
