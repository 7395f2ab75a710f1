import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../../../../test/support/jsonl-places.js'
import type { RunId } from '../../../core/message.js'
import type { Owner } from '../../../core/run-store.js'
import { sampleOwner, sampleQueued } from '../../../testing/sample-log.js'
import { OwnerWatch } from '../../os/process-owner.js'
import { JsonlClaims } from './jsonl-claims.js'
import { JsonlFiles } from './jsonl-files.js'
import { JsonlKept } from './jsonl-kept.js'
import { JsonlNewLogs } from './jsonl-new-logs.js'
import { LogReporter } from './jsonl-warnings.js'

/** The disk fails once, when the claim is written already. */
class FailingClaims extends JsonlClaims {
  #fails = true

  override async claimFirst(runId: RunId, owner: Owner): Promise<void> {
    await super.claimFirst(runId, owner)
    if (this.#fails) {
      this.#fails = false
      throw new Error('the disk failed')
    }
  }
}

test('a run whose claim was refused after it was stored could never be begun again: it counted as driven', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'offshoot-new-logs-'))
  try {
    const files = new JsonlFiles(directory, false)
    await files.prepare()
    const claims = new FailingClaims(files, new OwnerWatch(30_000), new LogReporter(undefined, 'report'), Date.now)
    const logs = new JsonlNewLogs(files, claims, new JsonlKept(files, Date.now))
    await expect(logs.begin(sampleQueued(run), sampleOwner('one'), [])).rejects.toThrow('the disk failed')
    expect(await files.logs()).toEqual([])
    expect(await claims.isHeld(run.runId)).toBe(false)
    expect(await logs.begin(sampleQueued(run), sampleOwner('one'), [])).toBe('begun')
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})
