/**
 * Where a command lays a link. What that leads to is not changed by it, so only the directory counts in which it comes to
 * lie.
 */
import type { ShellCommand } from '../shell/reading.js'
import { linksByName } from '../shell/written-words.js'
import { nameOf } from '../text/path-text.js'
import { type Part, type PathPart, pathPart } from './part.js'
import type { PathFacts } from './path-policy.js'

/** Links that become programs of the user's. `lies`: the path as it is without what this command makes. */
export function linkedPrograms(
  command: ShellCommand,
  lies: (shape: string) => PathFacts,
  line: string,
): readonly (Part & PathPart)[] {
  if (!linksByName(command)) return []
  return [...new Set(placesOfLinks(command))].flatMap(shape => {
    const facts = lies(`${directoryOf(shape)}/a-program`)
    return facts.isProgram
      ? [{ ...pathPart({ ...facts, asked: shape }, 'write', 'word', line), isMoved: true, isWritten: true }]
      : []
  })
}

function placesOfLinks({ words: [, ...rest] }: ShellCommand): readonly string[] {
  const operands = rest.filter(({ shape }) => !/^-./.test(shape)).map(({ shape, settled }) => settled ?? shape)
  const told = rest.flatMap(({ shape }, at) => {
    const [, glued] = /^(?:-[A-Za-z]*?t|--t[a-z-]*=)(.+)$/s.exec(shape) ?? []
    if (/^(?:-[A-Za-z]*t|--t[a-z-]*)$/.test(shape))
      return rest.slice(at + 1, at + 2).map(word => word.settled ?? word.shape)
    return glued ?? []
  })
  const into = told.map(directory => `${directory}/a-link`)
  // The value of `-S` may end in a `t`.
  const isTold = told.length > 0 && !rest.some(({ shape }) => /^-[A-Za-z]*S/.test(shape))
  if (isTold) return into
  const last = operands.at(-1)
  if (operands.length < 2 || last === undefined) return [...into, 'a-link']
  // The last name is the link, or the directory it comes to lie in.
  return [...into, last, ...operands.slice(0, -1).map(target => `${last}/${nameOf(target.replace(/\/+$/, ''))}`)]
}

function directoryOf(shape: string): string {
  const plain = shape.replace(/(?<=.)\/+$/, '')
  return plain.includes('/') ? plain.replace(/\/+[^/]*$/, '') : '.'
}
