/**
 * Files of the user that are run unasked later, outside of every run: by the next shell, at the next login, or at a set time.
 * There or not.
 */
import { join } from 'node:path'

export interface StartUpOptions {
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

export function startUpFiles({ home, env }: StartUpOptions): readonly string[] {
  const config = env.XDG_CONFIG_HOME || join(home, '.config')
  return [
    ...atHome.map(name => join(home, name)),
    ...ofZsh.map(name => join(env.ZDOTDIR || home, name)),
    ...inConfig.map(name => join(config, name)),
    ...[env.BASH_ENV, env.ENV].filter(path => path?.startsWith('/') === true),
  ] as readonly string[]
}

const atHome = (
  '.profile .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .kshrc .mkshrc .cshrc .tcshrc .login .logout ' +
  '.xprofile .xinitrc .xsession .xsessionrc .pam_environment .ssh/rc Library/LaunchAgents'
).split(' ')
const ofZsh = '.zshenv .zprofile .zshrc .zlogin .zlogout'.split(' ')
const inConfig = 'fish autostart systemd/user environment.d'.split(' ')
