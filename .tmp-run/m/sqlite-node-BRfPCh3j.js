// src/adapters/stores/sqlite-node.ts
/** Undefined where this Node has no `node:sqlite`. */
function nodeDriver() {
	const sqlite = withoutExperimentalWarning(() => process.getBuiltinModule("node:sqlite"));
	return sqlite && {
		name: "node:sqlite",
		open: (path) => open(sqlite, path),
		codeOf
	};
}
function open(sqlite, path) {
	const database = new sqlite.DatabaseSync(path);
	database.exec("PRAGMA busy_timeout = 0");
	return {
		exec: (sql) => database.exec(sql),
		prepare: (sql) => statementOf(database.prepare(sql)),
		close: () => database.close()
	};
}
function statementOf(statement) {
	return {
		run: (...values) => ({ changes: Number(statement.run(...values).changes) }),
		get: (...values) => statement.get(...values),
		all: (...values) => statement.all(...values)
	};
}
function codeOf(error) {
	const code = error?.errcode;
	return typeof code === "number" ? code : void 0;
}
/** Node 22 says on stderr that the module is experimental; a program's answer must not carry that. */
function withoutExperimentalWarning(load) {
	const emitWarning = process.emitWarning;
	process.emitWarning = (warning, ...rest) => {
		if (!String(warning).includes("SQLite")) Reflect.apply(emitWarning, process, [warning, ...rest]);
	};
	try {
		return load();
	} finally {
		process.emitWarning = emitWarning;
	}
}
export { nodeDriver };
