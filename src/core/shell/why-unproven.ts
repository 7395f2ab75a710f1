/** What keeps a command from being known to only look, where it is one thing that can be said and mended. */
import { anyLetter, anyName, anyText } from '../text/glob.js'
import { isGit, proveReadOnly, unknownOption } from './read-only.js'
import type { ShellCommand } from './reading.js'
import { isHarmlessVariable } from './variables.js'
import { isStatic } from './words.js'

export function whyUnproven(command: ShellCommand): string | undefined {
  const set = whySet(command)
  if (set !== undefined || isGit(command)) return set ?? whyGit(command)
  return whyHandedOver(command) ?? whyWildcard(command) ?? whyWords(command)
}

function whySet(command: ShellCommand): string | undefined {
  const names = [...command.variables, ...command.around].filter(name => !isHarmlessVariable(name))
  if (names.length === 0 || !proveReadOnly({ ...command, variables: [], around: [] })) return undefined
  return `it only looks, but ${[...new Set(names)].join(', ')} may change what it does.`
}

function whyHandedOver({ words, ...command }: ShellCommand): string | undefined {
  const known = words.filter(({ shape, source }) => !(shape === anyText && source === '…'))
  if (known.length === words.length || !proveReadOnly({ ...command, words: known })) return undefined
  return 'which files xargs gives it only shows when it runs, and a name may be an option or lie elsewhere. Have find run it (`find … -exec … {} +`), or name the files.'
}

function whyWildcard(command: ShellCommand): string | undefined {
  if (command.words.every(isStatic)) return undefined
  const isProvenWith = (change: (shape: string) => string) =>
    proveReadOnly({ ...command, words: command.words.map(word => ({ ...word, shape: change(word.shape) })) })
  const isOpen = (shape: string) => shape.startsWith(anyName) || shape.startsWith(anyLetter)
  if (isProvenWith(shape => (isOpen(shape) ? `./${shape}` : shape)))
    return 'the wildcard may pick a file that is named like an option. Write `./` before it.'
  if (isProvenWith(shape => shape.replaceAll(anyName, '*').replaceAll(anyLetter, '?')))
    return 'the shell may make several words of a wildcard before the command sees it. Put the pattern in quotes.'
  return undefined
}

function whyWords(command: ShellCommand): string | undefined {
  const [name, ...rest] = command.words
  if (rest.some(({ source }) => /^[<>]\(/.test(source)))
    return 'what `<(…)` comes to is only known when it runs. Pipe it in, or look at the files one after the other.'
  if (name?.shape === 'read')
    return 'what it reads may become any word of the line. Give the file to a command that looks.'
  if (/^[gm]?awk$/.test(name?.shape ?? ''))
    return 'awk is only known to look where its program stands in the line, without pipes, `system`, `getline`, variables of the surroundings, and in braces without `>` outside of round brackets.'
  const option = unknownOption(command)
  return option === undefined ? undefined : `its option ${option} is not known to only look.`
}

/** Proven by its words, it is not by where it stands or by what else runs (shell-policy.ts). */
function whyGit(command: ShellCommand): string | undefined {
  const known = command.words.map(word => (isStatic(word) ? word : { ...word, shape: 'HEAD', source: 'HEAD' }))
  if (!command.words.every(isStatic) && proveReadOnly({ ...command, words: known }))
    return 'what a variable or `$(…)` stands for only shows when it runs, and it may be an option. Run that by itself, and write what it says into the line.'
  const isElsewhere = command.words[1]?.shape === '-C'
  if (!isElsewhere && !proveReadOnly(command)) return undefined
  return 'git obeys the settings of the repository it finds. Where the shell stands, and with nothing in the line that does more than look, it is kept from running what they name.'
}
