/** `offshoot/hooks`: every public name, by hand. */

export type { VerdictAt } from '../../core/hooks/hook-answer.js'
export { commandEnvironment, type EnvironmentOptions } from '../os/command-environment.js'
export { combineHooks } from './combine-hooks.js'
export { type CommandHooksOptions, commandHooks } from './command-hooks.js'
export { type FunctionHooksOptions, functionHooks, type HookFunction, type HookFunctions } from './function-hooks.js'
export { transcriptFiles } from './transcript-files.js'
