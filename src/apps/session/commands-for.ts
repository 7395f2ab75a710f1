/** What the program has for whoever was refused something: the library, which says what is wrong, knows no commands. */
import type { StoreErrorCode } from '../../adapters/stores/store-error.js'
import type { Refusal } from '../../core/types.js'
import { programWords } from './program-words.js'

/** With the command that helps, where there is one. */
export function withCommand(refusal: Refusal): Refusal {
  const command = commands.get(refusal.rule)
  const refused = programWords(refusal.refused)
  // It may name the command already.
  const isNamed = command === undefined || refused.includes(command.split('`')[1]!)
  return { ...refusal, refused: isNamed ? refused : `${refused} ${command}` }
}

const modelsShown = '`offshoot models list` shows what can be had, and what is missing.'

const commands: ReadonlyMap<string, string> = new Map([
  ['no-model', modelsShown],
  ['unknown-model', modelsShown],
  ['model-unavailable', modelsShown],
  ['agent-untrusted', '`offshoot trust` shows what the folder brings along and lets it act.'],
  ['unknown-run', '`offshoot runs list` shows what there is.'],
])

/** The same for what a store could not do. */
export function storeCommand(error: unknown): string {
  const { name, code } = (error ?? {}) as { readonly name?: unknown; readonly code?: StoreErrorCode }
  const command = name === 'StoreError' && code !== undefined ? storeCommands[code] : undefined
  return command === undefined ? '' : ` ${command}`
}

const storeCommands: { readonly [code in StoreErrorCode]?: string } = {
  full: 'With a little free `offshoot runs prune` makes more.',
  'unknown-run': '`offshoot runs list` shows what there is.',
}
