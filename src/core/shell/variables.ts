/** Variables that change which program runs, what it loads, or where it looks for its orders. */
import { isCertain } from '../text/glob.js'

export function isDangerousVariable(name: string, value?: string): boolean {
  // A language with a slash in it is a path to a catalogue of texts, which programs print by.
  if (name === 'LANGUAGE') return value !== undefined && (!isCertain(value) || value.includes('/'))
  if (value !== undefined && isHarmlessValue(name, value)) return false
  return dangerous.test(name) && !harmless.test(name) && !ordinary.test(name)
}

/** Whatever else the variable may do, with this value it runs nothing: no pager, an editor that leaves all as it is, a date. */
export function isHarmlessValue(name: string, value: string): boolean {
  if (!isCertain(value)) return false
  if (/^(GIT_)?PAGER$/.test(name)) return value === '' || value === 'cat'
  if (/^(GIT_(SEQUENCE_)?)?EDITOR$/.test(name)) return value === 'true' || value === ':'
  if (/^GIT_(AUTHOR|COMMITTER)_(DATE|NAME|EMAIL)$/.test(name)) return true
  if (name === 'NODE_OPTIONS') return plainNodeOptions.test(value)
  return name === 'GIT_TERMINAL_PROMPT' && /^[01]$/.test(value)
}

/** How much memory it takes, and what it says besides. */
const plainNodeOptions =
  /^(\s*--(max-old-space-size=\d+|no-warnings|no-deprecation|trace-warnings|trace-deprecation|trace-uncaught|enable-source-maps))*\s*$/

/** Known to change how output looks and nothing else. */
export function isHarmlessVariable(name: string): boolean {
  return harmless.test(name)
}

/**
 * May be set for a command that a rule allows without the rule naming it: it chooses colours, words, a mode or a target.
 * Any other may be the one by which a program is told what to load or to run (`OPENSSL_CONF`, `PYTEST_PLUGINS`). Of
 * families only the names are guessed at, so their value has to be plain.
 */
export function isOrdinaryVariable(name: string, hasPlainValue: boolean): boolean {
  if (harmless.test(name) || ordinary.test(name)) return true
  const mayLoad = [name, name.toUpperCase()].some(text => dangerous.test(text) || asked.test(text))
  return hasPlainValue && families.test(name) && !mayLoad
}

/** Nothing in it that a program or a shell could take for an expression or for several words. */
export function isPlainValue(text: string): boolean {
  return /^[\w.:/,-]*$/.test(text)
}

const ordinary = new RegExp(
  `^(${[
    'FOO|BAR|BAZ|DEBUG|VERBOSE|QUIET|SILENT|LOG_LEVEL|LOGLEVEL|PORT|TERM|COLORTERM|NO_UPDATE_NOTIFIER',
    '(NODE|APP|RAILS|RACK|MIX|FLASK|BABEL|DENO|GO)_ENV|NODE_NO_WARNINGS|NODE_DISABLE_COLORS|SOURCE_DATE_EPOCH',
    'RUST_BACKTRACE|RUST_LOG|CARGO_TERM_COLOR|GOOS|GOARCH|CGO_ENABLED|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|PYTHONHASHSEED',
    'PY_COLORS|CLICOLOR|NPM_CONFIG_LOGLEVEL|npm_config_loglevel|HUSKY',
    'HOST|MODE|STAGE|ENVIRONMENT|TEST_ENV|HEADLESS|ANALYZE|STORYBOOK|DO_NOT_TRACK|CUDA_VISIBLE_DEVICES',
    'GOMAXPROCS|CARGO_INCREMENTAL|DOCKER_BUILDKIT|SQLX_OFFLINE|RUST_TEST_THREADS|OMP_NUM_THREADS',
  ].join('|')})$`,
)

