/**
 * `@agent` and `@file` in a prompt. A file's text is put below the prompt; an agent's name becomes a plain request to
 * hand the work to it, or, where that agent cannot run, a remark for the person. A word that is neither (`@types/node`,
 * a mail address) is left alone. What a person types names whatever file they like; the text of a command that others
 * wrote takes only what lies in its reach, and no secrets.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { isHeldHere, whyHeld } from '../../adapters/os/held-files.js'
import { readGuardedFile } from '../../adapters/sources/guarded-file.js'
import type { Catalog, CatalogEntry } from '../../core/catalog/catalog.js'
import { agentNamed } from '../../core/notices.js'
import { isSecret } from '../../core/permission/protected-paths.js'
import { foldPath } from '../../core/text/path-text.js'
import { cutToBytes } from '../../core/text/text.js'
import { messageOf } from '../../core/thrown.js'
import type { Refusal } from '../../core/types.js'
import { mentionsIn } from './mention-words.js'

export interface MentionSources {
  readonly agents: Pick<Catalog, 'lookup'>
  /** The text of a file, why it cannot be had, or nothing where there is nothing. */
  readonly read: (path: string) => FileText
}

type FileText = string | { readonly why: string } | undefined

export interface Expanded {
  readonly prompt: string
  /** For the person: agents that were named and will not be asked, files that are left out, why, and what to do. */
  readonly remarks: readonly string[]
  /** The prompt is for an agent that cannot run: it begins with its name. */
  readonly refusal?: Refusal
}

/** `placeOf`: where a word stands, when that is not what the person typed. */
export function expandMentions(
  prompt: string,
  { agents, read }: MentionSources,
  placeOf: (word: string) => string = () => '',
): Expanded {
  const additions: string[] = []
  const remarks: string[] = []
  let refusal: Refusal | undefined
  for (const [word, { written, isQuoted }] of mentionsIn(prompt)) {
    const entry = agents.lookup(word)
    if (entry?.state === 'active') {
      additions.push(agentNamed(entry.agent.name))
      continue
    }
    const text = read(word)
    if (entry) {
      const refused = `${written}: ${whyNotAsked(entry)}`
      remarks.push(refused)
      if (text === undefined && isFor(prompt, written)) refusal = { rule: hindrance(entry).rule, refused }
    }
    const leave = (why: string) => entry || remarks.push(`${written}${placeOf(word)} is left out: ${why}`)
    if (typeof text === 'object') leave(text.why)
    else if (text !== undefined) additions.push(`<file path="${word.replaceAll('"', '&quot;')}">\n${text}\n</file>`)
    else if (isQuoted) leave('there is no such file')
  }
  return { prompt: [prompt, ...additions].join('\n\n'), remarks, ...(refusal && { refusal }) }
}

/** `@reviewer, look`: and not `@reviewer.md is a draft`. */
function isFor(prompt: string, written: string): boolean {
  const text = prompt.trimStart()
  return text.startsWith(written) && /^(?:$|[^\w./-]|\.(?:\s|$))/.test(text.slice(written.length))
}

/** A command that others wrote, filled in. */
export interface ForeignCommand {
  readonly name: string
  /** What the person typed behind it. */
  readonly rest: string
  readonly reach: readonly string[]
}

/** The same for the filled text of such a command: what it names by itself is read under guard, or said to be left out. */
export async function expandCommand(
  prompt: string,
  { name, rest, reach }: ForeignCommand,
  { agents, read, cwd }: MentionSources & { readonly cwd: string },
): Promise<Expanded> {
  const typed = mentionsIn(rest)
  const found = new Map<string, FileText>()
  for (const word of mentionsIn(prompt).keys())
    if (!typed.has(word)) found.set(word, await readInReach(resolve(cwd, word), reach))
  const readTyped = (word: string) => (typed.has(word) ? read(word) : found.get(word))
  return expandMentions(prompt, { agents, read: readTyped }, word => (typed.has(word) ? '' : ` in /${name}`))
}

async function readInReach(
  path: string,
  within: readonly string[],
): Promise<string | { readonly why: string } | undefined> {
  if (isSecret(foldPath(path))) return existsSync(path) ? { why: 'it may hold secrets' } : undefined
  const file = await readGuardedFile(path, { maxBytes: maxGuardedBytes, within })
  if (file === undefined) return undefined
  if ('fault' in file) return { why: file.code === 'file-outside' ? 'it lies outside the project' : file.fault }
  return isSecret(foldPath(file.realPath)) ? { why: 'it may hold secrets' } : bounded(file.text)
}

const maxGuardedBytes = 1024 * 1024

function whyNotAsked(entry: CatalogEntry): string {
  const { name, source } = entry.agent
  const file = source.path === undefined ? '' : ` (${source.path})`
  const { state, remedy } = hindrance(entry)
  return `the agent ${name}${file} is ${state}, so nothing is handed to it${remedy && `; ${remedy}`}`
}

/** What a list of suggestions says beside an agent that cannot run. Its own words are not shown: nobody trusts them yet. */
export function shortWhyNot(entry: CatalogEntry): string {
  const { state, remedy } = hindrance(entry)
  return remedy ? `${state}; ${remedy}` : state
}

function hindrance({ agent, state }: CatalogEntry): {
  readonly rule: string
  readonly state: string
  readonly remedy: string
} {
  const { isTrusted, scope } = agent.source
  const isBrought = scope === 'project' || scope === 'plugin'
  const untrusted = 'agent-untrusted'
  if (!isTrusted && isBrought)
    return { rule: untrusted, state: 'not trusted yet', remedy: 'read it, then: offshoot trust' }
  const lint = '"offshoot agents lint" says why'
  if (!isTrusted) return { rule: untrusted, state: 'not trusted', remedy: lint }
  return state === 'quarantined'
    ? { rule: 'agent-quarantined', state, remedy: lint }
    : { rule: 'agent-disabled', state: 'switched off', remedy: '' }
}

/** Agents that have a name for themselves and cannot run. */
export const unusableAgents = (catalog: Pick<Catalog, 'all'>): readonly CatalogEntry[] =>
  catalog.all().filter(({ state, shadowedBy }) => state !== 'active' && shadowedBy === undefined)

const maxFileBytes = 64 * 1024

/** Files as the user sees them from `cwd`. What is too large is cut, and says so. */
export function fileReader(cwd: string): (path: string) => FileText {
  return path => {
    try {
      const full = resolve(cwd, path)
      const stat = statSync(full)
      if (stat.isDirectory()) return { why: 'it is a folder; name its files, or have them looked for' }
      if (!stat.isFile()) return { why: 'it is no file' }
      if (isHeldHere(stat)) return { why: `it ${whyHeld}` }
      const bytes = readFileSync(full)
      return bytes.includes(0) ? { why: 'it holds no text' } : bounded(bytes.toString('utf8'))
    } catch (error) {
      const code = (error as { code?: string }).code ?? ''
      if (nothingThere.has(code)) return isNamedLikeFile.test(path) ? { why: 'there is no such file' } : undefined
      return { why: messageOf(error) }
    }
  }
}

/** By its extension, or by how it begins; `@types/node` and `@bob` may be anything. */
const isNamedLikeFile = /^(?:\.{0,2}|~)\/|\.[A-Za-z][A-Za-z\d]{0,7}$/

const nothingThere: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE'])

function bounded(text: string): string {
  const shown = cutToBytes(text, maxFileBytes)
  if (shown.length === text.length) return shown
  return `${shown}\n[… cut: ${Buffer.byteLength(text)} bytes in all; Read shows the rest]`
}
