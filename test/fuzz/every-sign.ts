/**
 * What one sign does that is no slip of the pen: letters that look the same, signs nobody sees or that control a screen, a
 * `#` that makes a comment of what stands behind it, a key cut by a colon, a line moved in or out, a line between two of a
 * limit, a fence on a line of its own anywhere in the front matter. As somebody from outside would damage a file.
 */
import type { SoundFile } from './sound-files.js'

export function everySign(file: SoundFile): Iterable<string> {
  return new Set([...signsIn(file), ...linesIn(file), ...(file.path.endsWith('.md') ? fencesIn(file) : [])])
}

function* signsIn({ text, limit }: SoundFile): Generator<string> {
  for (let at = limit.from; at <= limit.to; at++) {
    const [before, here, after] = [text.slice(0, at), text.slice(at, at + 1), text.slice(at + 1)]
    for (const sign of unseen) {
      yield before + sign + here + after
      if (at < limit.to) yield before + sign + after
    }
    if (at < limit.to && alike[here] !== undefined) for (const other of alike[here]) yield before + other + after
    for (const cut of cuts) yield before + cut + here + after
  }
}

function* linesIn({ text, limit }: SoundFile): Generator<string> {
  const starts = [...text.slice(limit.from, limit.to).matchAll(/(?<=\n)(?=.)/g)].map(({ index }) => limit.from + index)
  for (const at of starts) {
    const [before, after] = [text.slice(0, at), text.slice(at)]
    for (const line of between) yield `${before}${line}\n${after}`
    yield before + after.trimStart()
    yield before + after.replace(/^(\s*)- /, '$1')
    yield before + after.replace(/^(\s*)- /, '$1# ')
  }
  const [head, rest] = [text.slice(0, limit.from), text.slice(limit.from)]
  for (const shape of shapes) yield head + rest.replace(/^(["']?[\w-]+["']?)(\s*[:=])(.*)/, shape)
}

/** A fence on a line of its own, between any two letters of the front matter. */
function* fencesIn({ text, block }: SoundFile): Generator<string> {
  for (let at = block.from + 1; at < block.to; at++) yield `${text.slice(0, at)}\n---\n${text.slice(at)}`
}

const unseen = [
  '\u200b',
  '\u200d',
  '\u00ad',
  '\u202e',
  '\u2060',
  '\ufe0f',
  '\u0001',
  '\u001b',
  '\u007f',
  '\u0085',
  '\ufffd',
]
const alike: Readonly<Record<string, readonly string[]>> = {
  ...{
    a: ['а', 'ａ'],
    c: ['с'],
    e: ['е', 'ｅ'],
    i: ['і', 'ı'],
    o: ['о', 'ο'],
    p: ['р'],
    s: ['ѕ'],
    t: ['ｔ'],
    x: ['х'],
  },
  ...{ B: ['В', 'Ｂ'], E: ['Е'], R: ['Ｒ'], T: ['Т'], W: ['Ԝ'], u: ['ս'], ':': ['：', '∶'], '-': ['–', '‐'] },
  ...{ '"': ['“'], ',': ['，'], '[': ['［'], '*': ['＊'], _: ['＿'], '/': ['／'], '.': ['․'] },
}
const cuts = [' # ', ' #', '\n#', '\n# ', ': ', '\n', '\n\n', '\n  ', '\n- ', '\r']
const between = ['x: "', "x: '", 'x: [', 'x: {', 'prose: with: colons', 'memory: project', '- x', '"']
const shapes = ['- $1$2$3', '$1($3 )', '| $1 | $3 |', '$1 $3', '$1 =$3', '$1;$3', '"$1$2$3', '$1"$2$3', '$1\n$2$3']
