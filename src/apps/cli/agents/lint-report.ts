/** How a lint result is shown: each finding at its place, then the sums. */

import { type DiagnosticCode, diagnosticCodes } from '../../../core/agent-file/diagnostic-codes.js'
import type { FileReading, FileState } from '../../../core/agent-file/read-agent-file.js'
import type { Diagnostic } from '../../../core/ports.js'
import { counted } from '../../../core/text/text.js'
import { grantText } from '../../../core/tools/grant-text.js'
import { columns } from '../../session/columns.js'
import type { LintResult } from './lint.js'
import { diagnosticText, json, type Output, shortPath, styleOf } from './output.js'

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
}

function printSums(result: LintResult, output: Output): void {
  const style = styleOf(output)
  // A file that could not be read far enough to name its agent counts as one: the sums add up.
  const states = result.readings.flatMap(({ state, agents }) =>
    agents.length > 0 ? agents.map(agent => agent.state) : state === 'quarantined' ? [state] : [],
  )
  const count = (state: FileState) => states.filter(each => each === state).length
  const others = result.readings.filter(({ state }) => state === 'not-an-agent').length
  const errors = result.diagnostics.filter(({ severity }) => severity === 'error').length
  const besides = errors === 0 ? '' : `; ${counted(errors, 'error')} about more than one file or a folder`
  output.write(
    `${style('bold', `${counted(states.length, 'agent')} in ${counted(result.readings.length, 'file')}`)}: ${style('green', `${count('loaded')} sound`)}, ${style('yellow', `${count('warned')} with warnings`)}, ${style('red', `${count('quarantined')} quarantined`)}; ${others === 1 ? '1 file is no agent' : `${others} files are no agents`}${style('red', besides)}\n`,
  )
  const rows = sums(everyDiagnostic(result)).filter(({ severity }) => severity !== 'info')
  if (rows.length === 0) return
  output.write(
    columns(rows.map(({ code, count: times, means }) => [String(times).padStart(5), code, style('dim', means)])),
  )
  if (result.fixable.size > 0) output.write(style('dim', 'Run with --fix to put in quotes what needs them.\n'))
}

/** Stable for programs: keys are only ever added. */
export function lintJson(result: LintResult, output: Output): void {
  json(output, {
    files: result.readings.map(fileJson),
    diagnostics: result.diagnostics,
    fixed: result.fixed,
    untrusted: result.untrusted,
    summary: {
      files: result.readings.length,
      agents: result.readings.flatMap(reading => reading.agents).length,
      states: Object.fromEntries(
        (['loaded', 'warned', 'quarantined', 'not-an-agent'] as const).map(state => [
          state,
          result.readings.filter(reading => reading.state === state).length,
        ]),
      ),
      codes: Object.fromEntries(sums(everyDiagnostic(result)).map(({ code, count }) => [code, count])),
    },
  })
}

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
