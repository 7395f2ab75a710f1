/**
 * Names that matter wherever they lie, as data. Matched on folded paths (case, letters that look alike, trailing dots).
 * 1. Sealed: a write would let a later command run somebody's code or loosen our own rules. Denied in every mode.
 * 2. Delicate: a write changes how tools or shells behave. Always asks, also where edits are accepted unasked.
 * 3. Secret: showing the content asks by default.
 */
import { anyText, type Glob, globMatches, isCertain, pathGlobs } from '../text/glob.js'

export function isSealed(foldedPath: string): boolean {
  return anyMatches(sealed, foldedPath)
}

/** The end of the path is known and is that of a sealed file, whatever stands before it: `$D/config`, `$G/hooks/pre-push`. */
export function endsLikeSealed(foldedPath: string): boolean {
  const end = foldedPath.slice(foldedPath.lastIndexOf(anyText) + 1)
  if (!foldedPath.includes(anyText) || !end.includes('/')) return false
  return hookNames.test(end) || sealedNames.some(glob => globMatches(glob, foldedPath))
}

export function isDelicate(foldedPath: string): boolean {
  return anyMatches(delicate, foldedPath)
}

export function isSecret(foldedPath: string): boolean {
  return anyMatches(secret, foldedPath) && !(isCertain(foldedPath) && anyMatches(openly, foldedPath))
}

function anyMatches(globs: readonly Glob[], path: string): boolean {
  // Most paths hold not one of the names: told by a look for them alone.
  const isPlain = isCertain(path)
  return globs.some(glob => (!isPlain || path.includes(glob.needle)) && globMatches(glob, path))
}

function compile(...patterns: readonly string[]): readonly Glob[] {
  return patterns.flatMap(pathGlobs)
}

const sealed = compile(
  '/**/.git',
  '/**/.git/hooks',
  '/**/.git/hooks/**',
  '/**/.git/config',
  '/**/.git/config.{lock,worktree}',
  '/**/.git/commondir',
  '/**/.git/info/attributes',
  '/**/.git/objects/info/alternates',
  '/**/.git/{modules,worktrees}/**/{config,config.worktree,commondir,gitdir}',
  '/**/.git/modules/**/hooks/**',
  '/**/.offshoot',
  '/**/.offshoot/**',
  '/**/.claude',
  '/**/.claude/settings*',
  '/**/.claude/hooks',
  '/**/.claude/hooks/**',
  '/**/.mcp.json',
)

/** Of the sealed only those with a name of their own: below `.offshoot` any name is sealed. */
const sealedNames = compile(
  '/**/.git/hooks',
  '/**/.git/config',
  '/**/.git/config.{lock,worktree}',
  '/**/.git/commondir',
  '/**/.git/info/attributes',
  '/**/.git/objects/info/alternates',
  '/**/.claude/settings*.json',
)

const hookNames =
  /\/(((pre|post)-(applypatch|commit|merge|rebase|checkout|rewrite|push|receive|update|auto-gc|index-change))|(commit|applypatch|prepare-commit)-msg|update|proc-receive|push-to-checkout|reference-transaction|fsmonitor-watchman)$/

const delicate = compile(
  '/**/.git/**',
  '/**/.claude/**',
  '/**/{.agents,.gemini,.opencode,.codex,.cursor,.vscode,.idea,.husky,.devcontainer}/**',
  '/**/.github/{agents,workflows}/**',
  '/**/.roomodes',
  '/**/{.gitconfig,.gitmodules,.envrc,.npmrc,.yarnrc,.yarnrc.yml,.pypirc,.inputrc,.vimrc,.tmux.conf,.xprofile,.xinitrc}',
  '/**/{.bashrc,.bash_profile,.bash_login,.bash_logout,.bash_aliases,.profile,.zshrc,.zshenv,.zprofile,.zlogin,.zlogout,.kshrc,.cshrc}',
  '/**/.cargo/{config,config.toml}',
  '/**/.config/{fish,git,autostart,systemd}/**',
  '/**/{.ssh,.gnupg,.aws,.kube,.docker}/**',
  '/**/library/launchagents/**',
  '/etc/**',
  '/var/spool/cron/**',
)

const secret = compile(
  '/**/.env',
  '/**/.env.*',
  '/**/*.env',
  '/**/.envrc',
  '/**/{.npmrc,.netrc,_netrc,.pypirc,.pgpass,.my.cnf,.git-credentials,.htpasswd,.vault-token,.dockercfg}',
  '/**/{id_rsa,id_dsa,id_ecdsa,id_ed25519,id_ecdsa_sk,id_ed25519_sk}',
  '/**/*.{pem,key,p8,p12,pfx,ppk,jks,keystore,kdbx}',
  '/**/{.ssh,.gnupg,.aws,.azure,.kube,.password-store}/**',
  '/**/.docker/config.json',
  '/**/.config/{gcloud,gh,hub,op,rclone}/**',
  '/**/{credentials,credentials.json,credentials.toml,secrets.json,secrets.yml,secrets.yaml,secrets.toml,auth.json}',
  '/**/service-account*.json',
  '/**/{.dev.vars,.s3cfg,.boto,kubeconfig,wp-config.php}',
  '/**/*.{tfstate,tfstate.backup,kubeconfig,ovpn}',
  // What checks out private repositories leaves its token there.
  '/**/.git/config',
  '/**/{.bash_history,.zsh_history,.node_repl_history,.psql_history,.python_history}',
  '/proc/**/{environ,mem,maps,cmdline}',
  '/proc/{kcore,kmem}',
  '/etc/{shadow,gshadow,sudoers}',
  '/etc/{shadow,gshadow}-',
)

/** Made to be read, though they look like the above. */
const openly = compile('/**/.env.{example,sample,template,dist,defaults}', '/**/*.example.env', '/**/.ssh/*.pub')
