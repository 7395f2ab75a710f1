/** The tables of the docs page, made from what the loader goes by. */
import { type DiagnosticCode, diagnosticCodes } from './diagnostic-codes.js'
import { type FieldSpec, fieldTable } from './field-table.js'

function fieldsTable(): string {
  const rows = (Object.values(fieldTable) as readonly FieldSpec[]).map(({ keys, kind, about }) => {
    const others = keys.slice(1).map(key => `\`${key}\``)
    const also = others.length > 0 ? ` Also ${others.join(', ')}.` : ''
    return `| \`${keys[0]}\`${kind === 'security' ? ' ●' : ''} | ${about.replaceAll('|', '\\|')}${also} |`
  })
  return ['| key | what it says |', '| --- | --- |', ...rows].join('\n')
}

function codesTable(): string {
  const codes = Object.entries(diagnosticCodes) as readonly (readonly [string, DiagnosticCode])[]
  const rows = codes.map(
    ([code, { severity, means, hint }]) => `| \`${code}\` | ${severity} | ${means} | ${hint.replaceAll('|', '\\|')} |`,
  )
  return ['| code | severity | means | what to do |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

/** Puts the tables between their marks. */
export function fillReference(page: string): string {
  return between(between(page, 'fields', fieldsTable()), 'codes', codesTable())
}

function between(page: string, mark: string, table: string): string {
  const [open, close] = [`<!-- ${mark} -->`, `<!-- /${mark} -->`]
  return `${page.slice(0, page.indexOf(open) + open.length)}\n${table}\n${page.slice(page.indexOf(close))}`
}
