/** What could be meant by the word under the cursor: `/command` at the start, `@agent` and `@file` anywhere. */
import type { Editor } from './editor.js'

export interface Suggestion {
  /** Goes in place of the word. */
  readonly text: string
  readonly about: string
}
export interface Suggestions {
  readonly items: readonly Suggestion[]
  readonly selected: number
  /** The part of the text they would replace. */
  readonly from: number
  readonly to: number
}
export interface SuggestionSources {
  readonly commands: readonly { readonly name: string; readonly about: string }[]
  readonly agents: readonly { readonly name: string; readonly about: string }[]
  readonly files: readonly string[]
}

const most = 8

export function suggest({ text, cursor }: Editor, sources: SuggestionSources): Suggestions | undefined {
  const before = text.slice(0, cursor)
  const slash = /^\/([\w:-]*)$/.exec(before)
  if (slash) {
    const items = rank(slash[1]!, sources.commands, command => command.name).map(({ name, about }) => ({
      text: `/${name}`,
      about,
    }))
    return found(items, 0, cursor)
  }
  const mention = /(?:^|\s)@([^\s@]*)$/.exec(before)
  if (!mention) return undefined
  const word = mention[1]!
  const agents = rank(word, sources.agents, agent => agent.name).map(({ name, about }) => ({ text: `@${name}`, about }))
  const files = rank(word, sources.files, file => file).map(file => ({ text: `@${file}`, about: '' }))
  const shownAgents = agents.slice(0, word === '' ? most : 3)
  return found([...shownAgents, ...files], cursor - word.length - 1, cursor)
}

function found(items: readonly Suggestion[], from: number, to: number): Suggestions | undefined {
  return items.length === 0 ? undefined : { items: items.slice(0, most), selected: 0, from, to }
}

/** Beginnings first, then words that hold it, then its letters in order; shorter ones before longer ones. */
function rank<T>(word: string, candidates: readonly T[], nameOf: (candidate: T) => string): readonly T[] {
  const key = word.toLowerCase()
  const scored = candidates.flatMap((candidate, index) => {
    const score = likeness(key, nameOf(candidate).toLowerCase())
    return score === undefined ? [] : [{ candidate, index, score }]
  })
  return scored.sort((a, b) => a.score - b.score || a.index - b.index).map(({ candidate }) => candidate)
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
