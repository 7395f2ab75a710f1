/** A session as the program opens it, in a home of its own, with a model that plays parts: for stories with real parts. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openSession, type Session, type SessionOptions } from '../../src/apps/session/open-session.js'
import type { Envelope } from '../../src/core/events.js'
import { agents, type Part, type ScriptedServer, startScriptedServer } from '../e2e/scripted-server.js'

export interface Stage {
  readonly project: string
  readonly env: Readonly<Record<string, string>>
  readonly server: ScriptedServer
  write(name: string, text: string): string
  text(name: string): string
  /** Opens a session; a second one stands for the program started again. */
  open(more?: Partial<SessionOptions>): Promise<OpenStage>
  close(): Promise<void>
}

export interface OpenStage {
  readonly session: Session
  readonly events: readonly Envelope[]
  /** Runs a prompt to its end and gives the answer. */
  ask(prompt: string): Promise<string>
  /** What calls of a tool were answered, in order. */
  answers(tool: string): readonly string[]
  close(how?: 'stop' | 'leave'): Promise<void>
}

export async function createStage(parts: Readonly<Record<string, Part>>): Promise<Stage> {
  const home = mkdtempSync(join(tmpdir(), 'offshoot-stage-'))
  const project = join(home, 'project')
  mkdirSync(join(project, '.git'), { recursive: true })
  const server = await startScriptedServer(parts)
  const env = { PATH: process.env.PATH ?? '', HOME: home, OFFSHOOT_HOME: join(home, 'state'), ...server.env }
  const given = { agents: agents(...Object.keys(parts).filter(name => name !== 'main')) }
  return {
    project,
    env,
    server,
    write(name, text) {
      const path = join(project, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
      return path
    },
    text: name => readFileSync(join(project, name), 'utf8'),
    async open(more = {}) {
      const flags = { ...given, ...more.flags }
      const session = await openSession({ cwd: project, env, ...more, flags })
      if ('fault' in session) throw new Error(session.fault)
      return openStage(session)
    },
    async close() {
      await server.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

function openStage(session: Session): OpenStage {
  const offshoot = session.house
  const events: Envelope[] = []
  offshoot.subscribe({}, envelope => void events.push(envelope))
  return {
    session,
    events,
    async ask(prompt) {
      const run = await offshoot.start({ prompt, description: 'a story', agent: 'main' })
      if ('refused' in run) throw new Error(run.refused)
      return (await run.result).text
    },
    answers: tool =>
      events.flatMap(({ event }) => {
        if (event.type !== 'tool.ended' || event.name !== tool) return []
        return [event.content.map(part => (part.type === 'text' ? part.text : '')).join('')]
      }),
    close: how => session.house.close(how),
  }
}
