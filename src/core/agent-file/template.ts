/**
 * A file to copy from. It lies among the agents, and its front matter is that of one: loaded, it would be offered, and say
 * "do not invoke". Both its place and its name must tell, since a name alone may be anybody’s (`template-writer`), unless it
 * has a gap to fill in, or the file is called `_template`.
 */
import type { Entry } from './block.js'
import { fieldOf } from './field-table.js'
import { stemOf } from './file-name.js'

export function isTemplate(path: string, entries: readonly Entry[]): boolean {
  if (isUnnamed(entries)) return true
  const name = entries.find(entry => fieldOf(entry.key) === 'name')?.value
  if (typeof name === 'string' && inBrackets.test(name)) return true
  const isAmong = saysTemplate.test(stemOf(path)) || amongTemplates.test(path)
  if (isAmong && hasGap(name)) return true
  if (!mayBeTemplate(path)) return false
  if (/^_+template$/i.test(stemOf(path))) return true
  // `name: {agent-name}` and `name: [agent-name]` are no text in YAML.
  return typeof name !== 'string' || stillToFill.test(name.trim()) || saysName.test(name.trim())
}

/** `{{AGENT_NAME}}`, `<AGENT_NAME>`: nobody is called so, wherever the file lies. In YAML the first is no text. */
export function isUnnamed(entries: readonly Entry[]): boolean {
  const named = entries.filter(entry => fieldOf(entry.key) === 'name')
  const [{ value, raw = '' } = { value: undefined }] = named
  const written = (typeof value === 'string' ? value : raw).trim()
  return named.length === 1 && /^(?:\{\{[^{}]{1,80}\}\}|<[A-Za-z][\w -]{0,60}>$)/.test(written)
}

/** `{language}-developer`, and `[Agent Name]`, which is a list in YAML. */
const hasGap = (name: unknown): boolean =>
  typeof name === 'string' ? /^[[{<][^\]}>]{1,80}[\]}>]/.test(name) : typeof name === 'object' && name !== null
const saysTemplate = /(?:^|[-_.])template(?:[-_.]|$)/i
const amongTemplates = /(?:^|[/\\])_?templates?[/\\][^/\\]+$/i

/** By its own name, or that of the folder it lies in. */
export function mayBeTemplate(path: string): boolean {
  if (!/template/i.test(path)) return false
  const folder = /([^/\\]*)[/\\][^/\\]*$/.exec(path)?.[1] ?? ''
  return templateName.test(stemOf(path)) || templateFolder.test(folder)
}

const templateName = /^_{0,2}(?:(?:sub)?agent[-_ .]?)?template$/i
const templateFolder = /^_templates?$/i
/** `the-[role-name]`, `${agent}`: wherever it lies, nobody is called so. */
const inBrackets = /\[(?:[\w ]+[-_ ])?name\]|^\$\{[^}]*\}$/i
const stillToFill =
  /^(?:[[{<].*[\]}>]|_*(?:(?:sub)?agent[-_ ])?template(?:[-_ ](?:sub)?agent)?|(?:(?:your|my|new|the)[-_ ])?(?:sub)?agent(?:[-_ ]name)?|your[-_ ].+)$/i
/** `role-name`, `nombre-del-agente`, and the same in other alphabets: where a name belongs, it says "name". */
const saysName = /(?:^|[-_ ])(?:name|nom|nombre|nome|имя)(?:[-_ ]|$)|名(?:[前称稱])?$|이름$|^اسم[-_ ]/i
