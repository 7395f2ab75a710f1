// Holds docs/promises.md against the tests: `node scripts/promises.mjs` checks, `--write` refreshes its tables.
//
// The page owns the list: a table row that begins with an id (`| P22 | what must hold | … |`) is a promise, and its last
// cell names the tests whose titles carry that id. It fails when an id has no test, when the page names a test that does
// not exist, and when it is stale. Rows under the heading "Not yet promised" need no test. Where the folder with the
// requirements lies beside the project, the page must have every id of it.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { titlesOf } from './test-titles.mjs'

// Another tree can be named, which is how this script is tried itself.
const given = process.argv.indexOf('--root')
const root = given > 0 ? process.argv[given + 1] : dirname(dirname(fileURLToPath(import.meta.url)))
const page = join(root, 'docs', 'promises.md')
const idCell = /^\| ([A-Z]\d{1,2}) \| (.*?) \| (.*) \|$/
const shownTitles = 3

const text = readFileSync(page, 'utf8')
const rows = rowsOf(text)
const tests = testsById(rows)
const fresh = text
  .split('\n')
  .map(line => freshLine(line))
  .join('\n')
const faults = [...faultsOf(rows), ...missingIds(rows), ...(process.argv.includes('--write') ? [] : staleRows())]

if (process.argv.includes('--write')) writeFileSync(page, fresh)
for (const fault of faults) console.error(fault)
const kept = rows.filter(({ isDeferred }) => !isDeferred).length
console.log(`docs/promises.md: ${kept} promises, ${rows.length - kept} not yet promised, ${faults.length} faults`)
process.exit(faults.length === 0 ? 0 : 1)

function rowsOf(source) {
  let isDeferred = false
  return source.split('\n').flatMap((line, index) => {
    if (line.startsWith('## ')) isDeferred = line === '## Not yet promised'
    const match = idCell.exec(line)
    return match ? [{ id: match[1], tests: match[3], line: index + 1, isDeferred }] : []
  })
}

/** Every test whose title carries an id of the page, in the order of files. */
function testsById(all) {
  const found = new Map(all.map(({ id }) => [id, []]))
  for (const file of testFiles()) {
    for (const { title, ids, isGroup } of titlesOf(readFileSync(file, 'utf8'), file)) {
      const named = new Set([...ids, ...(title.match(/\b[A-Z]\d{1,2}\b/g) ?? [])])
      for (const id of named) found.get(id)?.push({ file: relative(root, file), title, isGroup })
    }
  }
  for (const [id, tests] of found) found.set(id, withoutGroups(tests))
  return found
}

/** A group is named only where no test of its file is. */
function withoutGroups(tests) {
  const files = new Set(tests.filter(({ isGroup }) => !isGroup).map(({ file }) => file))
  return tests.filter(({ file, isGroup }) => !isGroup || !files.has(file))
}

function testFiles() {
  return ['src', 'test']
    .filter(folder => existsSync(join(root, folder)))
    .flatMap(folder =>
      readdirSync(join(root, folder), { recursive: true })
        .filter(name => /\.test\.tsx?$/.test(name))
        .map(name => join(root, folder, name)),
    )
    .sort()
}

function freshLine(line) {
  const match = idCell.exec(line)
  if (!match || rows.find(({ id }) => id === match[1])?.isDeferred) return line
  return `| ${match[1]} | ${match[2]} | ${cellOf(tests.get(match[1]))} |`
}

/** `[file](link): title` for the first few, with a count of the others. */
function cellOf(found) {
  if (found.length === 0) return 'none'
  const shown = found.slice(0, shownTitles).map(({ file, title }) => `[${nameOf(file)}](../${file}): ${inCell(title)}`)
  if (found.length > shownTitles) shown.push(`and ${found.length - shownTitles} more`)
  return shown.join('<br>')
}

function nameOf(file) {
  return file.replace(/^.*\//, '').replace(/\.test\.tsx?$/, '')
}

/** A title inside a table: one line, and none of its signs mean anything. */
function inCell(title) {
  return title
    .replace(/\s+/g, ' ')
    .replaceAll('<', '&lt;')
    .replace(/[|*_`$]/g, '\\$&')
}

function faultsOf(all) {
  const seen = new Set()
  return all.flatMap(({ id, line, isDeferred }) => {
    const isTwice = seen.has(id)
    seen.add(id)
    if (isTwice) return [`docs/promises.md:${line}: ${id} stands here twice`]
    return isDeferred || tests.get(id).length > 0 ? [] : [`docs/promises.md:${line}: no test has ${id} in its title`]
  })
}

function staleRows() {
  const now = fresh.split('\n')
  return rows.flatMap(({ id, line, tests: shown, isDeferred }) => {
    if (isDeferred || now[line - 1] === text.split('\n')[line - 1]) return []
    const real = new Set((tests.get(id) ?? []).map(found => cellOf([found])))
    const gone = shown.split('<br>').filter(cell => cell !== 'none' && !/^and \d+ more$/.test(cell) && !real.has(cell))
    const what = gone.length > 0 ? `names tests that do not exist: ${gone.join('; ')}` : 'is stale'
    return [`docs/promises.md:${line}: the row of ${id} ${what}. Run node scripts/promises.mjs --write`]
  })
}

/** Ids of the requirements that the page does not have; nothing where they are not at hand. */
function missingIds(all) {
  const shared = ['../shared', '../../shared']
    .map(place => join(root, place))
    .find(place => existsSync(join(place, 'BEHAVIOURS.md')))
  if (!shared) return []
  const behaviours = readFileSync(join(shared, 'BEHAVIOURS.md'), 'utf8').match(/\b[FXSOCP]\d{1,2}\b/g) ?? []
  const cases = readFileSync(join(shared, 'security-cases.jsonl'), 'utf8').trim().split('\n')
  const wanted = new Set([...behaviours, ...cases.map(line => JSON.parse(line).id)])
  const have = new Set(all.map(({ id }) => id))
  return [...wanted]
    .filter(id => !have.has(id))
    .map(id => `docs/promises.md: ${id} of the requirements is not on the page`)
}
