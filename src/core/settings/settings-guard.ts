/**
 * What a project's settings may not decide, trusted or not (its local file counts as the project's: it lies in the
 * same folder, and whoever made the folder may have put it there).
 *
 * 1. Nothing that says where requests or keys go, or where our own state lies.
 * 2. Nothing that loads code into every process we start, or changes which program a name means.
 * 3. Nothing that turns the asking off.
 * 4. Nothing by which the user's money is counted: budgets, and what models cost and hold.
 * What it may decide counts before the user's own, as everywhere; a limit of theirs that it raises is told.
 */
import type { PermissionMode } from '../agent-definition.js'
import { modesStrictestFirst } from '../brief/mode.js'
import { isRecord } from '../record.js'
import { isDangerousVariable } from '../shell/variables.js'
import { isWithin, resolvePath } from '../text/path-text.js'
import type { SettingsFile } from './settings.js'
import { isLimit, knownSetting } from './settings-table.js'

/** Why a project may not set this, or nothing when it may. */
export function whyNotInProject(
  key: string,
  value: unknown,
  { root, realPath = path => path, providerVariables }: Pick<SettingsFile, 'root' | 'realPath' | 'providerVariables'>,
): string | undefined {
  if (knownSetting(key)?.isPersonal) return 'only your own or managed settings may set it'
  const variable = key.startsWith('env.') ? key.slice('env.'.length) : undefined
  if (variable !== undefined && providerVariables?.has(variable.toUpperCase()))
    return 'a project must not change where a model provider is, or what it is sent'
  if (variable !== undefined && isGuardedVariable(variable))
    return 'a project must not change how programs are found, loaded or reached'
  if (key === 'permissions.defaultMode' && value === 'bypassPermissions') return 'a project must not turn approvals off'
  // By anything else the user's own would be gone.
  if ((key === 'models.known' || key === 'models.aliases') && !isRecord(value)) return 'it must be a map of names'
  if (foldersWithin.has(key) && Array.isArray(value)) {
    const isOutside = (directory: unknown) => {
      if (root === undefined) return true
      const path = resolvePath(root, String(directory))
      // A link that the project brings along may lead anywhere.
      return !isWithin(path, root) || !isWithin(realPath(path), realPath(root))
    }
    const outside = value.find(isOutside)
    return outside === undefined ? undefined : `"${outside}" lies outside the project`
  }
  return undefined
}

/** What these open, a project may open only in itself. */
const foldersWithin = new Set(['permissions.additionalDirectories', 'subagents.agentsDirs'])

/** What a project says of models without what they cost and hold: by its figures the user's budget would be counted. */
export function withoutFigures(
  key: string,
  value: unknown,
): { readonly kept: unknown; readonly ignored?: string | undefined } {
  if (key !== 'models.known' || !isRecord(value)) return { kept: value }
  const entries = Object.entries(value)
  const kept = entries.map(([model, said]) => [model, isRecord(said) && 'tier' in said ? { tier: said.tier } : {}])
  const figured = entries.filter(([, said]) => !isRecord(said) || Object.keys(said).some(name => name !== 'tier'))
  const models = figured.slice(0, mostNamed).map(([model]) => `"${model}"`)
  const more = figured.length > mostNamed ? ` and ${figured.length - mostNamed} more` : ''
  const ignored = `"${key}" is ignored but for names and tiers (${models.join(', ')}${more}): only your own or managed settings say what a model costs or holds`
  return { kept: Object.fromEntries(kept), ignored: figured.length > 0 ? ignored : undefined }
}

const mostNamed = 5

/** Whether a limit that a project sets leaves more open than the one that is the user's own. */
export function raises(key: string, theirs: unknown, own: unknown): boolean {
  if (!isLimit(key)) return false
  if (typeof theirs === 'number' && typeof own === 'number') return theirs > own
  if (typeof theirs === 'boolean') return theirs && own === false
  const looseness = (mode: unknown) => modesStrictestFirst.indexOf(mode as PermissionMode)
  return key === 'permissions.defaultMode' && looseness(theirs) > looseness(own)
}

export function isGuardedVariable(name: string): boolean {
  const upper = name.toUpperCase()
  // What a command may not set unasked no project sets for every command.
  if (isDangerousVariable(name) || isDangerousVariable(upper)) return true
  return guardedNames.has(upper) || guardedShapes.some(shape => shape.test(upper))
}

const guardedNames = new Set(
  `PATH HOME USERPROFILE SHELL ENV BASH_ENV BASHOPTS SHELLOPTS ZDOTDIR PROMPT_COMMAND PS4 IFS CDPATH
  NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_TLS_REJECT_UNAUTHORIZED NODE_REPL_EXTERNAL_MODULE
  PYTHONPATH PYTHONSTARTUP PYTHONHOME PYTHONINSPECT PERL5OPT PERL5LIB PERLLIB RUBYOPT RUBYLIB
  JAVA_TOOL_OPTIONS _JAVA_OPTIONS CLASSPATH GCONV_PATH EDITOR VISUAL PAGER BROWSER
  SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE NO_PROXY TMPDIR TEMP TMP`.split(/\s+/),
)
const guardedShapes = [
  /^OFFSHOOT_/,
  /^CLAUDE_(CONFIG|CODE)_/,
  /^XDG_/,
  /^(LD|DYLD)_/,
  /^BASH_FUNC_/,
  /^(GIT|SSH|NPM_CONFIG|YARN|PIP|UV)_/,
  /_PROXY$/,
  /(BASE_?URL|ENDPOINT|API_?HOST)$/,
  /(API_?KEY|AUTH_?TOKEN|ACCESS_?KEY|SECRET)/,
  /^(AWS|GOOGLE|AZURE|VERTEX|BEDROCK|ANTHROPIC|OPENAI|GEMINI)_/,
]
