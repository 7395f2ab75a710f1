/** Commands and options. Each command loads its own room. */
import { Command } from 'commander'
import { version } from './version.js'

export function program(): Command {
  return new Command('offshoot')
    .description('A subagent system: hand work to specialised child agents, safely, in parallel, across crashes.')
    .version(version, '-v, --version')
    .showSuggestionAfterError()
    .exitOverride(error => process.exit(error.exitCode === 0 ? 0 : 2))
}
