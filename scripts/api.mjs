// Writes docs/api.md from the sources: every name that package.json lets a user import, with the first sentence of its doc
// comment. `node scripts/api.mjs` checks, `--write` refreshes. It fails when the page is stale and when a name says nothing.
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Another tree can be named, which is how this script is tried itself.
const given = process.argv.indexOf('--root')
const root = given > 0 ? process.argv[given + 1] : dirname(dirname(fileURLToPath(import.meta.url)))
const page = join(root, 'docs', 'api.md')

const entries = entriesOf(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
const fresh = pageOf(entries)
const faults = entries.flatMap(({ door, names }) =>
  names.filter(({ says }) => !says).map(({ name, file }) => `${door}: ${name} has no doc comment (${file})`),
)
if (process.argv.includes('--write')) writeFileSync(page, fresh)
else faults.push(...staleLines(readFileSync(page, 'utf8')))
for (const fault of faults) console.error(fault)
const count = entries.reduce((sum, { names }) => sum + names.length, 0)
console.log(`docs/api.md: ${count} names behind ${entries.length} doors, ${faults.length} faults`)
process.exit(faults.length === 0 ? 0 : 1)

function entriesOf({ name, exports }) {
  return Object.entries(exports)
    .filter(([, target]) => typeof target === 'object')
    .map(([path, { types }]) => {
      const file = types.replace('./dist/', 'src/').replace(/\.d\.ts$/, '.ts')
      return { door: join(name, path), names: exportsOf(file).sort(byKindAndName) }
    })
}

/** What a module exports by hand: its own declarations, and what it takes from others. */
function exportsOf(file) {
  const text = readFileSync(join(root, file), 'utf8')
  const own = /^export (?:async )?(type|interface|function|const|class) (\w+)/gm
  const names = [...text.matchAll(own)].map(({ 1: kind, 2: name, index }) => ({
    name,
    file,
    isType: kind === 'type' || kind === 'interface',
    says: sentenceBefore(text, index),
  }))
  for (const [, type, list, from] of text.matchAll(/^export (type )?\{([^}]*)\} from '([^']+)'/gm)) {
    const there = exportsOf(join(dirname(file), from.replace(/\.js$/, '.ts')))
    for (const item of list.split(',').flatMap(part => part.trim().replace(/^type /, '') || [])) {
      const found = there.find(({ name }) => name === item)
      if (!found) throw new Error(`${file} exports ${item} from ${from}, which has no such name`)
      names.push({ ...found, isType: found.isType || Boolean(type) })
    }
  }
  return names
}

/** The first sentence of the comment that ends where the declaration begins. */
function sentenceBefore(text, index) {
  const comment = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n$/.exec(text.slice(0, index))?.[1]
  return comment && firstSentence(comment)
}

function firstSentence(comment) {
  const words = comment
    .replace(/\n\s*\*/g, ' ')
    .replace(/@\w[\s\S]*/, '')
    .replace(/\s+/g, ' ')
    .trim()
  return /^.*?\.(?= [A-Z`]|$)/.exec(words)?.[0] ?? words
}

function byKindAndName(one, other) {
  return Number(one.isType) - Number(other.isType) || one.name.localeCompare(other.name)
}

function pageOf(doors) {
  const sections = doors.map(({ door, names }) => {
    const lines = names.map(({ name, isType, says }) => `- ${isType ? 'type ' : ''}\`${name}\`: ${says}`)
    return `## \`${door}\`\n\n${lines.join('\n')}\n`
  })
  return `# Every public name

What can be imported, by door. A name that is not here can change any day. Each has its whole contract in its doc comment,
which an editor shows; this page has the first sentence. \`node scripts/api.mjs --write\` writes it.

${sections.join('\n')}`
}

function staleLines(kept) {
  if (kept === fresh) return []
  const [known, wanted] = [new Set(kept.split('\n')), new Set(fresh.split('\n'))]
  const gone = [...known].filter(line => !wanted.has(line)).map(line => `docs/api.md is stale: ${line}`)
  const missing = [...wanted].filter(line => !known.has(line)).map(line => `docs/api.md lacks: ${line}`)
  return [...gone, ...missing, 'run: node scripts/api.mjs --write']
}
