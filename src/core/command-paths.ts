/** The files a command of a line would use, as far as they can be told. */
import { isCertain } from './glob.js'
import { type FilesBelow, type Part, type PathPart, pathPart } from './part.js'
import type { PathFacts, Place } from './path-policy.js'
import { foldPath, isWithin } from './path-text.js'
import { isSecret } from './protected-paths.js'
import { pathsInCode } from './shell/mentions.js'
import { type Proof, takesNoFiles, worksOnFiles } from './shell/read-only.js'
import type { ShellCommand } from './shell/reading.js'
import type { ShellWord } from './shell/words.js'

export interface LookAround {
  look(shape: string): PathFacts
  readonly place: Place
  readonly line: string
}

export function commandPaths(
  command: ShellCommand,
  proof: Proof | undefined,
  { look, place, line }: LookAround,
): readonly (Part & PathPart)[] {
  if (command.role === 'transparent' || (proof && takesNoFiles(command))) return []
  if (proof) {
    const access = proof.shows === 'names' ? 'list' : 'read'
    return proof.files.map(({ shape }) => {
      const facts = look(shape)
      return pathPart(facts, access, 'command', line, proof.below && filesBelow(facts, proof, place))
    })
  }
  const words = command.words.slice(command.words[0]?.shape.includes('/') ? 0 : 1)
  const facts = words.flatMap(possiblePaths).map(look)
  const named = [...facts, ...pathsInCode(command).map(look)].map(one => pathPart(one, 'write', 'word', line))
  if (command.role !== 'plain' || !worksOnFiles(command)) return named
  return [...named, ...facts.map(one => pathPart(one, 'read', 'command', line))]
}

/** A word may be a path whole, after `=` or `@`, or glued to a short option. */
function possiblePaths(word: ShellWord): readonly string[] {
  const { shape } = word
  if (shape === '') return []
  const found = shape.startsWith('-') ? [] : [shape]
  const value = /^[^=]*=(.+)$/s.exec(shape)?.[1]
  if (value !== undefined) found.push(value)
  const at = shape.indexOf('@')
  if (at >= 0 && at < shape.length - 1) found.push(shape.slice(at + 1))
  if (/^-[A-Za-z]./.test(shape)) found.push(shape.slice(2))
  const colon = shape.lastIndexOf(':')
  if (colon > 0 && colon < shape.length - 1) found.push(shape.slice(colon + 1))
  return found
}

/** Nothing for what asks anyway. Where nobody can list a directory, it counts as too large. */
function filesBelow(facts: PathFacts, { below, followsLinks }: Proof, place: Place): FilesBelow | undefined {
  if (!facts.isInside || !isCertain(facts.asked)) return undefined
  const path = place.realPath(facts.spellings[0]!)
  const found = place.filesBelow?.(path)
  if (!found) return { files: [], isCut: true }
  const shown = below === 'all' ? found : found.filter(file => !/\/\./.test(file.slice(path.length)))
  const links = followsLinks ? shown.filter(file => !file.endsWith('/') && place.realPath(file) !== file) : []
  const files = [...shown, ...links.map(place.realPath)]
  const secret = files.find(file => isSecret(foldPath(file)))
  const roots = place.roots.map(place.realPath)
  const outside = links.find(link => !roots.some(root => isWithin(place.realPath(link), root)))
  return { files, isCut: false, ...(secret !== undefined && { secret }), ...(outside !== undefined && { outside }) }
}
