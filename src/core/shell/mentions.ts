/** Whether a command names a program or a file among its arguments, where something nobody knows may use it. */
import { nameOf } from '../path-text.js'
import type { ShellCommand } from './reading.js'

/**
 * An argument that is the name or a path to it, or that would start it if it were run (`ProxyCommand=curl x`,
 * `+!curl x`); for interpreters also a name anywhere in the code they are given.
 */
export function mentions({ words, fed }: ShellCommand, program: string): boolean {
  const wanted = nameOf(program).toLowerCase()
  const isWanted = (name: string) => nameOf(name).toLowerCase() === wanted
  const runsCode = isInterpreter(words[0]!.shape)
  const isNamedIn = (code: string) =>
    code
      .toLowerCase()
      .split(/[^a-z0-9_.+-]+/)
      .includes(wanted)
  const wouldStart = (text: string) => text.split(/[;&|!`$(){}='"\n]+/).some(piece => isWanted(firstWord(piece)))
  const isNamed = words.slice(1).some(({ shape }) => {
    const value = shape.slice(shape.startsWith('-') ? shape.indexOf('=') + 1 : 0)
    return isWanted(value) || wouldStart(value) || (runsCode && isNamedIn(value))
  })
  return isNamed || fed.some(text => wouldStart(text) || (runsCode && isNamedIn(text)))
}

/** What looks like a path in the code an interpreter is given: `open('.git/config')`, `w.git/config`. */
export function pathsInCode({ words, fed }: ShellCommand): readonly string[] {
  if (!isInterpreter(words[0]!.shape)) return []
  const code = [...words.slice(1).map(word => word.shape), ...fed]
  const tokens = code.flatMap(text => text.split(/[\s'"`(){}[\],;<>|&=]+/)).filter(token => /^\.|\//.test(token))
  return [...new Set(tokens.flatMap(token => [token, token.replace(/^[a-z]+(?=\.)/i, '')]))].slice(0, maxPaths)
}

const maxPaths = 200

/** Programs that run the code they are given, whatever it says. */
export function isInterpreter(called: string): boolean {
  return interpreters.test(nameOf(called))
}

const interpreters =
  /^(python|pypy|node|nodejs|deno|bun|perl|ruby|php|lua|luajit|tclsh|Rscript|osascript|gawk|mawk|nawk|awk|sed|ed|ex|vi|vim|nvim|emacs|jshell|groovy|irb|sqlite3|psql|mysql|gdb|make|gmake|expect|crontab|at|batch)[\d.]*$/

function firstWord(text: string): string {
  return /\S+/.exec(text)?.[0] ?? ''
}
