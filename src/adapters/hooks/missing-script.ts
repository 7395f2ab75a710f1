/**
 * The script that a hook's command names and that is not there. An interpreter ends with 1 then, as a script does that has
 * nothing to say: so it is looked for before the command is run. Only what is certain counts: code on the line, a module, a
 * name that a shell would make something else of, or a command that says what is to be done without it are left alone.
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { commandLineOf } from './command-words.js'

type Environment = Readonly<Record<string, string>>

/** The same for people who look before anything runs: also a program that is named by its path. */
export function missingFile(command: string, cwd: string, env: Environment): string | undefined {
  const { words, next } = commandLineOf(command, env)
  if (next === '||') return undefined
  const program = words.find(word => !/^\w+=/.test(word)) ?? ''
  const isPath = program.includes('/') && !isPattern(program)
  const path = isPath ? pathOf(program, cwd, env) : undefined
  return path !== undefined && !existsSync(path) ? path : missingScript(command, cwd, env)
}

/** The path of the script, where the command names one for certain and nothing of that name is there. */
export function missingScript(command: string, cwd: string, env: Environment): string | undefined {
  const { words, next } = commandLineOf(command, env)
  if (next === '||') return undefined
  const script = scriptIn(words.slice(words.findIndex(word => !/^\w+=/.test(word))))
  if (script === undefined || isPattern(script)) return undefined
  const path = pathOf(script, cwd, env)
  return ['', '.js', '.json', '.node'].some(end => existsSync(path + end)) ? undefined : path
}

/** Nobody but a shell knows what it means, or it is no file of this machine. */
const isPattern = (word: string): boolean => /[$`*?[\]{}\\]|:\/\/|^~[^/]|^(?:jsr|npm):/.test(word)
const pathOf = (word: string, cwd: string, env: Environment): string =>
  resolve(cwd, word.replace(/^~(?=\/)/, env.HOME ?? '~'))

const starters = /^(?:.*\/)?(?:env|exec|command|npx|bunx)$/
const interpreters = /^(?:.*\/)?(sh|bash|zsh|dash|node|deno|bun|tsx|python|ruby|perl|php|uv)[\d.]*$/
/** Of these the script may have any name; the others take words that are no files as well. */
const takesScriptsAlone = /^(?:sh|bash|zsh|dash|node|python|ruby|perl|php)$/
const isScriptName = (word: string): boolean => /\.(?:[cm]?[jt]sx?|sh|bash|zsh|py|rb|pl|php)$/.test(word)
/** Then the code is on the line, comes on stdin, or is a module. */
const codeOptions: Readonly<Record<string, RegExp>> = {
  shell: /^-[a-zA-Z]*[cs]/,
  node: /^(?:-[ep]|-pe|--eval|--print)/,
  python: /^-[a-zA-Z]*[cm]/,
  perl: /^-[a-zA-Z]*[eE]/,
  ruby: /^-[a-zA-Z]*e/,
  php: /^-[rRBEF]/,
}
const valueOptions =
  /^(?:-r|--require|--import|--(?:experimental-)?loader|-C|--conditions|--env-file(?:-if-exists)?|-[oOWXIM]|--rcfile|--init-file)$/
/** Of any other the next word may be the value. */
const loneOptions =
  /^(?:-[a-zA-Z]+|--(?:no|trace|enable|disable|experimental|use|preserve|allow)-[\w-]+|--(?:watch|test|inspect|inspect-brk)|--[\w-]+=.*)$/

function scriptIn([program = '', ...rest]: readonly string[]): string | undefined {
  if (starters.test(program)) return scriptIn(rest.slice(rest.findIndex(word => !/^(?:-|\w+=)/.test(word))))
  const kind = interpreters.exec(program)?.[1]
  if (kind === undefined) return undefined
  const isCode = codeOptions[/sh$/.test(kind) ? 'shell' : kind]
  const words = rest[0] === 'run' && !takesScriptsAlone.test(kind) ? rest.slice(1) : rest
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    // A shell looks for a bare name in PATH, too.
    const isCertain = /sh$/.test(kind) ? word.includes('/') : isScriptName(word) || word.includes('/')
    if (!word.startsWith('-'))
      return isCertain && (isScriptName(word) || takesScriptsAlone.test(kind)) ? word : undefined
    if (isCode?.test(word)) return undefined
    if (valueOptions.test(word)) at++
    else if (!loneOptions.test(word)) return undefined
  }
  return undefined
}
