/** `offshoot agents …` in a folder of its own, with a home in it. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Command } from 'commander'
import { openAgentsOnDisk } from '../../src/adapters/sources/agents-on-disk.js'
import { registerAgentsCommands } from '../../src/apps/cli/agents/agents-command.js'
import type { TerminalRoom } from '../../src/apps/cli/agents/output.js'
import { prepareOrRefuse } from './prepare.js'

export interface Said {
  readonly out: string
  readonly err: string
  readonly code: number
}

export interface AgentsProgram {
  readonly root: string
  put(path: string, text: string): string
  run(...words: readonly string[]): Promise<Said>
  runOn(terminal: TerminalRoom, ...words: readonly string[]): Promise<Said>
  remove(): void
}

export function agentsProgram(): AgentsProgram {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'offshoot-agents-')))
  const put = (path: string, text: string) => {
    const full = join(root, path)
    mkdirSync(dirname(full), { recursive: true })
    writeFileSync(full, text)
    return full
  }
  put('.git/HEAD', '')
  return {
    root,
    put,
    run: (...words) => runIn(root, undefined, words),
    runOn: (terminal, ...words) => runIn(root, terminal, words),
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

export async function runIn(root: string, terminal: TerminalRoom | undefined, words: readonly string[]): Promise<Said> {
  let [out, err, code] = ['', '', -1]
  const env = { HOME: join(root, 'home'), XDG_CONFIG_HOME: join(root, 'home/.config') }
  const program = new Command('offshoot').exitOverride()
  registerAgentsCommands(program, {
    cwd: root,
    userAgentsDir: join(root, 'home/.config/offshoot/agents'),
    write: text => {
      out += text
    },
    warn: text => {
      err += text
    },
    setExitCode: given => {
      code = given
    },
    ...(terminal && { terminal }),
    loadAgents: () => openAgentsOnDisk({ cwd: root, env }).load(),
    prepareBrief: (task, catalog) => prepareOrRefuse(task, catalog),
  })
  await program.parseAsync(['node', 'offshoot', 'agents', ...words])
  return { out, err, code }
}
