/** `agents new NAME`: a file to start from. No file is replaced, and a name that another agent has needs to be meant. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parsers } from '../../../adapters/sources/parsers.js'
import { nameFault, placeholderDescription } from '../../../core/agent-file/fields/word-fields.js'
import { readAgentFile } from '../../../core/agent-file/read-agent-file.js'
import { entryLines } from '../../../core/agent-file/write-agent-file.js'
import { slugOf } from '../../../core/text/nearest.js'
import { whatIsInTheWay } from './broken-link.js'
import { type AgentsOutput, diagnosticText, shortPath } from './output.js'
import { projectAgents } from './project-folder.js'
import { whyTaken } from './taken-name.js'
import { writeAgentText } from './write-file.js'

export interface NewDeps extends AgentsOutput {
  readonly userAgentsDir: string
}

export interface NewOptions {
  readonly user?: boolean
  readonly description?: string
  readonly tools?: string
  readonly force?: boolean
}

export async function newAgent(name: string, options: NewOptions, deps: NewDeps): Promise<number> {
  const fault =
    nameFault(name.trim()) ?? (plainName.test(name) ? undefined : 'has characters that make a poor file name')
  if (fault !== undefined) {
    deps.warn(`offshoot: The name ${fault}. Use letters, digits, spaces, "-" and "_".\n`)
    return 2
  }
  const folder = options.user ? deps.userAgentsDir : projectAgents(deps.cwd)
  const path = join(folder, `${slugOf(name) || 'agent'}.md`)
  if (existsSync(path)) {
    deps.warn(`offshoot: ${shortPath(path, deps.cwd)} exists already: edit it, or choose another name.\n`)
    return 1
  }
  const obstacle = whatIsInTheWay(path, deps.cwd, options.user)
  if (obstacle !== undefined) {
    deps.warn(`offshoot: ${obstacle}\n`)
    return 1
  }
  const taken = options.force ? undefined : await whyTaken(name, deps)
  if (taken !== undefined) {
    deps.warn(`offshoot: ${taken}\n`)
    return 2
  }
  const text = scaffold(name.trim(), options)
  const reading = readAgentFile({ path, content: text, source: { scope: 'user', isTrusted: true } }, parsers)
  for (const each of reading.diagnostics)
    if (each.code !== 'description-placeholder') deps.warn(diagnosticText(each, deps))
  if (reading.state === 'quarantined') return 2
  if (reading.agents.length === 0) {
    deps.warn(`offshoot: Files of this name are taken for templates, and hold no agent. Choose another name.\n`)
    return 2
  }
  const unwritten = writeAgentText(path, text, { replaces: false, cwd: deps.cwd })
  if (unwritten !== undefined) {
    deps.warn(`offshoot: ${unwritten}\n`)
    return 1
  }
  deps.write(`${shortPath(path, deps.cwd)}\n`)
  const isToWrite = options.description === undefined ? 'say in it when a task should go to it, and ' : ''
  deps.warn(
    options.user
      ? `Now ${isToWrite}write its prompt.\n`
      : `Now ${isToWrite}write its prompt. It acts once it is trusted as it is then: offshoot trust\n`,
  )
  return 0
}

const plainName = /^[\p{L}\p{N} ._-]+$/u

function scaffold(name: string, options: NewOptions): string {
  const description = options.description ?? placeholderDescription(name)
  const tools = options.tools === undefined ? ['Read', 'Grep', 'Glob'] : options.tools
  return [
    '---',
    ...entryLines('name', name, 0),
    ...entryLines('description', description, 0),
    '# Leave tools out to give it all the tools its caller has.',
    ...entryLines('tools', tools, 0),
    'model: inherit',
    '---',
    '',
    `You are ${name}. Say here what the agent does, how it should go about it, and what its report should contain:`,
    'its last message is the only thing its caller sees.',
    '',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of agent files
    'Working directory: ${cwd}',
    '',
  ].join('\n')
}
