/** `offshoot doctor`: what is here, what is missing, and what to do about it. Changes nothing. */
import type { Command } from 'commander'
import { visible } from '../../../core/text/shell-word.js'
import { exitCodes } from '../../session/exit-codes.js'
import type { CommandDeps } from '../command-deps.js'
import { type Finding, runChecks } from './doctor-checks.js'

export function registerDoctorCommand(program: Command, deps: CommandDeps): void {
  program
    .command('doctor')
    .description('check what is installed, which keys, which sandbox, which store; with remedies')
    .option('--json', 'print as JSON')
    .action(async (options: { json?: boolean }) => {
      const findings = await runChecks(deps)
      if (options.json) deps.write(`${JSON.stringify(findings, null, 2)}\n`)
      else for (const finding of findings) deps.write(lineOf(finding, deps))
      deps.setExitCode(findings.some(finding => finding.state === 'wrong') ? exitCodes.error : exitCodes.ok)
    })
}

function lineOf({ about, state, text, remedy }: Finding, { look }: CommandDeps): string {
  const mark = { fine: look.green('ok   '), missing: look.yellow('note '), wrong: look.red('wrong') }[state]
  return `${mark} ${about.padEnd(9)} ${visible(text)}\n${remedy ? `${' '.repeat(16)}${look.dim(visible(remedy))}\n` : ''}`
}