/** Text that is built in, numbers, and switches. */
const families =
  /^((VITE|NEXT_PUBLIC|REACT_APP|NUXT_PUBLIC|EXPO_PUBLIC)_\w+|\w+_(THREADS|WORKERS|DISABLED)|(SKIP|UPDATE)_\w+)$/

/** Never ordinary by their family. */
const asked = /^(\w+_TOKEN|PYTEST_\w+|COMPOSE_\w+)$/

const harmless =
  /^(LANG|LANGUAGE|LC_[A-Z]+|TZ|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|COLUMNS|LINES|CI|NODE_ENV|GIT_OPTIONAL_LOCKS)$/

const dangerous = new RegExp(
  `^(${[
    'PATH|HOME|PWD|OLDPWD|SHELL|IFS|ENV|CDPATH|FPATH|GLOBIGNORE|TMPDIR|USER|LOGNAME|TERMINFO.*|TERMCAP|.*POSIX.*',
    'LD_.*|DYLD_.*|LOCPATH|NLSPATH|TEXTDOMAIN.*|GCONV_PATH|MALLOC_.*|HOSTALIASES|RES_OPTIONS',
    'BASH.*|SHELLOPTS|PS[0-4]|PROMPT_COMMAND|HIST.*|INPUTRC|ZDOTDIR|EXECIGNORE|OPTARG|OPTIND|RANDOM',
    'GIT_.*|SSH_.*|GPG_.*|GNUPGHOME|HG.*|SVN_.*',
    'NODE_.*|NPM_.*|npm_.*|YARN_.*|PNPM_.*|BUN_.*|DENO_.*|TS_NODE_.*|ELECTRON_.*',
    'PYTHON.*|PIP_.*|VIRTUAL_ENV|PERL.*|RUBY.*|GEM_.*|BUNDLE_.*|LUA_.*|PHP.*|R_.*',
    // What commands are given of our environment, so setting it is exporting it.
    '.*_HOME|NVM_.*|CONDA_.*|PKG_CONFIG.*|PYENV_.*|RBENV_.*|ASDF_.*|MISE_.*',
    'DOTNET_.*|CORECLR_.*|COR_.*|JAVA_.*|_JAVA_.*|JDK_.*|MAVEN_.*|GRADLE_.*|CLASSPATH|GO[A-Z]+|CARGO_.*|RUST.*',
    'CC|CXX|CPP|LD|AR|AS|CFLAGS|CXXFLAGS|LDFLAGS|MAKE.*|MAKEFLAGS|CMAKE_.*',
    'GCC_EXEC_PREFIX|COMPILER_PATH|LIBRARY_PATH|CPATH|.*_INCLUDE_PATH|DEPENDENCIES_OUTPUT|SUNPRO_DEPENDENCIES',
    'CCACHE_(PREFIX.*|COMPILER|CONFIGPATH|PATH)',
    '.*PAGER|.*EDITOR|VISUAL|BROWSER|LESS.*|MAN.*|MORE|OPENER|EXINIT|VIMINIT|MYVIMRC',
    '.*_proxy|.*_PROXY|CURL_.*|WGETRC|SSL.*|OPENSSL_.*|REQUESTS_CA_BUNDLE|NETRC',
    'BAT_(OPTS|CONFIG_.*)|FZF_.*_(COMMAND|OPTS|OPTS_FILE)|AG_OPTIONS|ACK_OPTIONS|ACKRC|MAGIC|MAGICK_.*_PATH',
    'GREP_.*|RIPGREP_.*|TAR_.*|RSYNC_.*|UNZIP.*|ZIPOPT|GZIP|BZIP|XZ_.*|JQ_.*|SUDO_.*|TMUX|SCREENRC',
    'XDG_.*|AWS_.*|AZURE_.*|GOOGLE_.*|GCP_.*|DOCKER_.*|KUBE.*|VAULT_.*|TF_.*',
    'OFFSHOOT.*|CLAUDE.*|ANTHROPIC.*|OPENAI.*|GEMINI.*',
  ].join('|')})$`,
)
