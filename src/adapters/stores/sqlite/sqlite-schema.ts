/**
 * The tables, by version. A migration is never changed once released; a new one is added at the end.
 * `runs.ref` stands for a run in the other tables. `runs.owner_id` is set while somebody holds the run.
 */

import { StoreError } from '../store-error.js'
import type { SqlDatabase } from './sqlite-driver.js'

const migrations: readonly string[] = [
  `
  CREATE TABLE runs (
    ref INTEGER PRIMARY KEY,
    run_id TEXT NOT NULL UNIQUE,
    root_id TEXT NOT NULL,
    parent_id TEXT,
    agent TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    is_ended INTEGER NOT NULL,
    last_seq INTEGER NOT NULL,
    last_hash TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    summary TEXT NOT NULL,
    epoch INTEGER NOT NULL DEFAULT 0,
    owner_id TEXT
  );
  CREATE INDEX runs_by_root ON runs (root_id);
  CREATE INDEX runs_by_parent ON runs (parent_id);
  CREATE INDEX runs_by_time ON runs (created_at);
  CREATE INDEX runs_unfinished ON runs (created_at) WHERE is_ended = 0;
  CREATE INDEX runs_by_owner ON runs (owner_id) WHERE owner_id IS NOT NULL;

  CREATE TABLE events (
    ref INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    event_id TEXT NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (ref, seq)
  );

  CREATE TABLE inbox (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    ref INTEGER NOT NULL,
    item_id TEXT NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (ref, item_id)
  );

  CREATE TABLE owners (
    owner_id TEXT PRIMARY KEY,
    host TEXT NOT NULL,
    pid INTEGER NOT NULL,
    started_at REAL NOT NULL,
    place TEXT,
    ticks INTEGER,
    heartbeat INTEGER NOT NULL
  );

  CREATE TABLE kept (
    address TEXT PRIMARY KEY,
    content TEXT NOT NULL,
    touched_at INTEGER NOT NULL
  );
  CREATE TABLE uses (
    ref INTEGER NOT NULL,
    address TEXT NOT NULL,
    PRIMARY KEY (ref, address)
  ) WITHOUT ROWID;
  CREATE INDEX uses_by_address ON uses (address);
  `,
  // Opening a long run without folding it from its first event.
  `
  CREATE TABLE snapshots (
    ref INTEGER PRIMARY KEY,
    seq INTEGER NOT NULL,
    event_hash TEXT NOT NULL,
    version INTEGER NOT NULL,
    text_hash TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    state TEXT NOT NULL
  );
  `,
]

/** Says "this file is an Offshoot store" in the file's header. */
const applicationId = 0x4f66_6673

/** 0 for a file with nothing in it. Throws on one that is not ours, or from a newer version. */
export function versionOf(database: SqlDatabase, path: string): number {
  const id = Number(database.prepare('PRAGMA application_id').get()?.application_id)
  const tables = Number(database.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.n)
  if (tables === 0) return 0
  if (id !== applicationId) {
    throw new StoreError('corrupt', `${path} is a database of another program. Choose another file.`, { path })
  }
  const version = Number(database.prepare('SELECT max(version) AS n FROM schema_version').get()?.n)
  if (version > migrations.length) {
    const known = migrations.length
    throw new StoreError(
      'newer-version',
      `${path} was written by a newer Offshoot (its format is ${version}, this one knows ${known}). ` +
        'Update Offshoot, or choose another file.',
      { path },
    )
  }
  return version
}

export const isCurrent = (version: number): boolean => version === migrations.length

/** Brings the file to the newest version. Runs inside the caller's write transaction. */
export function migrate(database: SqlDatabase, path: string, now: number): void {
  const version = versionOf(database, path)
  if (version === 0) {
    database.exec(`PRAGMA application_id = ${applicationId}`)
    database.exec('CREATE TABLE schema_version (version INTEGER PRIMARY KEY, applied_at INTEGER NOT NULL)')
  }
  migrations.slice(version).forEach((sql, index) => {
    database.exec(sql)
    database.prepare('INSERT INTO schema_version VALUES (?, ?)').run(version + index + 1, now)
  })
}
