/** SQLite from the libsql package, for Node versions without their own. */
import type { SqlDatabase, SqlDriver, SqlRow, SqlStatement, SqlValue } from './sqlite-driver.js'

export async function libsqlDriver(): Promise<SqlDriver> {
  const { default: Database } = await withoutFirstReport(() => import('libsql'))
  return { name: 'libsql', open: path => databaseOf(new Database(path, { timeout: 0 })), codeOf }
}

/**
 * The package has Node write a report of itself to tell which C library is here, and then asks a second time, by a file
 * of the system or, failing that, by another report. The first takes a tenth of our start, and is not needed.
 */
async function withoutFirstReport<T>(load: () => Promise<T>): Promise<T> {
  const { report } = process
  const getReport = report?.getReport
  if (!report || !getReport) return load()
  const restore = () => Object.assign(report, { getReport })
  report.getReport = () => {
    restore()
    return {}
  }
  try {
    return await load()
  } finally {
    restore()
  }
}

interface LibsqlDatabase {
  exec(sql: string): unknown
  prepare(sql: string): LibsqlStatement
  close(): unknown
}
interface LibsqlStatement {
  run(values: readonly SqlValue[]): ReturnType<SqlStatement['run']>
  get(values: readonly SqlValue[]): unknown
  all(values: readonly SqlValue[]): unknown[]
}

function databaseOf(database: LibsqlDatabase): SqlDatabase {
  return {
    exec: sql => void database.exec(sql),
    prepare: sql => statementOf(database.prepare(sql)),
    close: () => void database.close(),
  }
}

// Values go in as one array: a single null or object as argument would be taken for named parameters.
function statementOf(statement: LibsqlStatement): SqlStatement {
  return {
    run: (...values) => statement.run(values),
    get: (...values) => statement.get(values) as SqlRow | undefined,
    all: (...values) => statement.all(values) as SqlRow[],
  }
}

function codeOf(error: unknown): number | undefined {
  const code = (error as { rawCode?: unknown } | undefined)?.rawCode
  if (typeof code === 'number') return code
  // A file that cannot be opened comes as plain text that ends in the code: `…database /x: 14")`.
  const failed = error instanceof Error && /^ConnectionFailed\(.*: (\d+)"\)$/.exec(error.message)
  return failed ? Number(failed[1]) : undefined
}
