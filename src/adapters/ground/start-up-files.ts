/**
 * Files that are run or obeyed unasked later, outside of every run, though nobody starts them on purpose: by the next shell,
 * at the next login, at a set time, or by a program that is opened for something else. There or not. What a project is built
 * with (package.json, Makefile, its .npmrc) is none: whoever starts a build means to run what the project says.
 */
import { join } from 'node:path'
import { isWithin } from '../../core/text/path-text.js'
import { projectRoot } from '../os/project-root.js'
import { realPath } from '../os/real-path.js'

export interface StartUpOptions {
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** What runs may write. */
  readonly roots: readonly string[]
}

export function startUpFiles({ home, env, roots }: StartUpOptions): readonly string[] {
  const config = env.XDG_CONFIG_HOME || join(home, '.config')
  const data = env.XDG_DATA_HOME || join(home, '.local/share')
  const tops = [...new Set(roots.flatMap(root => [root, projectRoot(root)]))]
  const below = (directory: string, names: readonly string[]) => names.map(name => join(directory, name))
  const all = [
    ...below(home, atHome),
    ...below(env.ZDOTDIR || home, ofZsh),
    ...below(config, inConfig),
    ...below(data, inData),
    ...below(env.CARGO_HOME || join(home, '.cargo'), ofCargo),
    ...editors.flatMap(name => [join(config, name, 'User'), join(home, 'Library/Application Support', name, 'User')]),
    ...tops.flatMap(top => below(top, inProjects)),
    ...ofSystem,
    ...[env.BASH_ENV, env.ENV].filter(path => path !== undefined).filter(path => path.startsWith('/')),
  ]
  // Whoever works in `~/.config/nvim` wants it changed.
  const within = roots.map(root => realPath(root))
  return all.filter(place => {
    const real = realPath(place)
    return !within.some(root => isWithin(root, real))
  })
}

const list = (...texts: readonly string[]): readonly string[] => texts.join(' ').split(' ')

const atHome = list(
  // The next shell, and what it loads.
  '.profile .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .bash_completion .kshrc .mkshrc .cshrc .tcshrc',
  '.login .logout .xonshrc .oh-my-zsh .direnvrc',
  // A key can be made to type a command.
  '.inputrc',
  // The login, and what a service starts again at the next boot.
  '.pm2/dump.pm2 .pm2/dump.pm2.bak',
  '.xprofile .xinitrc .xsession .xsessionrc .pam_environment Library/LaunchAgents',
  // Connections run commands (ProxyCommand, rc), and a key opens the machine.
  '.ssh/config .ssh/config.d .ssh/authorized_keys .ssh/authorized_keys2 .ssh/rc .ssh/environment',
  // A mail that arrives, and every file that is paged.
  '.forward .procmailrc .lessfilter',
  // Programs run these when they start, whatever they are started for.
  '.vimrc .vim .gvimrc .emacs .emacs.el .emacs.d .tmux.conf .screenrc .gdbinit .lldbinit .psqlrc .sqliterc .irbrc .pryrc',
  '.Rprofile',
  // The shell of every npm script, what Node loads, which yarn runs, where packages come from.
  '.npmrc .yarnrc .yarnrc.yml .bunfig.toml .pip',
  // Every build.
  '.gradle/init.gradle .gradle/init.gradle.kts .gradle/init.d .gradle/gradle.properties',
  // The program that asks for passphrases.
  '.gnupg/gpg.conf .gnupg/gpg-agent.conf',
  // Servers and hooks that other agents start.
  '.claude.json .codex/config.toml .codex/hooks.json .gemini/settings.json .cursor/mcp.json .cursor/hooks.json',
)
const ofZsh = list('.zshenv .zprofile .zshrc .zlogin .zlogout')
/** Where the linker and the runner of every build stand; shells run `env`. */
const ofCargo = list('config config.toml env')
const inConfig = list(
  // Shells and what they load.
  'fish nushell elvish xonsh powershell direnv mise',
  // The login, and services.
  'autostart systemd environment.d plasma-workspace/env plasma-workspace/shutdown i3 sway hypr openbox bspwm awesome',
  // Programs run these when they start.
  'nvim vim emacs tmux gdb',
  // Pagers, editors and tools that others run; where packages come from.
  'gh/config.yml jj go/env pip',
  // Servers that other agents start.
  'opencode',
)
const inData = list(
  // Services, and what takes the place of a program in the menu.
  'systemd/user dbus-1/services applications',
  // Shells load it.
  'bash-completion fish',
  // What direnv may run unasked.
  'direnv',
)
/** Tasks at opening a folder, paths of interpreters, servers. */
const editors = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor']
const inProjects = list(
  // Run or obeyed by an editor that opens the folder.
  '.vscode/tasks.json .vscode/settings.json',
  // Servers and hooks that other agents start here, as .mcp.json.
  '.vscode/mcp.json .cursor/mcp.json .cursor/hooks.json .gemini/settings.json .codex/config.toml .codex/hooks.json',
)
/** The same for everybody on the machine: times, services, shells, logins, who may become root. */
const ofSystem = list(
  '/etc/crontab /etc/cron.d /etc/cron.hourly /etc/cron.daily /etc/cron.weekly /etc/cron.monthly /etc/anacrontab',
  '/var/spool/cron /etc/systemd /etc/init.d /etc/rc.local /etc/profile /etc/profile.d /etc/bash.bashrc /etc/bashrc',
  '/etc/zsh /etc/zshrc /etc/zshenv /etc/environment /etc/ld.so.preload /etc/xdg/autostart /etc/pam.d /etc/sudoers',
  '/etc/sudoers.d /etc/ssh/sshd_config /etc/ssh/sshd_config.d /etc/ssh/ssh_config /etc/ssh/ssh_config.d',
  '/etc/udev/rules.d /Library/LaunchDaemons /Library/LaunchAgents',
)
