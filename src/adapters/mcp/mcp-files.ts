/**
 * Which MCP servers are configured: settings of every scope, and the project's `.mcp.json`. The first of a name counts,
 * also where it is switched off or cannot be used. But a project's takes no name of a server of the user's own: rules
 * about that name were made for theirs.
 */
import { join } from 'node:path'
import { type McpServer, readMcpServers } from '../../core/mcp/mcp-config.js'
import type { Diagnostic } from '../../core/ports.js'
import { isRecord } from '../../core/record.js'
import { isByProject, type Setting, type Settings, settingsIn } from '../../core/settings/settings.js'
import { didYouMean } from '../../core/text/nearest.js'
import { canonicalJson } from '../../core/text/text.js'
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
  const own = ownServers(options.settings)
  const add = (value: unknown, origin: string, isPersonal: boolean) => {
    const read = readMcpServers(value, { origin, isPersonal })
    diagnostics.push(...read.diagnostics)
    const isFree = (name: string) => !unused.has(name) && !found.some(other => other.name === name)
    const free = read.servers.filter(({ name }) => isFree(name))
    const displacing = isPersonal ? [] : free.filter(({ name }) => own.some(other => other.name === name))
    diagnostics.push(...displacing.flatMap(server => nameTaken(server, own)))
    const [servers, off] = [free.filter(server => !displacing.includes(server)), read.unused.filter(isFree)]
    found.push(...servers)
    for (const name of off) unused.add(name)
  }
  for (const path of options.commandLine ?? []) {
    const file = await readJson(path, {}, diagnostics)
    if (file) add(serversIn(file.value, path, diagnostics), path, true)
  }
  const settings = settingsIn(options.settings, 'mcpServers')
  for (const { origin, scope, servers } of byFile(settings.filter(each => each.scope !== 'user')))
    add(servers, origin, !isByProject({ scope }))
  const project = await readProjectFile(options, diagnostics)
  if (project?.value !== undefined) add(serversIn(project.value, project.path, diagnostics), project.path, false)
  for (const { origin, servers } of byFile(usersOwn(options.settings))) add(servers, origin, true)
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

/** Those of the user's files, also where a project's file has the same key. */
function usersOwn({ values, overridden }: Settings): readonly (Setting & { readonly name: string })[] {
  const isUsers = ({ key, scope }: Setting) => scope === 'user' && key.startsWith(section)
  const all = [...values, ...overridden].filter(isUsers)
  const first = all.filter(({ key }, at) => all.findIndex(other => other.key === key) === at)
  return first.map(each => ({ ...each, name: each.key.slice(section.length) }))
}

const section = 'mcpServers.'

interface OwnServer extends Partial<Pick<McpServer, 'transport'>> {
  readonly name: string
  readonly origin: string
}

/** Those that are switched off or cannot be used have their names, too. */
const ownServers = (settings: Settings): readonly OwnServer[] =>
  byFile(usersOwn(settings)).flatMap(({ origin, servers }) => {
    const read = readMcpServers(servers, { origin, isPersonal: true })
    return [...read.servers, ...read.unused.map(name => ({ name, origin }))]
  })

/** The same server, said once more, is no news. */
function nameTaken(server: McpServer, own: readonly OwnServer[]): readonly Diagnostic[] {
  const { name, origin, transport, onlyTools, withoutTools } = server
  const mine = own.find(other => other.name === name)!
  const isSame = mine.transport !== undefined && canonicalJson(transport) === canonicalJson(mine.transport)
  if (isSame && onlyTools === undefined && withoutTools === undefined) return []
  const message = `the MCP server "${name}" is left out: one of your own is called so (${mine.origin}), and rules about that name are about yours`
  const hint = 'give one of them another name'
  return [{ code: 'mcp-name-taken', severity: 'warning', message, file: origin, hint }]
}

/** What a file has under `mcpServers`; what may have been meant so is told. */
function serversIn(value: unknown, file: string, diagnostics: Diagnostic[]): unknown {
  const say = (message: string, hint?: string) =>
    void diagnostics.push({ code: 'mcp-config-invalid', severity: 'warning', message, file, ...(hint && { hint }) })
  if (!isRecord(value)) {
    say('its servers are left out: it must be an object with "mcpServers"')
    return {}
  }
  const keys = Object.keys(value).filter(key => key !== 'mcpServers')
  const meant = keys.filter(key => key === 'servers' || didYouMean(key, ['mcpServers']) !== undefined)
  for (const key of meant.slice(0, 5))
    say(`nobody reads "${key}" here, so its servers are left out`, 'did you mean "mcpServers"?')
  if ('mcpServers' in value) return value.mcpServers
  if (meant.length === 0 && keys.length > 0) say('it has no "mcpServers", so it brings no server')
  return {}
}

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
    hint: `read ${path}, then trust the folder: offshoot trust, or \`trustsProject\` in code`,
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
