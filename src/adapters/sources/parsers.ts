/** The parsers handed to core/agent-file: data only, nothing built, nothing run, aliases bounded. */
import { parse as parseToml, TomlError } from 'smol-toml'
import { isScalar, parseDocument, visit } from 'yaml'
import type { Parsed, Parsers } from '../../core/agent-file/block.js'

export const parsers: Parsers = { yaml: readYaml, toml: readToml }

const MAX_ALIASES = 100

function readYaml(text: string): Parsed {
  try {
    const document = parseDocument(text, YAML_OPTIONS)
    const [error] = document.errors
    if (error) return { fault: error.message.split('\n')[0]!, line: error.linePos?.[0].line ?? 1 }
    const [warning] = document.warnings
    if (warning) return { fault: warning.message.split('\n')[0]! }
    const repeated = repeatedKey(document)
    if (repeated !== undefined) return { fault: `the key "${repeated}" appears twice in one table` }
    return toValue(document)
  } catch (error) {
    return { fault: error instanceof Error ? error.message : 'unreadable' }
  }
}

// Keys are compared here and, at the left edge, by the reader itself: the parser's own check takes quadratic time.
// `silent` would also keep quiet about a second document.
const YAML_OPTIONS = { uniqueKeys: false, logLevel: 'error', prettyErrors: false, resolveKnownTags: false } as const

/** A key that stands twice in a table below the first level: the last one would count, and a denial be lost. */
function repeatedKey(document: ReturnType<typeof parseDocument>): string | undefined {
  let found: string | undefined
  visit(document, {
    Map: (_, map, path) => {
      const isOutermost = path.length < 2
      const keys = isOutermost ? [] : map.items.map(({ key }) => (isScalar(key) ? String(key.value) : ''))
      const seen = new Set<string>()
      found = keys.find(key => key !== '' && key !== '<<' && seen.size === seen.add(key).size)
      return found === undefined ? undefined : visit.BREAK
    },
  })
  return found
}

function toValue(document: ReturnType<typeof parseDocument>): Parsed {
  try {
    return { value: document.toJS({ maxAliasCount: MAX_ALIASES }) }
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
