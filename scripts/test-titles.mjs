// The titles in the text of a test file, without running it: what stands in `test(…)`, `it(…)` and `describe(…)`, with
// or without `.each`, `.skipIf`, `.for`. A title of `.each` is given once, with its placeholders, and `ids` are those that
// begin the rows of its table.
import { parseAst } from 'rolldown/parseAst'

const words = new Set(['test', 'it', 'describe'])

export function titlesOf(source, file) {
  const program = parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' })
  const tables = new Map()
  const found = []
  walk(program, node => {
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.init)
      tables.set(node.id.name, node.init)
  })
  walk(program, node => {
    if (node.type !== 'CallExpression' || node.arguments.length < 2 || !words.has(rootOf(node.callee, tables))) return
    const title = literal(node.arguments[0])
    if (title === undefined) return
    const isGroup = rootOf(node.callee, tables) === 'describe'
    found.push({ title, isGroup, ids: tableIds(node.callee, tables) })
  })
  return found
}

/** `test` of `test` itself, of `test.skipIf(x)`, of `test.each(table)`, and of a name that stands for one of these. */
function rootOf(callee, named) {
  if (callee.type === 'MemberExpression') return rootOf(callee.object, named)
  if (callee.type === 'CallExpression') return rootOf(callee.callee, named)
  if (callee.type !== 'Identifier' || words.has(callee.name)) return callee.name
  const value = named.get(callee.name)
  return value?.type === 'CallExpression' ? rootOf(value.callee, named) : undefined
}

function literal(node) {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.type !== 'TemplateLiteral') return undefined
  return node.quasis.map(({ value }) => value.cooked).join('…')
}

function tableIds(callee, tables) {
  if (callee.type !== 'CallExpression') return []
  const ids = new Set()
  for (const argument of callee.arguments) {
    const table = plain(argument)
    const rows = plain(table.type === 'Identifier' ? tables.get(table.name) : table)
    // The first string of each row, wherever in the table it stands (spread, mapped or plain).
    if (rows)
      walk(
        rows,
        node =>
          node.type === 'Literal' &&
          /^[A-Z]\d{1,2}\b/.test(String(node.value)) &&
          ids.add(String(node.value).match(/^\w+/)[0]),
      )
  }
  return [...ids]
}

/** Without `as const`, `satisfies` and brackets around it. */
function plain(node) {
  return node && 'expression' in node && node.type !== 'ExpressionStatement' ? plain(node.expression) : node
}

function walk(node, visit) {
  if (Array.isArray(node)) for (const one of node) walk(one, visit)
  else if (node && typeof node.type === 'string') {
    visit(node)
    for (const [key, value] of Object.entries(node))
      if (key !== 'parent' && value && typeof value === 'object') walk(value, visit)
  }
}
