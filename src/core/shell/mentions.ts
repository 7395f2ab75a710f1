/** Whether a command names a program among its arguments, where a launcher nobody knows may run it. */
import { nameOf } from '../path-text.js'
import type { ShellCommand } from './reading.js'

/** An argument that is the name or a path to it; for interpreters also a name inside the code they are given. */
export function mentions({ words, fed }: ShellCommand, program: string): boolean {
  const wanted = nameOf(program).toLowerCase()
  const runsCode = interpreters.test(nameOf(words[0]!.shape))
  const isNamedIn = (code: string) =>
    code
      .toLowerCase()
      .split(/[^a-z0-9_.+-]+/)
      .includes(wanted)
  const isNamed = words.slice(1).some(({ shape }) => {
    const value = shape.slice(shape.startsWith('-') ? shape.indexOf('=') + 1 : 0)
    return nameOf(value).toLowerCase() === wanted || (runsCode && isNamedIn(value))
  })
  return isNamed || (runsCode && fed.some(isNamedIn))
}

const interpreters =
  /^(python|pypy|node|nodejs|deno|bun|perl|ruby|php|lua|luajit|tclsh|Rscript|osascript|gawk|mawk|nawk|awk|sed|ed|ex|vi|vim|nvim|emacs|jshell|groovy|irb|sqlite3|psql|mysql|gdb)[\d.]*$/
