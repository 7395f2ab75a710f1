/**
 * What a start says of agent files: nobody came for it, so it is short, and names where all of it stands.
 * One or two that will not run are told with their fault, more by their names; many that only read oddly by their count.
 */
import type { LoadedAgents } from '../../adapters/sources/agents-on-disk.js'
import type { Diagnostic } from '../../core/ports.js'
import { counted } from '../../core/text/text.js'

export function agentRemarks(files: LoadedAgents['files'], diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const about = new Map<string | undefined, readonly Diagnostic[]>()
  for (const each of diagnostics) about.set(each.file, [...(about.get(each.file) ?? []), each])
  const lame = files.flatMap(({ reading }): readonly LameFile[] => {
    if (reading.state !== 'quarantined' || reading.agents.length > 1) return []
    const [first, ...more] = (about.get(reading.path) ?? []).filter(({ severity }) => severity === 'error')
    return first ? [{ path: reading.path, name: reading.agents[0]?.agent?.name, first, more: more.length }] : []
  })
  const isLame = new Set<string | undefined>(lame.map(({ path }) => path))
  const paths = new Set<string | undefined>(files.map(({ reading }) => reading.path))
  const isOdd = ({ file, severity }: Diagnostic) => severity === 'warning' && paths.has(file) && !isLame.has(file)
  const odd = diagnostics.filter(isOdd)
  const oddFiles = new Set(odd.map(({ file }) => file)).size
  return [
    ...(lame.length > mostTold ? [allOf(lame)] : lame.map(remarkOn)),
    ...diagnostics.filter(each => !isLame.has(each.file) && !isOdd(each)),
    ...(oddFiles > mostTold ? [{ ...warned, message: `${oddFiles} agent files load with warnings` }] : odd),
  ]
}

interface LameFile {
  readonly path: string
  readonly name: string | undefined
  readonly first: Diagnostic
  readonly more: number
}

const mostTold = 2
const mostNamed = 8
const hint = 'offshoot agents lint tells why'
const warned = { code: 'agents-warned', severity: 'warning', hint } as const

/** That it will not run, and why first. */
function remarkOn({ name, first, more }: LameFile): Diagnostic {
  const who = name === undefined ? 'this agent' : `agent ${name}`
  const further = more > 0 ? ` (${more} more: offshoot agents lint)` : ''
  return { ...first, message: `${who} will not run: ${first.message}${further}` }
}

function allOf(lame: readonly LameFile[]): Diagnostic {
  const names = lame.slice(0, mostNamed).map(({ name, path }) => name ?? path)
  const more = lame.length > names.length ? `, and ${lame.length - names.length} more` : ''
  const message = `${counted(lame.length, 'agent')} will not run: ${names.join(', ')}${more}`
  return { code: 'agents-quarantined', severity: 'error', message, hint }
}
