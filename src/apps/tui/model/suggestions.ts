/** What could be meant by the word under the cursor: `/command` at the start, `@agent` and `@file` anywhere. */
import { mentionOf, openMention } from '../../session/mention-words.js'
import { type Editor, isBrowsing } from './editor.js'
import type { SlashCommand } from './slash-command.js'

export interface Suggestion {
  /** Goes in place of the word. */
  readonly text: string
  readonly about: string
  /** A command that takes nothing behind it: Enter sends it. */
  readonly isWhole?: boolean
}
export interface Suggestions {
  readonly items: readonly Suggestion[]
  readonly selected: number
  /** Like these, and not shown: another letter finds them. */
  readonly more?: number
  /** The part of the text they would replace. */
  readonly from: number
  readonly to: number
}
export interface SuggestionSources {
  readonly commands: readonly Pick<SlashCommand, 'name' | 'about' | 'arguments'>[]
  readonly agents: readonly { readonly name: string; readonly about: string }[]
  readonly files: readonly string[]
}

const most = 8

export function suggest(editor: Editor, sources: SuggestionSources): Suggestions | undefined {
  // Up and Down go through the history then, and not through a list.
  if (isBrowsing(editor)) return undefined
  const { text, cursor } = editor
  const before = text.slice(0, cursor)
  const slash = /^\/([\w:.-]*)$/.exec(before)
  if (slash) {
    const commands = sources.commands.map(command => {
      const { name, about } = command
      return { name, text: `/${name}`, about, ...(command.arguments === undefined && { isWhole: true }) }
    })
    return found(rank(slash[1]!, commands), 0, cursor)
  }
  const mention = openMention(before)
  if (!mention) return undefined
  const agents = sources.agents.map(({ name, about }) => ({ name, text: `@${name}`, about }))
  const files = sources.files.map(name => ({ name, text: mentionOf(name), about: '' }))
  return found(rank(mention.name, [...agents, ...files]), cursor - mention.length, cursor)
}

function found(items: readonly Suggestion[], from: number, to: number): Suggestions | undefined {
  if (items.length === 0) return undefined
  const more = items.length - most
  return { items: items.slice(0, most), selected: 0, from, to, ...(more > 0 && { more }) }
}

/** Beginnings first, then words that hold it, then its letters in order; shorter ones before longer ones. */
function rank(word: string, candidates: readonly (Suggestion & { readonly name: string })[]): readonly Suggestion[] {
  const key = word.toLowerCase()
  return candidates
    .flatMap(({ name, ...suggestion }, index) => {
      const score = likeness(key, name.toLowerCase())
      return score === undefined ? [] : [{ suggestion, index, score }]
    })
    .sort((a, b) => a.score - b.score || a.index - b.index)
    .map(({ suggestion }) => suggestion)
}

function likeness(key: string, name: string): number | undefined {
  if (key === '') return 0
  const last = name.slice(name.lastIndexOf('/', name.length - 2) + 1)
  if (name.startsWith(key) || last.startsWith(key)) return name.length
  if (name.includes(key)) return 1000 + name.length
  let at = 0
  for (const letter of name) if (letter === key[at]) at += 1
  return at === key.length ? 2000 + name.length : undefined
}

export function acceptSuggestion(editor: Editor, { items, selected, from, to }: Suggestions): Editor {
  const item = items[selected]
  if (!item) return editor
  const isFolder = item.text.endsWith('/')
  const inserted = isFolder ? item.text : `${item.text} `
  const text = editor.text.slice(0, from) + inserted + editor.text.slice(to).replace(/^ /, '')
  return { ...editor, text, cursor: from + inserted.length }
}
