/**
 * Commands that would approve, trust or configure in the user's name, make agents of theirs, or show what is stored of runs.
 * O1 Our program with such a subcommand, however it is started, also under a name that only links to it.
 * O2 The mark by which our program knows that a run started it, in a command that could change it.
 * O3 Our program, or a script that gets such words, with an environment out of which the mark was taken.
 */
import { nameOf } from '../text/path-text.js'
import { isInterpreter } from './mentions.js'
import type { ShellCommand } from './reading.js'
import { isStatic } from './words.js'

export const ownControls =
  'approvals, trust, settings and agents are the user’s to change, and stored runs theirs to look at, never a run’s.'

/** `linksToUs` says of a path whether it leads to our program; absent, only names count. */
export function controlsOffshoot(command: ShellCommand, linksToUs: (path: string) => boolean = () => false): boolean {
  const { words, fed } = command
  const [called = '', ...rest] = words.map(word => word.shape)
  const runsCode = isInterpreter(called)
  const code = runsCode ? [...rest, ...fed].flatMap(text => text.split(/[\s'"`(),;]+/)) : []
  const marks = runsCode || settingCommands.test(nameOf(called)) ? [...rest, ...code] : []
  if (marks.some(word => /OFFSHOOT_(RUN|CALL|HOST)/.test(word))) return true
  if (command.isBare && (startsUs([called, ...rest]) || (runsScripts(called) && speaksToUs([...rest, ...code]))))
    return true
  return (
    [[called, ...rest], code].some(text => {
      const at = text.findIndex(isOurName)
      return at >= 0 && text.slice(at + 1).some(isControl)
    }) || isLinked(command, linksToUs)
  )
}

/** The program by its name: `offshoot`, `dist/bin/offshoot.cjs`, `--require=./offshoot.cjs`. */
export function isOurName(word: string): boolean {
  return /(^|[/=])offshoot(\.[cm]?js)?$/i.test(word)
}

const anyControl = /^(approvals?|trust|config|plugins?|mcp)$/
/** After the word itself, what makes it a control: agents may be looked at. */
const agentControl = /^(new|import|--fix)$/
const readsRuns = /^(list|show|tail|export)$/

function isControl(word: string, index: number, words: readonly string[]): boolean {
  const behind = words.slice(index + 1)
  if (word === 'agents') return behind.some(next => agentControl.test(next))
  // `offshoot runs its agents` is how people speak of it.
  if (word === 'runs') return readsRuns.test(behind.find(next => !next.startsWith('-')) ?? '')
  return anyControl.test(word)
}

const settingCommands = /^(env|unset|export|declare|typeset|local|readonly|read|printf)$/

function isLinked({ words }: ShellCommand, linksToUs: (path: string) => boolean): boolean {
  const shapes = words.map(word => word.shape)
  const first = shapes.findIndex(isControl)
  if (first <= 0 || !runsScripts(words[0]!.shape)) return false
  const isPath = (shape: string, index: number) => (index === 0 ? shape.includes('/') : !shape.startsWith('-'))
  return words
    .slice(0, Math.min(first, maxLinks))
    .some((word, index) => isStatic(word) && isPath(word.shape, index) && linksToUs(word.shape))
}

const maxLinks = 8

/** It runs a file it is given, or is one itself. */
function runsScripts(called: string): boolean {
  return called.includes('/') || isInterpreter(called)
}

function startsUs([called = '', ...rest]: readonly string[]): boolean {
  const runs = isInterpreter(called) || /^(npm|pnpm|yarn|bun|corepack)$/.test(nameOf(called))
  return isOurName(called) || (runs && rest.some(isOurName))
}

/** Words that only our program, or one much like it, would obey: `trust`, `config set`. */
function speaksToUs(words: readonly string[]): boolean {
  return words.some((word, index) => {
    if (/^(approvals?|trust)$/.test(word)) return true
    return anyControl.test(word) && words.slice(index + 1).some(next => deeds.test(next))
  })
}

const deeds = /^(set|add|trust|remove|install|accept)$/
