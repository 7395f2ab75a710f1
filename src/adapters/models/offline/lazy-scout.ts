/** The offline model, loaded with its first request: whoever has a key never pays for it. */
import type { Model } from '../../../core/ports.js'

export function lazyScout(): Model {
  let loading: Promise<Model> | undefined
  return {
    async ask(request, on, signal) {
      loading ??= import('./scout.js').then(({ createScout }) => createScout())
      return (await loading).ask(request, on, signal)
    },
  }
}
