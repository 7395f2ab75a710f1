/** Taking trees out of a JSONL store, and the texts that no log names any more. */
import { rm } from 'node:fs/promises'
import type { RunId } from '../../../core/message.js'
import type { LockFiles } from '../../os/file-lock.js'
import type { JsonlCatalog } from './jsonl-catalog.js'
import type { JsonlClaims } from './jsonl-claims.js'
import type { JsonlFiles } from './jsonl-files.js'
import type { JsonlHeads } from './jsonl-heads.js'
import type { JsonlInbox } from './jsonl-inbox.js'
import type { JsonlKept } from './jsonl-kept.js'

export interface RemovalParts {
  readonly files: JsonlFiles
  readonly locks: LockFiles
  readonly heads: JsonlHeads
  readonly inbox: JsonlInbox
  readonly claims: JsonlClaims
  readonly catalog: JsonlCatalog
  readonly kept: JsonlKept
}

/** Nothing of it goes while somebody drives a part of it. */
export async function removeTree(
  rootId: RunId,
  tree: readonly RunId[],
  { locks, files, claims, ...parts }: RemovalParts,
): Promise<'removed' | 'held'> {
  const paths = tree.map(runId => files.lock(runId))
  const answer = await locks.holdAll(paths, async () => {
    for (const runId of tree) if (await claims.isHeld(runId)) return 'held'
    // The root goes last, so that a removal cut short can be asked for again.
    for (const runId of [...tree].sort((a, b) => Number(a === rootId) - Number(b === rootId))) {
      parts.heads.drop(runId)
      await parts.inbox.removeAll(runId)
      await claims.remove(runId)
      await rm(files.log(runId), { force: true })
    }
    return 'removed'
  })
  if (answer === 'removed') await sweepKept(parts)
  return answer
}

async function sweepKept({ catalog, kept }: Pick<RemovalParts, 'catalog' | 'kept'>): Promise<void> {
  const entries = await catalog.entries()
  // What a damaged log names is not known, and it may be mended.
  if (entries.some(({ summary }) => summary.damage !== undefined)) return
  const used = new Set(entries.flatMap(entry => [...entry.addresses]))
  await kept.sweep((await kept.addresses()).filter(address => !used.has(address)))
}
