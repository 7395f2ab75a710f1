/**
 * The script a hook command runs, as it was when the session began. A run that can write files could otherwise change
 * its own guard. Only the program itself is sealed (`./guard.sh`, `node guard.mjs`), not the data it works on.
 */
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { readHookConfig } from '../../core/hooks/hook-config.js'
import { contentHash } from '../os/content-hash.js'
import { isInside } from '../os/inside.js'
import { commandLineOf } from './command-words.js'
import { missingScript } from './missing-script.js'

/** Says what changed, or that there is no script; nothing when it is still the one that was sealed. */
export type ScriptSeal = () => string | undefined

export function sealScript(command: string, cwd: string, env: Readonly<Record<string, string>>): ScriptSeal {
  const path = scriptOf(command, cwd, env)
  const sealed = path === undefined ? undefined : hashOf(path)
  if (path === undefined || sealed === undefined) return () => absent(missingScript(command, cwd, env))
  return () => {
    const now = hashOf(path)
    if (now === sealed) return undefined
    return now === undefined
      ? `is gone (${path}); it was there when the session began`
      : `was changed on disk since the session began (${path}); start a new session to use the new one`
  }
}

const absent = (script: string | undefined) => script && `names a script that is not there (${script})`

/** The scripts these hooks run, there or not: whoever writes them decides what the next session runs. */
export function scriptsOf(
  config: unknown,
  projectDir: string,
  env: Readonly<Record<string, string>>,
): readonly string[] {
  const own = hookEnvironment(env, projectDir)
  return readHookConfig(config)
    .entries.map(({ command }) => scriptOf(command, projectDir, own))
    .filter(path => path !== undefined)
    .filter(path => !isInside(projectDir, path))
}

/** What every hook sees besides the environment it is given. */
export const hookEnvironment = (env: Readonly<Record<string, string>>, projectDir: string) => ({
  ...env,
  CLAUDE_PROJECT_DIR: projectDir,
  OFFSHOOT_PROJECT_DIR: projectDir,
})

const interpreters = /^(?:.*\/)?(?:sh|bash|zsh|dash|node|deno|bun|tsx|python[\d.]*|ruby|perl|php|uv|npx)$/
const maxBytes = 4 * 1024 * 1024

function scriptOf(command: string, cwd: string, env: Readonly<Record<string, string>>): string | undefined {
  const { words } = commandLineOf(command, env)
  const program = words.find(word => !/^\w+=/.test(word))
  if (program === undefined) return undefined
  if (!interpreters.test(program)) return program.includes('/') ? resolve(cwd, program) : undefined
  const script = words.slice(words.indexOf(program) + 1).find(word => !word.startsWith('-') && word !== 'run')
  return script === undefined ? undefined : resolve(cwd, script)
}

function hashOf(path: string): string | undefined {
  try {
    const stats = statSync(path)
    return stats.isFile() && stats.size <= maxBytes ? contentHash(readFileSync(path)) : undefined
  } catch {
    return undefined
  }
}
