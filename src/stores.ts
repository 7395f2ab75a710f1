/** What is done with stores beside opening one: retention, the chain of hashes, transcripts out and in, one of your own. */

export { currentOwner } from './adapters/os/process-owner.js'
export { type ChainedStore, type ChainReport, verifyChain } from './adapters/stores/hash-chain.js'
export { type ImportOrder, importRun } from './adapters/stores/import-run.js'
export type { LogWarning } from './adapters/stores/jsonl/jsonl-warnings.js'
export type { FsyncPolicy } from './adapters/stores/jsonl/jsonl-writer.js'
export {
  type MeasuredStore,
  type PruneReport,
  pruneRuns,
  type Retention,
  type TreeFigures,
} from './adapters/stores/prune.js'
export { selectRuns } from './adapters/stores/run-query.js'
export { StoreError, type StoreErrorCode } from './adapters/stores/store-error.js'
export { summarise } from './core/run/run-summary.js'
export { exportTranscript, type TranscriptFormat } from './core/transcript/transcript.js'
export type { TranscriptFile, TranscriptOptions } from './core/transcript/transcript-fold.js'
export {
  eventsFromTranscript,
  type ImportedTranscript,
  type ImportedTurn,
  type ImportTarget,
  readSidechain,
} from './core/transcript/transcript-import.js'
