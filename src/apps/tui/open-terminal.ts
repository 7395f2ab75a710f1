import type { SessionFlags } from '../cli/flags.js'
import type { Streams } from '../cli/streams.js'
export async function openTerminal(
  _: { prompt: string; flags: SessionFlags; cwd: string },
  __: Streams,
): Promise<number> {
  return 0
}
