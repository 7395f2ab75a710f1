/** `offshoot/hooks`: every public name, by hand. */
export { combineHooks } from './combine-hooks.js'
export { type CommandHooksOptions, commandHooks } from './command-hooks.js'
export { functionHooks, type HookFunction, type HookFunctions } from './function-hooks.js'
export { planHooks } from './plan-hooks.js'
export { transcriptFiles } from './transcript-files.js'
