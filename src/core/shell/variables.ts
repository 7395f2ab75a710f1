/** Variables that change which program runs, what it loads, or where it looks for its orders. */

export function isDangerousVariable(name: string): boolean {
  return dangerous.test(name) && !isOrdinaryVariable(name)
}

/** Known to change how output looks and nothing else. */
export function isHarmlessVariable(name: string): boolean {
  return harmless.test(name)
}

/**
 * May be set for a command that a rule allows without the rule naming it: it chooses colours, words, a mode or a target.
 * Any other may be the one by which a program is told what to load or to run (`OPENSSL_CONF`, `PYTEST_PLUGINS`).
 */
export function isOrdinaryVariable(name: string): boolean {
  return harmless.test(name) || ordinary.test(name)
}

const ordinary = new RegExp(
  `^(${[
    'FOO|BAR|BAZ|DEBUG|VERBOSE|QUIET|SILENT|LOG_LEVEL|LOGLEVEL|PORT|TERM|COLORTERM|NO_UPDATE_NOTIFIER',
    '(NODE|APP|RAILS|RACK|MIX|FLASK|BABEL|DENO|GO)_ENV|NODE_NO_WARNINGS|NODE_DISABLE_COLORS|SOURCE_DATE_EPOCH',
    'RUST_BACKTRACE|RUST_LOG|CARGO_TERM_COLOR|GOOS|GOARCH|CGO_ENABLED|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|PYTHONHASHSEED',
    'PY_COLORS|CLICOLOR|NPM_CONFIG_LOGLEVEL|npm_config_loglevel|HUSKY',
  ].join('|')})$`,
)

const harmless =
  /^(LANG|LANGUAGE|LC_[A-Z]+|TZ|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|COLUMNS|LINES|CI|NODE_ENV|GIT_OPTIONAL_LOCKS)$/

const dangerous = new RegExp(
  `^(${[
    'PATH|HOME|PWD|OLDPWD|SHELL|IFS|ENV|CDPATH|FPATH|GLOBIGNORE|TMPDIR|USER|LOGNAME|TERMINFO.*|TERMCAP|.*POSIX.*',
    'LD_.*|DYLD_.*|LOCPATH|NLSPATH|GCONV_PATH|MALLOC_.*|HOSTALIASES|RES_OPTIONS',
    'BASH.*|SHELLOPTS|PS[0-4]|PROMPT_COMMAND|HIST.*|INPUTRC|ZDOTDIR|EXECIGNORE|OPTARG|OPTIND|RANDOM',
    'GIT_.*|SSH_.*|GPG_.*|GNUPGHOME|HG.*|SVN_.*',
    'NODE_.*|NPM_.*|npm_.*|YARN_.*|PNPM_.*|BUN_.*|DENO_.*|TS_NODE_.*|ELECTRON_.*',
    'PYTHON.*|PIP_.*|VIRTUAL_ENV|PERL.*|RUBY.*|GEM_.*|BUNDLE_.*|LUA_.*|PHP.*|R_.*',
    // What commands are given of our environment, so setting it is exporting it.
    '.*_HOME|NVM_.*|CONDA_.*|PKG_CONFIG.*|PYENV_.*|RBENV_.*|ASDF_.*|MISE_.*',
    'DOTNET_.*|CORECLR_.*|COR_.*|JAVA_.*|_JAVA_.*|JDK_.*|MAVEN_.*|GRADLE_.*|CLASSPATH|GO[A-Z]+|CARGO_.*|RUST.*',
    'CC|CXX|CPP|LD|AR|AS|CFLAGS|CXXFLAGS|LDFLAGS|MAKE.*|MAKEFLAGS|CMAKE_.*',
    '.*PAGER|.*EDITOR|VISUAL|BROWSER|LESS.*|MAN.*|MORE|OPENER|EXINIT|VIMINIT|MYVIMRC',
    '.*_proxy|.*_PROXY|CURL_.*|WGETRC|SSL.*|OPENSSL_.*|REQUESTS_CA_BUNDLE|NETRC',
    'GREP_.*|RIPGREP_.*|TAR_.*|RSYNC_.*|UNZIP.*|ZIPOPT|GZIP|BZIP|XZ_.*|JQ_.*|SUDO_.*|TMUX|SCREENRC',
    'XDG_.*|AWS_.*|AZURE_.*|GOOGLE_.*|GCP_.*|DOCKER_.*|KUBE.*|VAULT_.*|TF_.*',
    'OFFSHOOT.*|CLAUDE.*|ANTHROPIC.*|OPENAI.*|GEMINI.*',
  ].join('|')})$`,
)
