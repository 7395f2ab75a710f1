/** The parsers handed to core/agent-file: data only, nothing built, nothing run, aliases bounded. */
import { parse as parseToml, TomlError } from 'smol-toml'
import { type Alias, isAlias, isMap, isScalar, type Node, parseDocument, visit, type YAMLMap } from 'yaml'
import type { Parsed, Parsers } from '../../core/agent-file/block.js'

export const parsers: Parsers = { yaml: readYaml, toml: readToml }

const maxAliases = 100

function readYaml(text: string): Parsed {
  try {
    const document = parseDocument(text, yamlOptions)
    const [error] = document.errors
    if (error) return { fault: wordsFor(error.message), line: text.slice(0, error.pos[0]).split('\n').length }
    const [warning] = document.warnings
    if (warning) return { fault: warning.message.split('\n')[0]! }
    const aliases = aliasesIn(document)
    if (typeof aliases === 'string') return { fault: aliases, isHostile: true }
    const nested = repeatedInside(document, aliases)
    if (nested !== undefined) return { fault: `the key "${nested}" appears twice in one table` }
    const repeated = isMap(document.contents) ? repeatedIn(document.contents, aliases) : []
    const read = toValue(document)
    return 'value' in read && repeated.length > 0 ? { ...read, repeated } : read
  } catch (error) {
    return { fault: error instanceof Error ? error.message : 'unreadable' }
  }
}

/** The parser takes a star for the name of something, of which nobody thinks who writes one, and has words of its own. */
function wordsFor(fault: string): string {
  if (fault.startsWith('Unexpected block-seq-ind')) return 'a list begins on the line of its key'
  return fault.startsWith('Alias cannot be an empty string')
    ? 'a "*" stands there without quotes'
    : fault.split('\n')[0]!
}

// Keys are compared here, since the parser's own check takes quadratic time. `silent` would also keep quiet about a second
// document.
const yamlOptions = { uniqueKeys: false, logLevel: 'error', prettyErrors: false, resolveKnownTags: false } as const

type YamlDocument = ReturnType<typeof parseDocument>

type Targets = ReadonlyMap<Alias, Node | undefined>

/** What each alias stands for, or why nobody should ask. In one pass: the parser's own search begins anew for each. */
function aliasesIn(document: YamlDocument): Targets | string {
  const anchors = new Map<string, Node>()
  const targets = new Map<Alias, Node | undefined>()
  let fault: string | undefined
  visit(document, {
    Node: (_, node, path) => {
      if (isAlias(node)) {
        const target = anchors.get(node.source)
        targets.set(node, target)
        if (target !== undefined && path.includes(target)) fault = 'an alias stands inside what it stands for'
        if (targets.size > maxAliases) fault = 'excessive alias count'
      } else if (node.anchor !== undefined) anchors.set(node.anchor, node)
      return fault === undefined ? undefined : visit.BREAK
    },
  })
  return fault ?? targets
}

/**
 * A key that stands twice in a table below the first level and says two things: the last one would count, and a denial be
 * lost.
 */
function repeatedInside(document: YamlDocument, aliases: Targets): string | undefined {
  let found: string | undefined
  visit(document, {
    Map: (_, map, path) => {
      found = path.length < 2 ? undefined : clashIn(map, aliases)
      return found === undefined ? undefined : visit.BREAK
    },
  })
  return found
}

/** `"npm test": allow` may stand there twice; `"*"` counts for what stands before it, and only one place is kept. */
function clashIn(map: YAMLMap, aliases: Targets): string | undefined {
  const seen = new Map<string, unknown>()
  for (const { key, value } of map.items) {
    const name = keyOf(key, aliases)
    const said = isScalar(value) && typeof value.value === 'string' ? value.value : value
    const isSame = typeof said === 'string' && seen.get(name) === said && name !== '*'
    if (name !== '' && seen.has(name) && !isSame) return name
    seen.set(name, said)
  }
  return undefined
}

/** Keys as they are meant, whether written in quotes, with escapes, behind `?` or as an alias. */
function repeatedIn(map: YAMLMap, aliases: Targets): readonly string[] {
  const keys = map.items.map(({ key }) => keyOf(key, aliases))
  const seen = new Set<string>()
  return keys.filter(key => key !== '' && seen.size === seen.add(key).size)
}

function keyOf(key: unknown, aliases: Targets): string {
  const node = isAlias(key) ? aliases.get(key) : key
  const name = isScalar(node) ? String(node.value) : ''
  return name === '<<' ? '' : name
}

function toValue(document: YamlDocument): Parsed {
  try {
    return { value: document.toJS({ maxAliasCount: maxAliases }) }
  } catch (error) {
    const fault = error instanceof Error ? error.message : 'unreadable'
    return { fault, isHostile: /alias count/i.test(fault) }
  }
}

function readToml(text: string): Parsed {
  try {
    return { value: parseToml(text) }
  } catch (error) {
    if (error instanceof TomlError) return { fault: `no valid TOML: ${error.message.split('\n')[0]}`, line: error.line }
    return { fault: 'no valid TOML' }
  }
}
