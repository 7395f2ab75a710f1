/** A transcript of elsewhere as a run of its own here: it can be listed, read and resumed. */
import type { RunId } from '../../core/message.js'
import { firstEpoch, type Owner, type RunStore } from '../../core/run-store.js'
import { eventsFromTranscript, type ImportedTranscript } from '../../core/transcript/transcript-import.js'
import type { Brief } from '../../core/types.js'

/** A run to be made of a transcript. */
export interface ImportOrder {
  readonly runId: string
  /** What the run may do from now on: `offshoot.explain(task)` decides it. The transcript has no say in it. */
  readonly brief: Brief
  readonly owner: Owner
  /** Epoch milliseconds, for lines that do not say. */
  readonly at: number
}

/** Makes a run of a transcript, ended and ready to be resumed. Throws when there is a run of that id. */
export async function importRun(
  store: RunStore,
  transcript: ImportedTranscript,
  { runId: id, brief, owner, at }: ImportOrder,
): Promise<void> {
  const runId = id as RunId
  const declared = { hash: await store.keep(JSON.stringify(brief.declared)) }
  const place = { runId, rootId: runId, depth: 0, at }
  const [first, ...rest] = eventsFromTranscript(transcript, { ...place, brief: { ...brief, declared } })
  const exists = () => new Error(`There is a run ${runId} already.`)
  if (store.begin) {
    if ((await store.begin(first!, owner, rest)) === 'exists') throw exists()
    return store.release(runId, firstEpoch)
  }
  if ((await store.create(first!)) === 'exists') throw exists()
  const claim = await store.claim(runId, owner)
  if ('heldBy' in claim) throw new Error(`Run ${runId} is held by process ${claim.heldBy.pid}.`)
  try {
    await store.append(runId, claim.epoch, 1, rest)
  } finally {
    await store.release(runId, claim.epoch)
  }
}
