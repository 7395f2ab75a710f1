/**
 * What the commands, hooks and servers we start get to see of our environment: a list of what is known to be harmless
 * and needed, not everything less what looks secret. A name that looks like a secret passes only when it is named.
 */
import { homeDirectory } from './directories.js'

/** What passes beside the harmless. */
export interface EnvironmentOptions {
  /** Further names to pass on; a trailing `*` is a prefix. */
  readonly allow?: readonly string[]
  readonly set?: Readonly<Record<string, string>>
  /** Names that pass in no case: variables in which settings say a provider's key is. */
  readonly withheld?: readonly string[]
}

/**
 * What a command may see of an environment: a short list of harmless variables, those named in `allow`, and `set`.
 * Keys never pass unnamed.
 */
export function commandEnvironment(
  source: Readonly<Record<string, string | undefined>>,
  { allow = [], set = {}, withheld = [] }: EnvironmentOptions = {},
): Record<string, string> {
  const passed: Record<string, string> = {}
  for (const [name, value] of Object.entries(source)) {
    if (value === undefined || withheld.includes(name)) continue
    if (allow.includes(name) || (isPassed(name, value, allow) && !looksSecret(name))) passed[name] = value
  }
  // As rules are judged: an empty or relative one would lead a shell's `~` elsewhere.
  if (passed.HOME !== undefined) passed.HOME = homeDirectory(passed)
  return { ...passed, ...quiet, ...set }
}

/** No pager, no prompt, no editor: nobody sits at the terminal of a child. And no monitor that a repository names. */
const quiet = {
  TERM: 'dumb',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'true',
  GIT_TERMINAL_PROMPT: '0',
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'core.fsmonitor',
  GIT_CONFIG_VALUE_0: 'false',
}

const names = new Set(
  `PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TMPDIR TEMP TMP HOSTNAME CI NO_COLOR COLUMNS
  NODE_ENV NVM_DIR NVM_BIN VIRTUAL_ENV CONDA_PREFIX CONDA_DEFAULT_ENV PYTHONPATH GOPATH GOROOT GOBIN GOFLAGS
  RUSTUP_TOOLCHAIN DOTNET_ROOT PKG_CONFIG_PATH LD_LIBRARY_PATH DYLD_LIBRARY_PATH CC CXX CFLAGS CXXFLAGS LDFLAGS
  MAKEFLAGS SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS REQUESTS_CA_BUNDLE NO_PROXY no_proxy
  SYSTEMROOT COMSPEC PATHEXT WINDIR APPDATA LOCALAPPDATA PROGRAMFILES`.split(/\s+/),
)
const patterns = [/^LC_/, /^XDG_/, /^[A-Z0-9_]+_HOME$/, /^PYENV_/, /^RBENV_/, /^ASDF_/, /^MISE_/]
const proxies = /^(https?|all)_proxy$/i

function isPassed(name: string, value: string, allow: readonly string[]): boolean {
  if (name.startsWith('OFFSHOOT_')) return false
  // A proxy with a password in its address is a secret.
  if (proxies.test(name)) return !value.includes('@')
  if (names.has(name) || patterns.some(pattern => pattern.test(name))) return true
  return allow.some(wanted => wanted.endsWith('*') && name.startsWith(wanted.slice(0, -1)))
}

function looksSecret(name: string): boolean {
  return /KEY|TOKEN|SECRET|PASSW|CREDENTIAL|AUTH|COOKIE|SESSION|PRIVATE/i.test(name) && name !== 'XDG_SESSION_TYPE'
}
