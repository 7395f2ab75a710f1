/** Whether a command names a program or a file among its arguments, where something nobody knows may use it. */
import { nameOf } from '../text/path-text.js'
import { LimitPassed, type ShellCommand } from './reading.js'

/**
 * An argument that is the name or a path to it, or that would start it if it were run (`ProxyCommand=curl x`,
 * `+!curl x`); for interpreters also a name anywhere in the code they are given.
 */
export function mentions({ words, fed }: ShellCommand, program: string): boolean {
  if (fed.length === 0 && onlyAsksAbout(words)) return false
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

/** `man git`, `which git`: bare names and no option, one of which (`man -P`) would start something. */
function onlyAsksAbout([called, ...names]: ShellCommand['words']): boolean {
  return askers.has(called?.shape ?? '') && names.every(({ shape }) => /^\w[\w.+-]*$/.test(shape))
}

const askers: ReadonlySet<string> = new Set(['man', 'help', 'which', 'type', 'whatis', 'apropos'])

/** What looks like a path in the code an interpreter is given: `open('.git/config')`, `w.git/config`. */
export function pathsInCode({ words, fed }: ShellCommand): readonly string[] {
  const called = words[0]!.shape
  if (!isInterpreter(called)) return []
  const code = [...words.slice(1).map(word => word.shape), ...fed]
  const tokensOf = (text: string) => text.split(/[\s'"`(){}[\],;<>|&=]+/)
  const tokens = code.flatMap(tokensOf)
  const plain = tokens
    .filter(token => /^\.|\//.test(token))
    .flatMap(token => [token, token.replace(/^[a-z]+(?=\.)/i, '')])
  // `os.homedir() + '/.bashrc'`
  const isAtHome = code.some(text => asksForHome.test(text))
  const atHome = isAtHome ? tokens.filter(token => /^\/?\.[^./]/.test(token)).map(token => `~/${token}`) : []
  const glued = editors.test(nameOf(called))
    ? code.flatMap(text => tokensOf(text).flatMap(token => gluedToCommand(token, addressOfLetters.test(text))))
    : []
  // Behind so many that are none, one could hide.
  if (glued.length > maxGlued) throw new LimitPassed(`more than ${maxGlued} names that may be files of an editor`)
  return [...new Set([...glued, ...plain.slice(0, maxPaths), ...atHome.slice(0, maxPaths)])]
}

/** A page may be called home as well. */
const asksForHome =
  /home_?dir|expanduser|user_?profile|\bDir\.home\b|\bhome\s*\(|\bHOME\b|\bhome\s*\+|["'`]\/home\/["'`$]/

const editors = /^(?:g?sed|ed|ex|vi|vim|nvim)$/

/** `\xfooxw.mcp.json`, `1,\xfooxw.mcp.json`, `-e\xa bxw.mcp.json`: a letter ends the address, wherever that is. */
const addressOfLetters = /(?:^(?:-[A-Za-z]*)?|[\s,;{}=])\\[A-Za-z0-9]/

/**
 * `w.mcp.json`, `$rsecret/x`, `s/a/b/gw.mcp.json`: an address or what is replaced may stand before the letter. Where a
 * letter parts the pieces of what is replaced (`sxaxbxw.mcp.json`), any may be the one.
 */
function gluedToCommand(token: string, isAfterLetters: boolean): readonly string[] {
  const isPartedByLetters = isAfterLetters || /(?:^|[\d$!/I])s[A-Za-z0-9]/.test(token)
  const letters = isPartedByLetters ? /[rRwW]/g : /(?<=(?:^|[^A-Za-z])[gpeiImM]*)[rRwW]/g
  const tails = [...token.matchAll(letters)].map(({ index }) => token.slice(index + 1))
  return [...tails, token.replace(/^[a-z]+!?(?=\.)/i, '')].filter(tail => tail !== '' && tail !== token)
}

const maxPaths = 200
const maxGlued = 1000

/** Programs that run the code they are given, whatever it says. */
export function isInterpreter(called: string): boolean {
  return interpreters.test(nameOf(called))
}

const interpreters =
  /^(python|pypy|node|nodejs|deno|bun|perl|ruby|php|lua|luajit|tclsh|Rscript|osascript|gawk|mawk|nawk|awk|g?sed|ed|ex|vi|vim|nvim|emacs|jshell|groovy|irb|sqlite3|psql|mysql|gdb|make|gmake|expect|crontab|at|batch|julia|elixir|erl|ghc|runghc|scala|swift|guile|sbcl|m4|duckdb|clickhouse|yq)[\d.]*$/

function firstWord(text: string): string {
  return /\S+/.exec(text)?.[0] ?? ''
}
