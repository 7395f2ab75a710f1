/**
 * What an Explore run hands to its caller: made for people, and exact enough for main to read it back.
 * A place is `N. path:line — symbol`, then indented `key: value` lines and the excerpt as `line | text`.
 */
import type { Finding, Findings } from './finding.js'
import type { Question } from './question.js'

export function writeReport(question: Question, angle: string, { findings, failed }: Findings): string {
  const head = `Keyword search by offline/scout (not a language model). Angle: ${angle}. Terms: ${termList(question)}.`
  const trouble =
    failed.length > 0 ? `Not available here: ${failed.join(', ')}; the result may be incomplete.` : undefined
  if (findings.length === 0) return [head, trouble, 'Found nothing that fits these terms.'].filter(Boolean).join('\n')
  return [head, trouble, '', ...findings.map(writeFinding)].filter(part => part !== undefined).join('\n')
}

/** The tools that a report says were not available: before its places, so that no excerpt speaks for it. */
export function readUnavailable(text: string): readonly string[] {
  const [head = ''] = text.split(/^1\. /m, 1)
  const named = /^Not available here: (?<tools>[\w, -]+); the (?:result|plan) may /m.exec(head)?.groups?.tools
  return named?.split(', ') ?? []
}

/** The places of a report, in its order. Whatever else the text holds (footers, notices) is passed over. */
export function readReport(text: string): Finding[] {
  const findings: Finding[] = []
  for (const row of text.split('\n')) {
    const place = /^\d+\. (?<path>\S.*):(?<line>\d+)(?: — (?<symbol>.+))?$/.exec(row)
    if (place?.groups) {
      const { path, line, symbol } = place.groups
      const opened = { path: path!, line: Number(line), score: 0, matched: [], text: '', excerpt: { lines: [] } }
      findings.push(symbol ? { ...opened, symbol } : opened)
      continue
    }
    const open = findings.pop()
    if (open) findings.push(withDetail(open, row))
  }
  return findings
}

const condensedPlaces = 5

/** The same report without its excerpts, and only the first places. */
export function condense(report: string): string {
  const rows = report.split('\n').filter(row => !/^ {3,}(\d+ \||score:|defines:?|says:)/.test(row))
  const end = rows.findIndex(row => row.startsWith(`${condensedPlaces + 1}. `))
  return (end < 0 ? rows : rows.slice(0, end)).join('\n')
}

/** A child's text without the bracketed lines its runtime adds at the end. */
export function withoutFooter(text: string): string {
  return text.replace(/(\n+\[[^\n]*\])+\s*$/, '').trim()
}

/** The terms of a question, with the other words that were tried for each. */
export function termList(question: Question): string {
  const quotes = question.quotes.map(quote => `"${quote}"`)
  const terms = question.terms.map(({ label, stems, name }) => {
    const others = name ? [] : [...stems.keys()].slice(1, 4)
    return others.length > 0 ? `${label} (${others.map(stem => `${stem}…`).join(', ')})` : label
  })
  return [...quotes, ...terms].join('; ') || 'nothing in particular'
}

function writeFinding({ path, line, symbol, score, matched, defines, excerpt }: Finding, index: number): string {
  const rows = [
    `${index + 1}. ${path}:${line}${symbol ? ` — ${symbol.slice(0, 80)}` : ''}`,
    `   score: ${score.toFixed(3)}`,
  ]
  if (matched.length > 0) rows.push(`   matches: ${matched.join(', ')}`)
  if (defines && defines.length > 1 && index < 3) rows.push(`   defines: ${defines.join(', ')}`)
  if (excerpt.comment) rows.push(`   says: ${excerpt.comment}`)
  return [...rows, ...excerpt.lines.map(({ line: at, text }) => `   ${at} | ${text}`)].join('\n')
}

function withDetail(finding: Finding, row: string): Finding {
  const detail = /^ {3}(?<key>score|matches|defines|says): (?<value>.+)$/.exec(row)?.groups
  if (detail?.key === 'score') return { ...finding, score: Number(detail.value) || 0 }
  if (detail?.key === 'matches') return { ...finding, matched: detail.value!.split(', ') }
  if (detail?.key === 'defines') return { ...finding, defines: detail.value!.split(', ') }
  if (detail?.key === 'says') return { ...finding, excerpt: { ...finding.excerpt, comment: detail.value! } }
  const shown = /^ {3}(?<line>\d+) \| ?(?<text>.*)$/.exec(row)?.groups
  if (!shown) return finding
  const lines = [...finding.excerpt.lines, { line: Number(shown.line), text: shown.text! }]
  return { ...finding, excerpt: { ...finding.excerpt, lines } }
}
