import { messageOf } from '../core/thrown.js'
import type { Refusal } from '../core/types.js'

/** For what nobody waits for: whoever runs the house hears that it failed, with `what` was tried. */
export const tellFailure =
  (onError: (error: unknown) => void, what: string) =>
  (error: unknown): void =>
    onError(new Error(`${what}: ${messageOf(error)}`, { cause: error }))

/** The same for what may be refused. That somebody else was quicker is no failure. */
export const tellRefusal =
  (tell: (error: unknown) => void) =>
  (refusal: Refusal | undefined): void => {
    if (refusal && refusal.rule !== 'claim-lost') tell(refusal.refused)
  }
