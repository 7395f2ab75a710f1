// src/adapters/stores/sqlite-libsql.ts
async function libsqlDriver() {
	const { default: Database } = await import("libsql");
	return {
		name: "libsql",
		open: (path) => databaseOf(new Database(path, { timeout: 0 })),
		codeOf
	};
}
function databaseOf(database) {
	return {
		exec: (sql) => void database.exec(sql),
		prepare: (sql) => statementOf(database.prepare(sql)),
		close: () => void database.close()
	};
}
function statementOf(statement) {
	return {
		run: (...values) => statement.run(values),
		get: (...values) => statement.get(values),
		all: (...values) => statement.all(values)
	};
}
function codeOf(error) {
	const code = error?.rawCode;
	if (typeof code === "number") return code;
	const failed = error instanceof Error && /^ConnectionFailed\(.*: (\d+)"\)$/.exec(error.message);
	return failed ? Number(failed[1]) : void 0;
}
export { libsqlDriver };
