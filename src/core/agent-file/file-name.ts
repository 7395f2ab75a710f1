/** What the name of an agent file says: how it ends, and what the agent is called if nothing else does. */

export function extensionOf(path: string): string {
  const base = baseOf(path)
  const dot = base.lastIndexOf('.')
  return dot < 0 ? '' : base.slice(dot + 1).toLowerCase()
}

const agentExtensions: readonly string[] = ['md', 'yaml', 'yml', 'toml', 'json']

/** Whether a file of that name may hold agents. */
export function isAgentFileName(path: string): boolean {
  return agentExtensions.includes(extensionOf(path)) || isModesFile(path)
}

/** Roo Code's lists of modes, of a project and of a user. */
export function isModesFile(path: string): boolean {
  return /^(?:\.roomodes|(?:cline_)?custom_modes\.(?:ya?ml|json))$/i.test(baseOf(path))
}

/** `reviewer.agent.md` is `reviewer`. */
export function stemOf(path: string): string {
  const stem = withoutEnd(baseOf(path))
  return marked.has(extensionOf(stem)) ? withoutEnd(stem) : stem
}

/** What an agent of that file is called where nothing else names it. */
export function nameByFile(path: string, prefix?: string): string {
  return prefix === undefined ? stemOf(path) : `${prefix}:${stemOf(path)}`
}

/** `reviewer.agent.md`: an agent by its name, of which Copilot takes all for the prompt where it has no front matter. */
export function isNamedAgentFile(path: string): boolean {
  return /\.(?:agent|chatmode)\.md$/i.test(path)
}

/** What opencode calls an agent in a folder of its folder of agents: `review/security`. Undefined for the others. */
export function nestedNameOf(path: string): string | undefined {
  const [, below] = /(?:^|[/\\])(?:\.opencode|\.config[/\\]opencode)[/\\]agents?[/\\](.+)[/\\]/.exec(path) ?? []
  return below === undefined ? undefined : `${below.replaceAll('\\', '/')}/${stemOf(path)}`
}

/** A product's folder of agents. */
export function isAmongAgents(path: string): boolean {
  return /(?:^|[/\\])\.[\w-]+[/\\](?:[\w-]+[/\\])?agents?[/\\]/.test(path)
}

const marked: ReadonlySet<string> = new Set(['agent', 'chatmode'])

function withoutEnd(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot < 0 || dot === name.length - 1 ? name : name.slice(0, dot)
}

export function baseOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}

/**
 * What the table of a data file is, where its folder says so: an agent, its settings, or its prompt. In YAML and JSON
 * elsewhere, but in our own folders, it may be a list of agents that stand in other files.
 */
export function structureKind(path: string): 'head' | 'role' | 'prompt' | 'data' | undefined {
  const extension = extensionOf(path)
  if (!extension.startsWith('y')) {
    if (namedByFile.test(path)) return 'head'
    if (rolesFolder.test(path)) return 'role'
    if (extension === 'toml') return codexRole.test(path) ? 'prompt' : undefined
  }
  return isData(path) ? 'data' : undefined
}

export function isData(path: string): boolean {
  return /^(?:json|ya?ml)$/.test(extensionOf(path)) && !ownFolder.test(path)
}

const ownFolder = /(?:^|[/\\])(?:\.offshoot|offshoot[/\\]agents)[/\\]/

const namedByFile = /(?:^|[/\\])(?:\.kiro[/\\]agents|\.?amazonq[/\\]cli-agents)[/\\]/
/** A role, whatever its prompt is called; not the settings that register it. */
const codexRole = /(?:^|[/\\])\.codex[/\\]agents[/\\](?:.*[/\\])?(?!config\.toml$)[^/\\]+\.toml$/i
/** Mistral's: settings that a name is given by the file. */
const rolesFolder = /(?:^|[/\\])\.vibe[/\\]agents[/\\]/
