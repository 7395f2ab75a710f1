/** What a list of tools holds, as words: whatever a parser of YAML made of them. */
import { isRecord } from '../../record.js'
import { canonicalToolName } from '../../tools/tool-names.js'

/** Undefined when something in it is no name. */
export function listItems(items: readonly unknown[]): readonly string[] | undefined {
  const words = items.flatMap((item): readonly unknown[] =>
    isRecord(item) ? (serverTools(item) ?? describedTool(item) ?? [item]) : [item],
  )
  return words.every(word => typeof word === 'string') ? rejoined(words) : undefined
}

/** `- mcp: github`, and `only: [get_issue]` of it. */
function serverTools({ mcp: server, only, ...rest }: Readonly<Record<string, unknown>>): readonly string[] | undefined {
  if (typeof server !== 'string' || !/^[\w-]{1,60}$/.test(server) || Object.keys(rest).length > 0) return undefined
  if (only === undefined) return [`mcp__${server}__*`]
  const isTools = Array.isArray(only) && only.length > 0 && only.every(tool => /^[\w-]{1,100}$/.test(String(tool)))
  return isTools ? only.map(tool => `mcp__${server}__${String(tool)}`) : undefined
}

/** `- name: github`, and `description:` says what it is for. With anything else it may be bound to something. */
function describedTool({
  name,
  description,
  ...rest
}: Readonly<Record<string, unknown>>): readonly string[] | undefined {
  const isPlain = typeof name === 'string' && /^[\w@./*-]{1,100}$/.test(name) && typeof description === 'string'
  return isPlain && Object.keys(rest).length === 0 ? [name] : undefined
}

/**
 * In brackets YAML takes `Agent(a, b)` apart at its comma. Put together again it names agents, which is the one pattern that is
 * a list. `Bash(git diff, git log)` is a pattern that next to no call fits, and told so. Of any other tool, and where a tool
 * stands between the brackets, the pieces stay as they are, and are unclear.
 */
function rejoined(words: readonly string[]): readonly string[] {
  const whole: string[] = []
  let open: string[] = []
  for (const word of words) {
    if (open.length > 0) {
      open.push(word)
      if (!word.endsWith(')')) continue
      whole.push(...(isOnePattern(open) ? [open.join(', ')] : open))
      open = []
    } else if (/^(?:Agent|Task|Bash)\([^()]+$/.test(word)) open = [word]
    else whole.push(word)
  }
  return [...whole, ...open]
}

function isOnePattern(pieces: readonly string[]): boolean {
  const signs = pieces[0]!.startsWith('Bash') ? inCommand : inName
  const inner = pieces.map((piece, at) => (at === 0 ? piece.slice(piece.indexOf('(') + 1) : piece.replace(/\)$/, '')))
  return inner.every(each => signs.test(each) && canonicalToolName(each) === undefined && !each.startsWith('mcp__'))
}

const inName = /^[\w:@./-][\w:@./ -]*$/
const inCommand = /^[\w./~-][\w:@./ *~=+-]*$/
