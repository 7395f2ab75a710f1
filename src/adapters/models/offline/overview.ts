/** What a project is, in its own words: the readme, the manifest and the folders at the top. */
import { disclaimer } from './introduction.js'
import type { Call, Script } from './script.js'
import { readLines } from './tool-output.js'

export function* exploreProject(has: (tool: string) => boolean): Script {
  const [listing] = has('LS') ? yield [{ name: 'LS', input: { path: '.' } }] : []
  const entries = listing?.isMissing === false ? readEntries(listing.text) : ['README.md', 'package.json']
  if (entries.length === 0) return [emptyFolder, '', disclaimer].join('\n')
  const readme = entries.find(name => /^readme\b/i.test(name))
  const manifest = manifests.map(({ file }) => file).find(file => entries.includes(file))
  const wanted = [readme, manifest].filter(name => name !== undefined)
  const answers = has('Read') && wanted.length > 0 ? yield wanted.map(readStart) : []
  const textOf = (name: string | undefined) => {
    const answer = name === undefined ? undefined : answers[wanted.indexOf(name)]
    return answer && !answer.isMissing ? readLines(answer.text) : []
  }
  return [
    ...describeReadme(readme, textOf(readme)),
    ...describeManifest(manifest, textOf(manifest)),
    ...describeFolders(entries),
    disclaimer,
  ].join('\n')
}

const emptyFolder = 'This folder is empty, or all that is in it is ignored: there is nothing to tell of.'

const manifests: readonly { file: string; facts: RegExp }[] = [
  { file: 'package.json', facts: /^\s*"(?<key>name|description|version|type|license)": "(?<value>[^"]+)"/ },
  { file: 'pyproject.toml', facts: /^(?<key>name|description|version|requires-python)\s*=\s*"(?<value>[^"]+)"/ },
  { file: 'Cargo.toml', facts: /^(?<key>name|description|version|edition)\s*=\s*"(?<value>[^"]+)"/ },
  { file: 'go.mod', facts: /^(?<key>module|go)\s+(?<value>\S+)/ },
]

interface Line {
  readonly line: number
  readonly text: string
}

const readStart = (name: string): Call => ({ name: 'Read', input: { file_path: name, offset: 1, limit: 120 } })

function readEntries(listing: string): string[] {
  return listing
    .split('\n')
    .slice(1)
    .map(row => row.replace(/ \([^)]*\)$| -> .*$/, '').trim())
    .filter(row => row !== '' && !noEntry.test(row))
}

/** What the tool says itself. */
const noEntry = /^\[(?:empty|\d+ of \d+ entries; .*)\]$/

function describeReadme(name: string | undefined, lines: readonly Line[]): string[] {
  const prose = lines.filter(({ text }) => /^[A-Za-z*_`"]/.test(text))
  if (name === undefined || prose.length === 0)
    return ['There is no readme to quote; this is what the folder itself shows.', '']
  const title = lines.find(({ text }) => /^#\s/.test(text))
  const first = prose[0]!
  const paragraph = lines.slice(lines.indexOf(first)).slice(0, 6)
  const end = paragraph.findIndex(({ text }) => text.trim() === '')
  const quoted = (end < 0 ? paragraph : paragraph.slice(0, end)).map(({ text }) => text.trim()).join(' ')
  const sections = lines
    .filter(({ text }) => /^##\s/.test(text))
    .map(({ line, text }) => `  - ${name}:${line} · ${text.replace(/^#+\s*/, '')}`)
  return [
    `${title ? `${title.text.replace(/^#\s*/, '')}: ` : ''}${quoted}`,
    `(${name}:${first.line})`,
    '',
    ...(sections.length > 0 ? ['Its readme covers:', ...sections.slice(0, 8), ''] : []),
  ]
}

function describeManifest(name: string | undefined, lines: readonly Line[]): string[] {
  const facts = manifests.find(({ file }) => file === name)?.facts
  if (!facts) return []
  const told = lines.flatMap(({ line, text }) => {
    const found = facts.exec(text)?.groups
    return found ? [`  - ${name}:${line} · ${found.key} ${found.value}`] : []
  })
  return told.length > 0 ? [`${name} says:`, ...told.slice(0, 6), ''] : []
}

function describeFolders(entries: readonly string[]): string[] {
  const folders = entries.filter(name => name.endsWith('/') && !/^(\.|node_modules)/.test(name))
  if (folders.length > 0) return [`Folders at the top: ${folders.slice(0, 20).join(' ')}`, '']
  const files = entries.filter(name => !name.endsWith('/'))
  return files.length > 0 ? [`Files at the top: ${files.slice(0, 20).join(' ')}`, ''] : []
}
