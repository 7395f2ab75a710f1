/**
 * AGENTS.md and CLAUDE.md, with their imports.
 *
 * 1. Farthest first: the user's own, then CLAUDE.md of every directory from the project's top down, then the nearest
 *    AGENTS.md (it alone counts), then CLAUDE.local.md. The same content is taken once.
 * 2. A file of the project imports only from the project, and nothing that looks like a secret; a user's file also
 *    from the home directory. An imported file reaches as far as where it lies lets it, and no further than whoever
 *    imports it. Imports have a depth, a size and a number; a loop is cut where it closes.
 * 3. Whatever is left out is a diagnostic, and the mark stays in the text.
 * 4. What a file imports is put in when a prompt is made: rules against reading hold for it, as they are then.
 */
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { type ImportMark, importsIn, withImports } from '../../core/brief/instructions.js'
import type { PromptPart } from '../../core/brief/prompt-parts.js'
import * as notices from '../../core/notices.js'
import { isSecret } from '../../core/permission/protected-paths.js'
import type { WrittenDeny } from '../../core/permission/written-deny.js'
import type { Diagnostic } from '../../core/ports.js'
import { foldPath } from '../../core/text/path-text.js'
import { isInside } from '../os/inside.js'
import { realPath } from '../os/real-path.js'
import { type GuardedFile, readGuardedFile } from './guarded-file.js'

export interface InstructionOptions {
  /** Where the work is: the nearest files are looked for from here upwards. */
  readonly cwd: string
  /** The top of the project: the repository, or `cwd` itself. */
  readonly projectDir: string
  readonly home: string
  readonly configDir: string
}

/** The rule that denies reading a file, by its real path. */
export type DeniedBy = (realPath: string) => WrittenDeny | undefined

export interface LoadedInstructions {
  /** An import that is denied is left out, and stands behind its file as a part of its own. */
  partsUnder(deniedBy: DeniedBy): readonly PromptPart[]
  /** With every import. */
  readonly parts: readonly PromptPart[]
  readonly diagnostics: readonly Diagnostic[]
}

const maxFileBytes = 256 * 1024
const maxDepth = 5
const maxImports = 50

export async function loadInstructions(options: InstructionOptions): Promise<LoadedInstructions> {
  const reader = new InstructionReader(options)
  const { configDir, home } = options
  await reader.add(join(configDir, 'AGENTS.md'), 'user')
  await reader.add(join(home, '.claude', 'CLAUDE.md'), 'user')
  const directories = directoriesDown(options)
  for (const directory of directories) {
    await reader.add(join(directory, 'CLAUDE.md'), 'project')
    if (directory !== home) await reader.add(join(directory, '.claude', 'CLAUDE.md'), 'project')
  }
  for (const directory of [...directories].reverse())
    if (await reader.add(join(directory, 'AGENTS.md'), 'project')) break
  for (const directory of directories) await reader.add(join(directory, 'CLAUDE.local.md'), 'project')
  const partsUnder = (deniedBy: DeniedBy) => reader.files.flatMap(file => partsOf(file, deniedBy))
  return { partsUnder, parts: partsUnder(() => undefined), diagnostics: reader.diagnostics }
}

/** From the project's top to where the work is. */
function directoriesDown({ cwd, projectDir }: InstructionOptions): readonly string[] {
  const inner = relative(projectDir, cwd)
  if (inner.startsWith('..') || isAbsolute(inner)) return [cwd]
  const names = inner === '' ? [] : inner.split(/[/\\]/)
  return [projectDir, ...names.map((_, i) => join(projectDir, ...names.slice(0, i + 1)))]
}

type Scope = 'user' | 'project'

/** A file with what it imports, not put together yet. */
interface ReadFile {
  /** As it was looked for; of an import the real one. */
  readonly path: string
  readonly text: string
  readonly marks: readonly ImportMark[]
  readonly found: readonly (ReadFile | undefined)[]
}

function partsOf(file: ReadFile, deniedBy: DeniedBy): readonly PromptPart[] {
  const denied: PromptPart[] = []
  const together = ({ text, marks, found }: ReadFile): string => {
    const texts = found.map((each, i) => {
      const deny = each && deniedBy(each.path)
      if (!deny) return each && together(each)
      denied.push({ kind: 'instructions', origin: each.path, text: '', deniedBy: deny })
      return notices.importDenied(marks[i]!.path, deny.rule)
    })
    return withImports(text, marks, texts)
  }
  const text = together(file)
  const own: readonly PromptPart[] = text.trim() === '' ? [] : [{ kind: 'instructions', origin: file.path, text }]
  return [...own, ...denied]
}

class InstructionReader {
  readonly files: ReadFile[] = []
  readonly diagnostics: Diagnostic[] = []
  readonly #options: InstructionOptions
  readonly #hashes = new Set<string>()
  #imports = 0

  constructor(options: InstructionOptions) {
    this.#options = options
  }

  /** Whether there is such a file, counted or not. */
  async add(path: string, scope: Scope): Promise<boolean> {
    const file = await this.#read(path, scope)
    if (file === undefined) return false
    if ('fault' in file) this.#say(`instructions-${file.code}`, path, `these instructions are left out: ${file.fault}`)
    else if (isSecret(foldPath(file.realPath)))
      this.#say('instructions-secret', path, `these instructions are left out: ${file.realPath} may hold secrets`)
    else if (!this.#hashes.has(file.hash)) {
      this.#hashes.add(file.hash)
      this.files.push(await this.#resolve(file, path, scope, [file.realPath]))
    }
    return true
  }

  #read(path: string, scope: Scope) {
    const { home, projectDir, configDir } = this.#options
    const within = scope === 'user' ? [home, configDir, projectDir] : [projectDir]
    return readGuardedFile(path, { maxBytes: maxFileBytes, within })
  }

  async #resolve(file: GuardedFile, path: string, scope: Scope, above: readonly string[]): Promise<ReadFile> {
    const marks = importsIn(file.text)
    const found: (ReadFile | undefined)[] = []
    for (const mark of marks) found.push(await this.#import(mark.path, path, scope, above))
    return { path, text: file.text, marks, found }
  }

  async #import(written: string, from: string, scope: Scope, above: readonly string[]): Promise<ReadFile | undefined> {
    const path = written.startsWith('~/') ? join(this.#options.home, written.slice(2)) : resolve(dirname(from), written)
    const skip = (code: string, why: string): undefined => this.#say(code, from, `the import @${written} ${why}`)
    if (++this.#imports > maxImports) return skip('import-too-many', `is left out: ${maxImports} imports are the bound`)
    if (above.length > maxDepth) return skip('import-too-deep', `is left out: imports nest at most ${maxDepth} deep`)
    const file = await this.#read(path, scope)
    // A word with an @ before it may be anything: only what looks like a file of ours is missed.
    if (file === undefined) return /[/]/.test(written) ? skip('import-missing', 'names no file') : undefined
    if ('fault' in file)
      return skip(`import-${file.code}`, file.code === 'file-outside' ? 'leads outside the project' : file.fault)
    if (isSecret(foldPath(file.realPath))) return skip('import-secret', 'may hold secrets and is left out')
    if (above.includes(file.realPath)) return skip('import-loop', 'closes a loop')
    const isOfProject = isInside(file.realPath, realPath(this.#options.projectDir))
    return this.#resolve(file, file.realPath, isOfProject ? 'project' : scope, [...above, file.realPath])
  }

  #say(code: string, file: string, message: string): undefined {
    this.diagnostics.push({ code, severity: 'warning', message, file })
    return undefined
  }
}
