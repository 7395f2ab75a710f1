/** The parsers handed to core/agent-file: data only, nothing built, nothing run, aliases bounded. */
import { parse as parseToml, TomlError } from 'smol-toml'
import { parseDocument } from 'yaml'
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
    return toValue(document)
  } catch (error) {
    return { fault: error instanceof Error ? error.message : 'unreadable' }
  }
}

// Keys are compared by the reader itself: the parser's own check takes quadratic time.
const YAML_OPTIONS = { uniqueKeys: false, logLevel: 'silent', prettyErrors: false, resolveKnownTags: false } as const

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
