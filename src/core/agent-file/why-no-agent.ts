/** Documents, commands, skills and notes lie beside agents everywhere: loading one would offer nonsense to a model. */
import { isRecord } from '../record.js'
import type { Entry } from './block.js'
import type { Code } from './diagnostic-codes.js'
import { isElsewhere } from './dialect.js'
import { fieldOf } from './field-table.js'
import { stemOf } from './file-name.js'
import { isTemplate } from './template.js'

export function whyNoAgent(
  path: string,
  entries: readonly Entry[],
): { readonly code: Code; readonly message: string } | undefined {
  if (entries.length === 0) return { code: 'empty-front-matter', message: 'the front matter names nothing' }
  const fields = new Set(entries.map(entry => fieldOf(entry.key)))
  const stem = stemOf(path)
  if (stem.toLowerCase() === 'skill') return { code: 'not-an-agent', message: 'a skill' }
  if (isElsewhere(path)) return { code: 'not-an-agent', message: 'a file of another kind, by the folder it lies in' }
  if (prompts.some(end => path.toLowerCase().endsWith(end)))
    return { code: 'not-an-agent', message: 'a prompt or instructions' }
  if (entries.some(isMemory)) return { code: 'not-an-agent', message: 'a note of a memory' }
  if (entries.some(entry => styleKeys.has(entry.key))) return { code: 'not-an-agent', message: 'an output style' }
  if (entries.some(isOtherKind)) return { code: 'not-an-agent', message: 'a file of another kind, by its type' }
  if (isTemplate(path, entries))
    return { code: 'not-an-agent', message: 'a template, whose name is still to be filled in' }
  if (fields.has('name')) return undefined
  const isCopilot = /\.(?:agent|chatmode)\.md$|(?:^|\/)\.github\//i.test(path)
  if (!isCopilot && entries.some(entry => commandKeys.has(entry.key)))
    return { code: 'not-an-agent', message: 'a command' }
  if (documentStem.test(stem)) return { code: 'not-an-agent', message: 'a document without a name' }
  const isAgentLike = agentFields.some(field => fields.has(field))
  if (!isAgentLike && !isCopilot && entries.some(isOpencodeCommand))
    return { code: 'not-an-agent', message: 'a command' }
  const isPage = entries.some(entry => pageKeys.has(entry.key.toLowerCase()))
  if (isAgentLike || (fields.has('description') && !isPage)) return undefined
  return { code: 'not-an-agent', message: 'its front matter is that of a document' }
}

/** Claude keeps notes with a name and a description; they say what they are. */
function isMemory({ key, value }: Entry): boolean {
  return key === 'metadata' && isRecord(value) && value.node_type === 'memory'
}

/** `type: prompt`. Agents have types, too (`documentation` writes it): only what none of them is called counts. */
function isOtherKind({ key, value }: Entry): boolean {
  return key === 'type' && typeof value === 'string' && otherKinds.test(value)
}

const otherKinds = /^(?:(?:slash[-_ ])?commands?|prompts?|skills?)$/i

/** opencode's commands say who is to do it, and whether in a conversation of its own. */
function isOpencodeCommand({ key, value }: Entry): boolean {
  return (key === 'agent' && typeof value === 'string') || (key === 'subtask' && typeof value === 'boolean')
}

/** Of Claude Code's output styles only. */
const styleKeys = new Set(['keep-coding-instructions', 'force-for-plugin'])
const prompts: readonly string[] = ['.prompt.md', '.instructions.md']
/** Keys of slash commands, which have no name. */
const commandKeys = new Set(['argument-hint', 'allowed-tools'])
const documentStem =
  /^(?:readme|claude|agents|gemini|index|skill|changelog|contributing|license|memory|copilot-instructions)(?:[._-].*)?$/i
const agentFields = ['tools', 'model', 'disallowedTools', 'permissionMode', 'systemPrompt', 'mode'] as const
const pageKeys = new Set([
  'title',
  'layout',
  'date',
  'permalink',
  'slug',
  'sidebar',
  'nav_order',
  'globs',
  'applyto',
  'alwaysapply',
  'inclusion',
  'paths',
])
