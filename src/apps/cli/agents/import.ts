/**
 * `agents import PATH`: another product's file as one of ours, and what could not be carried over. As with `new`, the name
 * of a built-in agent has to be meant.
 */
import { existsSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { makeDirectories } from '../../../adapters/os/make-directories.js'
import { parsers } from '../../../adapters/sources/parsers.js'
import { readBounded } from '../../../adapters/sources/read-bounded.js'
import { type FileReading, readAgentFile } from '../../../core/agent-file/read-agent-file.js'
import { writeAgentFile } from '../../../core/agent-file/write-agent-file.js'
import { slugOf } from '../../../core/text/nearest.js'
import { commandLine } from '../../../core/text/shell-word.js'
import { diagnosticText, type Output, printable, shortPath } from './output.js'
import { whyTaken } from './taken-name.js'

export async function importAgent(
  path: string,
  options: { readonly to?: string; readonly print?: boolean; readonly force?: boolean },
  deps: Output,
): Promise<number> {
  const full = resolve(deps.cwd, path)
  const read = readBounded(full)
  if ('fault' in read) {
    deps.warn(`offshoot: ${path}: ${read.message}\n`)
    return 2
  }
  const reading = readAgentFile(
    { path: full, content: read.bytes, source: { scope: 'user', isTrusted: true } },
    parsers,
  )
  reportLosses(reading, deps)
  const sound = reading.agents.flatMap(({ agent, usual = [] }) =>
    agent && agent.quarantine === undefined ? [{ agent, usual }] : [],
  )
  if (sound.length === 0) {
    deps.warn(
      `offshoot: ${path}: nothing was imported; to see why: ${commandLine('offshoot', 'agents', 'lint', '--all', path)}\n`,
    )
    return 1
  }
  const left = reading.agents.length - sound.length
  if (left > 0)
    deps.warn(
      `offshoot: ${path}: ${left} of ${reading.agents.length} agents cannot be read for certain, and were left out\n`,
    )
  let code = left > 0 ? 1 : 0
  let isSaved = false
  for (const { agent, usual } of sound) {
    const text = writeAgentFile(agent)
    if (usual.length > 0)
      deps.warn(
        `${agent.name}: added, since files of this kind mean it without saying so: ${linesOf(text, usual).join(', ')}\n`,
      )
    if (options.print) deps.write(text)
    else {
      const saved = await save(agent.name, text, options, deps)
      isSaved ||= saved === 0
      code = Math.max(code, saved)
    }
  }
  if (isSaved && options.to === undefined)
    deps.warn('What was imported acts once the folder is trusted as it is now: offshoot trust\n')
  return code
}

async function save(
  name: string,
  text: string,
  options: { readonly to?: string; readonly force?: boolean },
  deps: Output,
): Promise<number> {
  const taken = options.force ? undefined : await whyTaken(name)
  if (taken !== undefined) {
    deps.warn(`offshoot: ${taken}\n`)
    return 2
  }
  const folder = resolve(deps.cwd, options.to ?? join('.offshoot', 'agents'))
  const path = join(folder, `${slugOf(name) || 'agent'}.md`)
  if (existsSync(path) && !options.force) {
    deps.warn(`offshoot: ${shortPath(path, deps.cwd)} exists already; --force replaces it.\n`)
    return 1
  }
  makeDirectories(folder)
  writeFileSync(path, text, options.force ? {} : { flag: 'wx' })
  deps.write(`${shortPath(path, deps.cwd)}\n`)
  return 0
}

/** The front matter comes first, so that a line of the prompt is never meant. */
function linesOf(text: string, keys: readonly string[]): readonly string[] {
  const lines = text.split('\n')
  return keys.flatMap(key => lines.find(line => line.startsWith(`${key}:`)) ?? [])
}

function reportLosses(reading: FileReading, deps: Output): void {
  for (const each of reading.diagnostics) if (each.severity !== 'info') deps.warn(diagnosticText(each, deps))
  for (const { agent } of reading.agents) {
    const keys = Object.keys(agent?.extra ?? {})
    if (keys.length > 0)
      deps.warn(`${agent!.name}: kept as they are, though nothing here reads them: ${printable(keys.join(', '))}\n`)
  }
}
