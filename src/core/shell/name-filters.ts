/** Which names a search is told to keep to, where that is certain: `--include=*.ts`, `-g '*.ts'`, `-t ts`. */
import { anyName } from '../text/glob.js'
import type { OptionReading } from './options.js'

/**
 * How the names of all files end that it reads below a directory. Hidden files count like others: to ripgrep an ignore
 * file may bring them back.
 */
export function endingsIn({ given, values }: OptionReading): 'all' | readonly string[] {
  const valuesOf = (...options: readonly string[]) =>
    values.filter(([option]) => options.includes(option)).map(([, { shape }]) => shape)
  // After an `--exclude` what fits neither is read.
  if (given.has('--exclude') || given.has('--iglob')) return 'all'
  const globs = valuesOf('--include', '-g', '--glob').filter(glob => !glob.startsWith('!'))
  if (globs.length > 0) return allOf(globs.map(endingOf))
  const types = valuesOf('-t', '--type')
  return types.length > 0
    ? allOf(types.flatMap<string | undefined>(type => endingsOfType.get(type) ?? [undefined]))
    : 'all'
}

/** `.ts` for `*.ts`, and undefined where other names may fit as well. */
export function endingOf(glob: string): string | undefined {
  return plainEnding.exec(glob)?.[1]
}

const plainEnding = new RegExp(`^[*${anyName}]((?:\\.[A-Za-z0-9_-]+)+)$`)

/** ripgrep's own types, with all they stand for in any of its versions. */
const endingsOfType: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    ts: ['.ts', '.tsx', '.cts', '.mts'],
    js: ['.js', '.jsx', '.cjs', '.mjs', '.vue'],
    py: ['.py', '.pyi'],
    rust: ['.rs'],
    go: ['.go'],
  }),
)

function allOf(endings: readonly (string | undefined)[]): 'all' | readonly string[] {
  const known = endings.filter(ending => ending !== undefined)
  return known.length === endings.length ? known : 'all'
}
