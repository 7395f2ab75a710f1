/**
 * Damages sound files of every dialect, and real ones where they lie beside the checkout, and counts what came out wider:
 * `npm run test:fuzz -- SLIPS RUNS [SEED] [letters|pieces]` takes a sample, `npm run test:fuzz -- every 1|2|pieces|signs` all there
 * are; with a word more (`sound`, `kiro`, `odd`, `foreign`, `real`) at the end, in these files only.
 * What is sound by itself is counted apart. Ends with 1 when anything else is wider, and prints the first of each kind.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { damage, isDamage, randomOf } from './damage.js'
import { everySign } from './every-sign.js'
import { everyPiece, everySlip, everySlipOfKeys, everyTwoSlipsOfKeys } from './every-slip.js'
import { isPastReading, isSoundInItsPlace } from './sound-alone.js'
import { foreignFiles, kiroFiles, oddFiles, type SoundFile, soundFiles } from './sound-files.js'
import { agentOf, readText, wideningOf } from './widened.js'

const families = { sound: soundFiles, kiro: kiroFiles, odd: oddFiles, foreign: foreignFiles }
const family = process.argv.slice(2).find(word => word in families || word === 'real')
const own = Object.entries(families).flatMap(([name, files]) => (name === (family ?? name) ? files : []))
const real = (family ?? 'real') === 'real' ? realFiles(join(process.cwd(), '../shared/corpus')) : []
const kinds: Readonly<Record<string, Kind>> = {
  1: { title: 'single slip', ofOwn: everySlip, ofReal: everySlipOfKeys },
  2: { title: 'pair of slips in a key', ofOwn: everyTwoSlipsOfKeys },
  signs: { title: 'sign from outside', ofOwn: everySign, ofReal: everySign },
  pieces: { title: 'piece lost or doubled', ofOwn: everyPiece, ofReal: everyPiece },
}
const counts = { damaged: 0, soundAlone: 0, pastReading: 0, wider: 0, moreTools: 0, withKey: 0, silent: 0 }
const examples = new Map<string, string[]>()
const { title, damages } = process.argv[2] === 'every' ? everyDamage(process.argv[3] ?? '1') : sampleOfDamages()

for (const [file, damaged] of damages) {
  counts.damaged++
  const what = wideningOf(file, damaged)
  if (what === undefined) continue
  if (isSoundInItsPlace(file, damaged)) {
    counts.soundAlone++
    continue
  }
  if (isPastReading(file, damaged)) {
    counts.pastReading++
    continue
  }
  counts.wider++
  if (/tool|rule|mode|guard|delegation/.test(what)) counts.moreTools++
  if (keysOf(file).every(key => damaged.includes(key))) counts.withKey++
  if (readText(damaged, file.path).diagnostics.length === 0) counts.silent++
  const known = examples.get(what) ?? []
  if (known.length < 20) examples.set(what, [...known, whatChanged(file.text, damaged)])
}

for (const [what, texts] of examples) console.log(`${what}\n  ${texts.join('\n  ')}`)
console.log(
  `${title}: ${counts.damaged} damaged files of ${own.length + real.length}; wider ${counts.wider} (tools, rules, modes: ` +
    `${counts.moreTools}; their keys still written: ${counts.withKey}; nothing said: ${counts.silent}); ${counts.soundAlone} more are sound files of their own, ` +
    `of ${counts.pastReading} a word of the limit is past reading`,
)
process.exitCode = counts.wider > 0 ? 1 : 0

interface Kind {
  readonly title: string
  readonly ofOwn: (file: SoundFile) => Iterable<string>
  readonly ofReal?: (file: SoundFile) => Iterable<string>
}

interface Damages {
  readonly title: string
  readonly damages: Iterable<readonly [file: SoundFile, damaged: string]>
}

function sampleOfDamages(): Damages {
  const [slips = 2, runs = 100_000, seed = 1] = process.argv.slice(2, 5).map(Number)
  const kind = process.argv[5] === 'pieces' ? 'pieces' : 'letters'
  const files = [...own, ...real]
  const random = randomOf(seed * 7919 + slips)
  function* damages(): Damages['damages'] {
    for (let run = 0; run < runs; run++) {
      const file = files[run % files.length]!
      const damaged = damage(file, slips, random, kind)
      if (damaged !== undefined) yield [file, damaged]
    }
  }
  return { title: `${slips} slips of ${kind}`, damages: damages() }
}

/** One slip anywhere in the limits of our own files and in the keys of the real ones; a piece there; or two slips in their keys. */
function everyDamage(kind: string): Damages {
  const { title, ofOwn, ofReal } = kinds[kind] ?? kinds['1']!
  function* damages(): Damages['damages'] {
    for (const file of own) for (const text of ofOwn(file)) if (isDamage(file, text)) yield [file, text]
    for (const file of real) for (const text of ofReal?.(file) ?? []) if (isDamage(file, text)) yield [file, text]
  }
  return { title: `every ${title}`, damages: damages() }
}

/** The keys of what limits the agent, with the colon or what else stands behind them. */
function keysOf({ text, limit }: SoundFile): readonly string[] {
  const lines = text.slice(limit.from, limit.to).split('\n')
  const edge = /^\s*/.exec(lines[0]!)![0].length
  return lines.flatMap(line =>
    line.search(/\S/) > edge ? [] : (/^\s*["']?[\w-]+["']?\s*[:=]/.exec(line)?.[0].trim() ?? []),
  )
}

function whatChanged(before: string, after: string): string {
  let head = 0
  while (head < before.length && before[head] === after[head]) head++
  let tail = 0
  while (tail < Math.min(before.length, after.length) - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++
  const from = Math.max(0, before.lastIndexOf('\n', head - 1), head - 40)
  const shown = (text: string) => JSON.stringify(text.slice(from, text.length - tail + 25))
  return `${shown(before)}  ->  ${shown(after)}`
}

/** Real files with a line of tools: that line is their limit. */
function realFiles(folder: string): readonly SoundFile[] {
  return pathsIn(folder).flatMap(path => {
    const whole = readFileSync(path, 'utf8')
    const block = /^---\n([\s\S]*?)\n---\n/.exec(whole)?.[1]
    const line = block === undefined ? undefined : /^(?:tools|disallowedTools): ?\S.*$/m.exec(block)
    if (block === undefined || !line || block.length > 1200) return []
    const text = `---\n${block}\n---\nYou are a probe.\n`
    const from = 4 + line.index
    const to = from + line[0].length
    const file = { path, text, bare: text.slice(0, from) + text.slice(to + 1), limit: { from, to } }
    const isLimited = agentOf(readText(text, path)) && agentOf(readText(file.bare, path))?.tools === 'all'
    return isLimited ? [{ ...file, block: { from: 4, to: 4 + block.length } }] : []
  })
}

function pathsIn(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    return entries
      .filter(entry => entry.isFile() && entry.name.endsWith('.md'))
      .map(entry => join(entry.parentPath, entry.name))
      .sort()
  } catch {
    console.log('no real files beside the checkout; the sound ones alone')
    return []
  }
}
