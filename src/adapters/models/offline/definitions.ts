/** Where things are defined, in the line-by-line manner that works for most languages without a parser for any. */
import { namePattern } from './stem.js'

export interface Definition {
  readonly name: string
  readonly kind: string
}

/** What a line defines, if anything: a function, class, type, constant, method, heading, table, test. */
export function definitionIn(line: string): Definition | undefined {
  for (const { pattern, kind } of shapes) {
    const found = pattern.exec(line)
    if (found?.groups?.name && !keywords.has(found.groups.name)) {
      return { name: found.groups.name.trim(), kind: kind ?? found.groups.kind!.replace('*', '') }
    }
  }
  return undefined
}

/** Lines that define something with one of these stems in its name. */
export function definitionPattern(stems: readonly string[]): string {
  const named = `[\\w$]*(?:${stems.map(namePattern).join('|')})`
  return `${introduction}${named}|^\\s*${modifiers}${named}[\\w$]*\\s*[(=:]`
}

/** Lines that define exactly one of these names. */
export function exactDefinitionPattern(names: readonly string[]): string {
  const either = `(?:${names.map(escapePattern).join('|')})`
  return `${introduction}${either}\\b|^\\s*${modifiers}${either}\\s*[(=:]`
}

export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|#&~/-]/g, found => (/[#&~/-]/.test(found) ? `[${found}]` : `\\${found}`))
}

const anyOf = (words: string) => `(?:${words.trim().split(/\s+/).join('|')})`

const modifiers = `(?:${anyOf(`
  export default declare public private protected internal static abstract final async unsafe override readonly
  virtual inline extern sealed open suspend partial pub pub\\([a-z]+\\)`)}\\s+)*`
const definers = anyOf(`
  function\\*? class interface type enum struct trait impl def fn func fun module namespace object record protocol
  service macro typedef create\\stable CREATE\\sTABLE create\\stable\\sif\\snot\\sexists CREATE\\sTABLE\\sIF\\sNOT\\sEXISTS`)
const variables = anyOf('const let var val')
/** Go puts a receiver before the name, Rust a type parameter. */
const beforeName = '\\s+(?:\\([^)]*\\)\\s*|<[^>]*>\\s*)?'
// An indented variable is a local one, and no definition.
const introduction = `(?:^\\s*${modifiers}${definers}|^${modifiers}${variables})${beforeName}`

/** Lines that make up the outline of a file: definitions of whatever name, and headings. */
export const outlinePattern = [
  `^${modifiers}(?:${definers}|${variables})\\s`,
  '^#{1,4} ',
  `^(?:  |    |\\t)(?:async |static |private |public |protected )*(?:def |fn |[\\w$]+\\(.*\\{$)`,
].join('|')

const shapes: readonly { readonly pattern: RegExp; readonly kind?: string }[] = [
  { pattern: /^#{1,6}\s+(?<name>.+?)\s*#*$/, kind: 'heading' },
  { pattern: /^\s*(?:test|it|describe|suite|context)(?:\.\w+)?\(\s*(['"`])(?<name>.+?)\1/, kind: 'test' },
  { pattern: new RegExp(`^\\s*${modifiers}(?<kind>${definers})${beforeName}(?<name>[A-Za-z_$][\\w$]*)`) },
  { pattern: new RegExp(`^${modifiers}(?<kind>${variables})\\s+(?<name>[A-Za-z_$][\\w$]*)`) },
  // A constant or table of its own line, at the left edge: RETRIES = 3.
  { pattern: /^(?<name>[A-Za-z_][\w]*)\s*(?::\s*[\w[\], .|]+)?=(?!=)/, kind: 'value' },
  // A method: a name, its parameters and the opening of a body.
  {
    pattern: new RegExp(
      `^\\s*${modifiers}(?:get |set |\\*)?(?<name>[A-Za-z_$#][\\w$]*)\\s*(?:<[^>]*>)?\\([^;]*(?:\\{|=>|,|\\()\\s*$`,
    ),
    kind: 'method',
  },
  // A function of a C-like language: a type, a name, its parameters.
  { pattern: /^[A-Za-z_][\w\s*&<>,:]*?[\s*&](?<name>[A-Za-z_]\w*)\s*\([^;]*\)?\s*\{?\s*$/, kind: 'function' },
]

const keywords = new Set(
  `if for while switch catch return else elif do try with new await throw yield case typeof in of not and or assert
  print super this self import from constructor function use when match select until unless foreach except raise
  lambda`.split(/\s+/),
)
