/**
 * Skills on disk: `<place>/<name>/SKILL.md`, nearest first. Of one name the first counts, and the other is said.
 * A project's skills count when trusted by content, like its agents: their text tells a model what to do.
 */
import { type Dirent, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Skill, SkillScope } from '../../core/brief/skill.js'
import { isSecret } from '../../core/permission/protected-paths.js'
import type { Diagnostic } from '../../core/ports.js'
import { foldPath } from '../../core/text/path-text.js'
import { readGuardedFile } from './guarded-file.js'
import type { TrustStore } from './trust.js'

export interface SkillOptions {
  readonly projectDir: string
  readonly home: string
  readonly configDir: string
  readonly trust: Pick<TrustStore, 'isTrusted'>
  /** Folders of plugins and of the administrator, each holding skill folders, or being one. */
  readonly further?: readonly {
    readonly folder: string
    readonly scope: 'plugin' | 'managed'
    /** Before every name: `plugin:name`. */
    readonly prefix?: string
  }[]
}

export interface LoadedSkills {
  readonly skills: readonly Skill[]
  readonly diagnostics: readonly Diagnostic[]
  /** A project's skill files, for whoever asks a person to trust them. */
  readonly files: readonly { readonly path: string; readonly hash: string; readonly isTrusted: boolean }[]
}

const maxFileBytes = 512 * 1024
/** In one place: what lies in another is not crowded out. */
const maxSkills = 500

export async function loadSkills(options: SkillOptions): Promise<LoadedSkills> {
  const loaded = new SkillShelf(options)
  for (const place of placesOf(options)) {
    const files = filesOf(place)
    if (files.length > maxSkills) loaded.sayTooMany(place, files.length)
    for (const path of files.slice(0, maxSkills)) await loaded.add(path, place)
  }
  return { skills: [...loaded.skills.values()], diagnostics: loaded.diagnostics, files: loaded.files }
}

class SkillShelf {
  readonly skills = new Map<string, Skill>()
  readonly diagnostics: Diagnostic[] = []
  readonly files: LoadedSkills['files'][number][] = []
  readonly #options: SkillOptions

  constructor(options: SkillOptions) {
    this.#options = options
  }

  async add(path: string, { scope, within, prefix }: Place): Promise<void> {
    // A link may lead to a shared folder, but not out of the project, or out of the user's home.
    const guard = { maxBytes: maxFileBytes, within: [within], mustBeOurs: scope === 'project' }
    const file = await readGuardedFile(path, guard)
    if (!file) return
    if ('fault' in file) return this.#say(path, `skill-${file.code}`, `this skill is left out: ${file.fault}`)
    if (isSecret(foldPath(file.realPath)))
      return this.#say(path, 'skill-secret', `this skill is left out: ${file.realPath} may hold secrets`)
    if (scope === 'project' && !this.#isTrusted(path, file.hash))
      return this.#say(path, 'skill-untrusted', 'this skill is left out: it is not trusted as it is now')
    // Loaded with the first skill: who has none does not pay for it.
    const [{ readSkill }, { parsers }] = await Promise.all([
      import('../../core/brief/read-skill.js'),
      import('./parsers.js'),
    ])
    const read = readSkill({ path, directory: dirname(file.realPath), text: file.text, scope }, parsers.yaml)
    this.diagnostics.push(...read.diagnostics)
    if (!read.skill) return
    const name = prefix === undefined ? read.skill.name : `${prefix}:${read.skill.name}`
    if (this.skills.has(name)) this.#say(path, 'skill-twice', `another skill is already called ${name}`)
    else this.skills.set(name, { ...read.skill, name })
  }

  sayTooMany({ folder }: Place, count: number): void {
    this.#say(
      folder,
      'skills-many',
      `the last ${count - maxSkills} of ${count} skills are left out: ${maxSkills} count`,
    )
  }

  #isTrusted(path: string, hash: string): boolean {
    const { trust, projectDir } = this.#options
    const isTrusted = trust.isTrusted(projectDir, hash, path)
    this.files.push({ path, hash, isTrusted })
    return isTrusted
  }

  #say(file: string, code: string, message: string): void {
    this.diagnostics.push({ code, severity: 'warning', message, file })
  }
}

interface Place {
  readonly folder: string
  readonly scope: SkillScope
  readonly within: string
  readonly prefix?: string
}

function placesOf({ projectDir, home, configDir, further = [] }: SkillOptions): readonly Place[] {
  const below = (root: string, scope: SkillScope): readonly Place[] =>
    ['.offshoot', '.claude', '.agents'].map(name => ({ folder: join(root, name, 'skills'), scope, within: root }))
  const given = (scope: 'plugin' | 'managed'): readonly Place[] =>
    further
      .filter(each => each.scope === scope)
      .map(({ folder, prefix }) => ({ folder, scope, within: folder, ...(prefix && { prefix }) }))
  return [
    ...given('managed'),
    ...(projectDir === home ? [] : below(projectDir, 'project')),
    { folder: join(configDir, 'skills'), scope: 'user', within: configDir },
    ...below(home, 'user'),
    ...given('plugin'),
  ]
}

/** A plugin may name the folder of one skill. */
function filesOf({ folder, scope }: Place): readonly string[] {
  const isOne = scope === 'plugin' && listed(folder).some(({ name }) => name === 'SKILL.md')
  return isOne ? [join(folder, 'SKILL.md')] : skillFiles(folder)
}

/** In an order that does not depend on the disk. A skill may lie one folder deeper (`group/name/SKILL.md`). */
function skillFiles(folder: string, depth = 0): readonly string[] {
  const entries = listed(folder).sort((a, b) => (a.name < b.name ? -1 : 1))
  return entries.flatMap(entry => {
    if (!(entry.isDirectory() || entry.isSymbolicLink()) || entry.name.startsWith('.')) return []
    const inner = join(folder, entry.name)
    const hasSkill = listed(inner).some(({ name }) => name === 'SKILL.md')
    if (hasSkill) return [join(inner, 'SKILL.md')]
    return depth === 0 && entry.isDirectory() ? skillFiles(inner, 1) : []
  })
}

function listed(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
