/**
 * Variables that hold a command, which a program runs that is given them: an editor, a pager, git's settings by the
 * environment. Their texts are held against what forbids, as those of `git -c` are; that they are set at all is a doubt.
 */
import { settingScripts } from './git-settings.js'

/** The command lines that a value may come to. */
export function scriptsInVariable(name: string, value: string): readonly string[] {
  if (name === 'GIT_CONFIG_PARAMETERS') return settingsIn(value).flatMap(settingScripts)
  if (/^GIT_CONFIG_VALUE_\d+$/.test(name))
    return [...settingScripts(`=${value}`), ...settingScripts(`alias.x=${value}`)]
  // `|cmd %s`, `|-cmd %s`: how less is told that it is a command.
  return holdsCommand.test(name) ? [value.replace(/^\|+-?/, '')] : []
}

const holdsCommand =
  /^(\w*(PAGER|EDITOR|ASKPASS|_COMMAND|_WRAPPER)|VISUAL|BROWSER|OPENER|LESSOPEN|LESSCLOSE|GIT_SSH|GIT_EXTERNAL_DIFF|RSYNC_RSH|SHELL|CC|CXX|CPP|LD|AR)$/

/** `'name=value' 'name'='value'`, as git hands them to itself. */
function settingsIn(text: string): readonly string[] {
  return [...text.matchAll(/'((?:[^']|'\\'')*)'(?:='((?:[^']|'\\'')*)')?/g)].map(([, first = '', second]) =>
    (second === undefined ? first : `${first}=${second}`).replaceAll("'\\''", "'"),
  )
}
