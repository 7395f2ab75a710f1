/**
 * Which MCP servers are configured: settings of every scope, and the project's `.mcp.json`. The first of a name counts,
 * also where it is switched off or cannot be used.
 */
import { join } from 'node:path'
import { type McpServer, readMcpServers } from '../../core/mcp-config.js'
import type { Diagnostic } from '../../core/ports.js'
import { type Setting, type Settings, settingsIn } from '../../core/settings.js'
import { readGuardedFile } from '../sources/guarded-file.js'
import type { TrustStore } from '../sources/trust.js'

export interface McpFilesOptions {
  /** Where `.mcp.json` is looked for; absent: nowhere. */
  readonly projectDir?: string
  readonly settings: Settings
  readonly trust: Pick<TrustStore, 'isTrusted'>
  /** `--mcp-config`: files of the user's choice. */
  readonly commandLine?: readonly string[]
  /** Servers of plugins somebody agreed to. */
  readonly plugins?: readonly { readonly origin: string; readonly servers: unknown }[]
}

export interface ConfiguredServers {
  readonly servers: readonly McpServer[]
  /** Names that are configured and not used: no agent's own server takes one. */
  readonly unused: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
  /** The project's file as it is now, for whoever asks a person to trust it. */
  readonly file?: { readonly path: string; readonly hash: string; readonly isTrusted: boolean }
}

const maxBytes = 1024 * 1024

export async function loadMcpServers(options: McpFilesOptions): Promise<ConfiguredServers> {
  const diagnostics: Diagnostic[] = []
  const found: McpServer[] = []
  const unused = new Set<string>()
  const add = (value: unknown, origin: string, isPersonal: boolean) => {
    const read = readMcpServers(value, { origin, isPersonal })
    diagnostics.push(...read.diagnostics)
    const isFree = (name: string) => !unused.has(name) && !found.some(other => other.name === name)
    const [servers, off] = [read.servers.filter(({ name }) => isFree(name)), read.unused.filter(isFree)]
    found.push(...servers)
    for (const name of off) unused.add(name)
  }
  for (const path of options.commandLine ?? []) {
    const file = await readJson(path, {}, diagnostics)
    if (file) add(serversIn(file.value), path, true)
  }
  const settings = settingsIn(options.settings, 'mcpServers')
  const isProjects = (scope: string) => scope === 'project' || scope === 'local'
  for (const { origin, scope, servers } of byFile(settings.filter(each => each.scope !== 'user')))
    add(servers, origin, !isProjects(scope))
  const project = await readProjectFile(options, diagnostics)
  if (project?.value !== undefined) add(serversIn(project.value), project.path, false)
  for (const { origin, servers } of byFile(settings.filter(each => each.scope === 'user'))) add(servers, origin, true)
  for (const { origin, servers } of options.plugins ?? []) add(servers, origin, false)
  return {
    servers: found,
    unused: [...unused],
    diagnostics,
    ...(project && { file: { path: project.path, hash: project.hash, isTrusted: project.value !== undefined } }),
  }
}

/** Together, so that two names of one file that become one are seen. */
function byFile(settings: readonly (Setting & { readonly name: string })[]) {
  const files = [...new Set(settings.map(({ origin }) => origin))]
  return files.map(origin => {
    const own = settings.filter(each => each.origin === origin)
    return { origin, scope: own[0]!.scope, servers: Object.fromEntries(own.map(({ name, value }) => [name, value])) }
  })
}

const serversIn = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'mcpServers' in value ? value.mcpServers : {}

async function readProjectFile(
  { projectDir, trust }: McpFilesOptions,
  diagnostics: Diagnostic[],
): Promise<{ readonly path: string; readonly hash: string; readonly value?: unknown } | undefined> {
  if (projectDir === undefined) return undefined
  const path = join(projectDir, '.mcp.json')
  const file = await readJson(path, { within: [projectDir], mustBeOurs: true }, diagnostics)
  if (!file) return undefined
  if (trust.isTrusted(projectDir, file.hash, path)) return { path, hash: file.hash, value: file.value }
  diagnostics.push({
    code: 'mcp-untrusted',
    severity: 'warning',
    message: 'its servers are not started: this file, as it is now, is not trusted',
    file: path,
    hint: `read ${path}, then trust the folder with: offshoot trust`,
  })
  return { path, hash: file.hash }
}

async function readJson(
  path: string,
  guard: { readonly within?: readonly string[]; readonly mustBeOurs?: boolean },
  diagnostics: Diagnostic[],
): Promise<{ readonly value: unknown; readonly hash: string } | undefined> {
  const say = (code: string, message: string) =>
    void diagnostics.push({ code, severity: 'warning', message, file: path })
  const read = await readGuardedFile(path, { maxBytes, ...guard })
  if (!read) return undefined
  if ('fault' in read) {
    say(`mcp-${read.code}`, `its servers are left out: ${read.fault}`)
    return undefined
  }
  try {
    return { value: JSON.parse(read.text), hash: read.hash }
  } catch {
    say('mcp-no-json', 'its servers are left out: it is no valid JSON')
    return undefined
  }
}
