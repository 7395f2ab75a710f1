/** A start hook that lets no password through. */
import { functionHooks } from '../../src/adapters/hooks/function-hooks.js'
import type { HookEvent } from '../../src/core/hooks/hooks.js'

/** Refuses whatever has the password in it, and notes what it heard. */
export function guard(heard: string[] = []) {
  return functionHooks({
    start: ({ prompt = '' }: HookEvent) => {
      heard.push(prompt)
      return prompt.includes('hunter2') ? { verdict: 'refuse', reason: 'no passwords' } : undefined
    },
  })
}

/** All that a model was shown. */
export const said = (request: { readonly messages: unknown } | undefined) => JSON.stringify(request?.messages)
