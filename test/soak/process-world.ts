/**
 * A house whose runs, some or all, are in real processes, with tools made there. One that is killed goes as a host does that
 * dies without a word: it hears no more from its store, and its processes end with their pipes.
 */
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createRunProcesses } from '../../src/adapters/processes/run-processes.js'
import { createShells } from '../../src/adapters/tools/shells.js'
import { createWorkspaceTools } from '../../src/adapters/tools/workspace-tools.js'
import type { Model, Tool } from '../../src/core/ports.js'
import type { RunProcess, RunProcesses } from '../../src/core/run-process.js'
import type { Owner, RunStore } from '../../src/core/run-store.js'
import { agentsOf } from './agents.js'
import type { Chance } from './chance.js'
import { faultyTools } from './faulty-tools.js'
import { type MemoryWorld, openMemoryWorld, quickClock } from './memory-world.js'

export interface StormPlace {
  /** Of this storm alone. */
  readonly folder: string
  /** The program of a run's process. */
  readonly program: string
  /** `kit.mjs`, as a URL. */
  readonly kit: string
  /** In the environment of all that is started in it. */
  readonly mark: string
  /** Whether all its runs are in processes, or some. */
  readonly isAll: boolean
  /** Neither its store nor servers fail. */
  readonly isSound: boolean
  /** How much faster than ours its clock goes; 1: the processes go by their own. */
  readonly speed: number
}

export interface ProcessWorld extends MemoryWorld {
  /** In the environment of what this world started. */
  readonly mark: string
}

export const kitUrl = pathToFileURL(join(import.meta.dirname, 'kit.mjs')).href

/** Who asks for a run at this moment: nobody else may. */
export class Witness {
  readonly faults: string[] = []
  readonly #out = new Map<string, Set<AbortSignal>>()

  /** A model that notes each request before it is asked. `isDead`: nothing of this world counts any more. */
  watch(model: Model, { folder }: StormPlace, isDead: () => boolean): Model {
    return {
      ask: async (request, tell, signal) => {
        if (isDead()) return new Promise(() => {})
        const { runId } = request
        appendFileSync(asksOf(folder), `${runId}\n`)
        const others = this.#out.get(runId) ?? new Set()
        if ([...others].some(other => !other.aborted)) this.faults.push(`${runId} was at work twice`)
        this.#out.set(runId, others.add(signal))
        try {
          return await model.ask(request, tell, signal)
        } finally {
          others.delete(signal)
        }
      },
    }
  }

  /** A host that is dead has nothing out. */
  forget(): void {
    this.#out.clear()
  }
}

export function openProcessWorld(
  store: RunStore,
  chance: Chance,
  owner: Owner,
  place: StormPlace,
  witness: Witness,
): ProcessWorld {
  let isDead = false
  const mark = `${place.mark}/${owner.id.replaceAll(' ', '-')};`
  const processes = createRunProcesses({
    program: place.program,
    blockedMs: 1_500,
    source: { ...process.env, TZ: mark },
  })
  const unlessDead: RunProcesses = {
    ...processes,
    // What a dead host was about to start is not started.
    start: order => (isDead ? neverUp : processes.start(order)),
  }
  const shells = createShells()
  const tools = toolsOf(place, shells)
  const inProcess = { executionMode: 'process' } as const
  const world = openMemoryWorld(store, chance, owner, {
    clock: place.speed === 1 ? undefined : quickClock(place.speed),
    isSound: place.isSound,
    model: faulty => witness.watch(faulty, place, () => isDead),
    tools,
    processes: unlessDead,
    agents: agentsOf(inProcess, inProcess).map(agent => (agent.name === 'worker' ? { ...agent, ...inProcess } : agent)),
    policy: {
      cwd: place.folder,
      maxDescendants: 6,
      concurrency: chance.between(2, 4),
      ...(place.isAll && inProcess),
      treeBudget: { tokens: 6_000 },
    },
  })
  const shutUp = () => Promise.all([processes.close(), shells.close()])
  return {
    ...world,
    mark,
    async kill() {
      isDead = true
      await world.kill()
      await shutUp()
      witness.forget()
    },
    async close(how) {
      await world.close(how)
      await shells.close()
    },
  }
}

const never = new Promise<never>(() => {})
const neverUp: RunProcess = {
  call: () => never,
  tell: () => {},
  hurry: () => {},
  end: () => never,
  ended: never,
}

/** What `kit.mjs` makes, for a run that is driven in the host, and commands. */
function toolsOf({ folder, kit }: StormPlace, shells: ReturnType<typeof createShells>): readonly Tool[] {
  const options = { marks: marksOf(folder) }
  const write: Tool = {
    spec: { name: 'Write', description: 'Write.', inputSchema: { type: 'object' }, effect: 'write' },
    run: async (_, { runId, callId }) => {
      appendFileSync(options.marks, `${runId} ${callId}\n`)
      return { content: 'written' }
    },
  }
  const read: Tool = {
    spec: { name: 'Read', description: 'Read.', inputSchema: { type: 'object' }, effect: 'read' },
    run: async () => ({ content: 'a line' }),
  }
  const bash = createWorkspaceTools({ shells }).find(({ spec }) => spec.name === 'Bash')!
  return [
    ...[write, read, ...faultyTools()].map(tool => ({ ...tool, portable: { module: kit, options } })),
    { ...bash, portable: { module: 'offshoot:workspace' } },
  ]
}

const marksOf = (folder: string) => join(folder, 'marks.txt')
const asksOf = (folder: string) => join(folder, 'asks.txt')

/** How often each line of what was noted stands there. */
function counts(path: string): ReadonlyMap<string, number> {
  const count = new Map<string, number>()
  let text = ''
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return count
  }
  for (const line of text.split('\n').filter(Boolean)) count.set(line, (count.get(line) ?? 0) + 1)
  return count
}

/** How often each call of `Write` was done, by run and call. */
export const effectsIn = ({ folder }: StormPlace) => counts(marksOf(folder))
/** How many requests left for each run. */
export const asksIn = ({ folder }: StormPlace) => counts(asksOf(folder))

export const databaseIn = ({ folder }: StormPlace): string => join(folder, 'runs.db')
