/** SQLite as Node brings it (22.13 and later). */
import type { SqlDatabase, SqlDriver, SqlRow, SqlStatement, SqlValue } from './sqlite-driver.js'

/** Undefined where this Node has no `node:sqlite`. */
export function nodeDriver(): SqlDriver | undefined {
  const sqlite = withoutExperimentalWarning(() => process.getBuiltinModule('node:sqlite') as NodeSqlite | undefined)
  return sqlite && { name: 'node:sqlite', open: path => open(sqlite, path), codeOf }
}

// The types of node:sqlite are newer than the oldest Node we run on, so what is used of it is written down here.
interface NodeSqlite {
  readonly DatabaseSync: new (path: string) => NodeDatabase
}
interface NodeDatabase {
  exec(sql: string): void
  prepare(sql: string): NodeStatement
  close(): void
}
interface NodeStatement {
  run(...values: readonly SqlValue[]): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint }
  get(...values: readonly SqlValue[]): unknown
  all(...values: readonly SqlValue[]): unknown[]
}

function open(sqlite: NodeSqlite, path: string): SqlDatabase {
  const database = new sqlite.DatabaseSync(path)
  database.exec('PRAGMA busy_timeout = 0')
  return {
    exec: sql => database.exec(sql),
    prepare: sql => statementOf(database.prepare(sql)),
    close: () => database.close(),
  }
}

function statementOf(statement: NodeStatement): SqlStatement {
  return {
    run: (...values) => {
      const { changes, lastInsertRowid } = statement.run(...values)
      return { changes: Number(changes), lastInsertRowid }
    },
    get: (...values) => statement.get(...values) as SqlRow | undefined,
    all: (...values) => statement.all(...values) as SqlRow[],
  }
}

function codeOf(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown } | undefined)?.errcode
  return typeof code === 'number' ? code : undefined
}

/** Node 22 says on stderr that the module is experimental; a program's answer must not carry that. */
function withoutExperimentalWarning<T>(load: () => T): T {
  const emitWarning = process.emitWarning
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    if (!String(warning).includes('SQLite')) Reflect.apply(emitWarning, process, [warning, ...rest])
  }
  try {
    return load()
  } finally {
    process.emitWarning = emitWarning
  }
}
