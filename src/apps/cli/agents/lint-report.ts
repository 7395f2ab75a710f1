/** How a lint result is shown: each finding at its place, then the sums. */

import { type DiagnosticCode, diagnosticCodes } from '../../../core/agent-file/diagnostic-codes.js'
import type { FileReading, FileState } from '../../../core/agent-file/read-agent-file.js'
import type { Diagnostic } from '../../../core/ports.js'
import { counted } from '../../../core/text/text.js'
import { grantText } from '../../../core/tools/grant-text.js'
import type { LintResult } from './lint.js'
import {
  diagnosticText,
  json,
  type Output,
  paragraph,
  type Style,
  shortPath,
  styleOf,
  table,
  unreadText,
} from './output.js'

export function printLint(result: LintResult, options: { readonly all?: boolean }, output: Output): void {
  const isAsked = ({ severity, file }: Diagnostic) =>
    options.all || severity !== 'info' || (file !== undefined && result.named.has(file))
  const byPlace = (a: Diagnostic, b: Diagnostic) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)
  const files = result.readings.map(reading => [...reading.diagnostics].sort(byPlace))
  const shown = [...result.diagnostics, ...files.flat()].filter(isAsked)
  for (const each of shown) output.write(diagnosticText(each, output))
  if (shown.length > 0) output.write('\n')
  for (const path of result.fixed) {
    const trust = result.untrusted.includes(path) ? ': it was trusted as it was; look at it, then: offshoot trust' : ''
    output.write(`fixed ${shortPath(path, output.cwd)}${trust}\n`)
  }
  printSums(result, output)
  if (result.unread) output.write(unreadText(result.unread, output.cwd))
}

function printSums(result: LintResult, output: Output): void {
  const style = styleOf(output)
  const states = agentStates(result)
  const count = (state: FileState) => states.filter(each => each === state).length
  const others = result.readings.filter(({ state }) => state === 'not-an-agent').length
  output.write(
    paragraph(
      output,
      `${style('bold', `${counted(states.length, 'agent')} in ${counted(result.readings.length, 'file')}`)}: ${style('green', `${count('loaded')} sound`)}, ${style('yellow', `${count('warned')} with warnings`)}, ${style('red', `${count('quarantined')} quarantined`)}; ${others === 1 ? '1 file is no agent' : `${others} files are no agents`}${besides(result, style)}`,
    ),
  )
  const rows = sums(everyDiagnostic(result)).filter(({ severity }) => severity !== 'info')
  if (rows.length === 0) return
  output.write(
    table(
      output,
      rows.map(({ code, count: times, means }) => [String(times).padStart(5), code, style('dim', means)]),
    ),
  )
  if (result.fixable.size > 0) output.write(style('dim', 'Run with --fix to put in quotes what needs them.\n'))
}

/** A file that could not be read far enough to name its agent counts as one: the sums add up. */
function agentStates({ readings }: LintResult): readonly FileState[] {
  return readings.flatMap(({ state, agents }) =>
    agents.length > 0 ? agents.map(agent => agent.state) : state === 'quarantined' ? [state] : [],
  )
}

/** An agent may be sound, and its name be taken by another. */
function besides({ diagnostics }: LintResult, style: Style): string {
  const of = (severity: Diagnostic['severity']) => diagnostics.filter(each => each.severity === severity).length
  const [errors, warnings] = [of('error'), of('warning')]
  const parts = [
    ...(errors > 0 ? [style('red', counted(errors, 'error'))] : []),
    ...(warnings > 0 ? [style('yellow', counted(warnings, 'warning'))] : []),
  ]
  return parts.length === 0 ? '' : `; ${parts.join(' and ')} about more than one file or a folder`
}

/** Stable for programs: keys are only ever added. docs/agent-files.md says what they mean. */
export function lintJson(result: LintResult, output: Output): void {
  json(output, {
    files: result.readings.map(fileJson),
    diagnostics: result.diagnostics,
    fixed: result.fixed,
    ...(result.unread && { unread: result.unread.unread() }),
    untrusted: result.untrusted,
    summary: {
      files: result.readings.length,
      agents: agentStates(result).length,
      agentStates: countsOf(agentStates(result), ['loaded', 'warned', 'quarantined']),
      states: countsOf(
        result.readings.map(({ state }) => state),
        ['loaded', 'warned', 'quarantined', 'not-an-agent'],
      ),
      codes: Object.fromEntries(sums(everyDiagnostic(result)).map(({ code, count }) => [code, count])),
    },
  })
}

const countsOf = (states: readonly FileState[], wanted: readonly FileState[]): Readonly<Record<string, number>> =>
  Object.fromEntries(wanted.map(state => [state, states.filter(each => each === state).length]))

function fileJson(reading: FileReading): object {
  return {
    path: reading.path,
    state: reading.state,
    agents: reading.agents.map(({ agent, state, dialect, written }) => ({
      name: agent?.name ?? null,
      state,
      dialect,
      tools: agent === undefined ? null : agent.tools === 'all' ? 'all' : agent.tools.map(grantText),
      disallowedTools: (agent?.disallowedTools ?? []).map(grantText),
      model: agent?.model ?? null,
      description: agent?.description ?? null,
      written: written ?? {},
    })),
    diagnostics: reading.diagnostics,
  }
}

function everyDiagnostic(result: LintResult): readonly Diagnostic[] {
  return [...result.diagnostics, ...result.readings.flatMap(reading => reading.diagnostics)]
}

function sums(diagnostics: readonly Diagnostic[]): readonly {
  readonly code: string
  readonly count: number
  readonly means: string
  readonly severity: Diagnostic['severity']
}[] {
  const known: Readonly<Record<string, DiagnosticCode>> = diagnosticCodes
  const counts = new Map<string, number>()
  for (const { code } of diagnostics) counts.set(code, (counts.get(code) ?? 0) + 1)
  return [...counts]
    .map(([code, count]) => ({
      code,
      count,
      means: known[code]?.means ?? '',
      severity: known[code]?.severity ?? 'info',
    }))
    .sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1))
}
