import { createHash } from "node:crypto";
import { readFileSync, readlinkSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { access, chmod, constants, mkdir, open, stat } from "node:fs/promises";
import { dirname } from "node:path";
// src/core/usage.ts
const noUsage = {
	input: 0,
	output: 0,
	cacheRead: 0,
	cacheWrite: 0
};
function addUsage(a, b) {
	const serverTools = (a.serverTools ?? 0) + (b.serverTools ?? 0);
	return {
		input: a.input + b.input,
		output: a.output + b.output,
		cacheRead: a.cacheRead + b.cacheRead,
		cacheWrite: a.cacheWrite + b.cacheWrite,
		...serverTools > 0 && { serverTools },
		...(b.serviceTier ?? a.serviceTier) && { serviceTier: b.serviceTier ?? a.serviceTier },
		...(a.isEstimated || b.isEstimated) && { isEstimated: true }
	};
}
// src/core/run-summary.ts
function summarise(before, envelope) {
	const { event } = envelope;
	if (event.type === "run.queued") return before ?? opened(envelope);
	if (!before) return void 0;
	const summary = {
		...before,
		updatedAt: envelope.at,
		lastSeq: envelope.seq
	};
	switch (event.type) {
		case "run.started": return {
			...summary,
			status: "running"
		};
		case "run.resumed": return {
			...summary,
			status: "queued",
			attempt: event.attempt,
			outcome: void 0
		};
		case "turn.ended": return {
			...summary,
			status: "running",
			turns: summary.turns + (event.purpose === "work" ? 1 : 0),
			usage: addUsage(summary.usage, event.usage),
			cost: summary.cost === void 0 || event.cost === void 0 ? void 0 : summary.cost + event.cost
		};
		case "turn.failed": return event.usage ? {
			...summary,
			usage: addUsage(summary.usage, event.usage)
		} : summary;
		case "tool.ended": return event.status === "not-run" ? summary : {
			...summary,
			toolCalls: summary.toolCalls + 1
		};
		case "run.backgrounded": return {
			...summary,
			isBackground: true
		};
		case "run.ended": return {
			...summary,
			status: "ended",
			outcome: event.result.outcome
		};
		default: return summary;
	}
}
function opened(envelope) {
	const { event } = envelope;
	if (event.type !== "run.queued") return void 0;
	return {
		runId: envelope.runId,
		rootId: envelope.rootId,
		parentId: envelope.parentId,
		callId: envelope.callId,
		agent: envelope.agent,
		nickname: event.brief.nickname,
		description: event.brief.description,
		depth: envelope.depth,
		status: "queued",
		attempt: 1,
		isBackground: event.brief.isBackground,
		createdAt: envelope.at,
		updatedAt: envelope.at,
		lastSeq: envelope.seq,
		turns: 0,
		toolCalls: 0,
		usage: noUsage,
		cost: 0
	};
}
// src/adapters/stores/append-rules.ts
function judgeAppend(head, epoch, expectedSeq, events) {
	if (head.epoch !== epoch) return "lost";
	if (head.lastSeq === expectedSeq) return "store";
	if (head.lastSeq < expectedSeq + events.length || events.length === 0) return "lost";
	return events.every((event) => head.idAt(event.seq) === event.eventId) ? "repeat" : "lost";
}
/** Throws where a writer broke the contract: that is a bug of ours, not a state of the store. */
function checkConsecutive(runId, expectedSeq, events) {
	events.forEach((event, index) => {
		if (event.runId !== runId) throw new Error(`Event ${event.eventId} of run ${event.runId} appended to run ${runId}`);
		const seq = expectedSeq + index + 1;
		if (event.seq !== seq) throw new Error(`Event ${event.eventId} of run ${runId} has seq ${event.seq}, expected ${seq}`);
	});
}
function checkFirst(first) {
	if (first.seq !== 1 || first.event.type !== "run.queued") throw new Error(`A log opens with run.queued at seq 1, not with ${first.event.type} at seq ${first.seq}`);
}
// src/adapters/stores/content-address.ts
/** Texts kept by content: how an address looks, and which addresses a log speaks of. */
const addressOf = (content) => `sha256:${sha256(content)}`;
const sha256 = (text) => createHash("sha256").update(text, "utf8").digest("hex");
const anyAddress = /sha256:[0-9a-f]{64}/g;
/** Every address anywhere inside a value: what keeps a text alive. Naming one too many only keeps it longer. */
function addressesIn(value) {
	const found = /* @__PURE__ */ new Set();
	collect(value, found);
	return [...found];
}
function collect(value, found) {
	if (typeof value === "string") {
		if (value.includes("sha256:")) for (const address of value.match(anyAddress) ?? []) found.add(address);
	} else if (typeof value === "object" && value !== null) for (const item of Object.values(value)) collect(item, found);
}
// src/adapters/stores/run-query.ts
/** Newest first; of runs made in the same millisecond, the one that comes later in `summaries`. */
function selectRuns(summaries, query) {
	const matching = [...summaries].filter((summary) => matches(summary, query)).reverse();
	matching.sort((a, b) => b.createdAt - a.createdAt);
	return query.limit === void 0 ? matching : matching.slice(0, query.limit);
}
function matches(summary, query) {
	return (query.rootId === void 0 || summary.rootId === query.rootId) && (query.parentId === void 0 || summary.parentId === query.parentId) && (query.agent === void 0 || summary.agent === query.agent) && (query.since === void 0 || summary.createdAt >= query.since) && (query.isEnded === void 0 || summary.status === "ended" === query.isEnded);
}
// src/adapters/stores/store-error.ts
var StoreError = class extends Error {
	name = "StoreError";
	code;
	/** The file or directory it is about. */
	path;
	constructor(code, message, about = {}) {
		super(message, about.cause === void 0 ? void 0 : { cause: about.cause });
		this.code = code;
		this.path = about.path;
	}
};
const unknownRun = (runId) => new StoreError("unknown-run", `There is no run ${runId} in this store. \`offshoot runs list\` shows what there is.`);
const closedStore = () => new StoreError("closed", "The store is closed.");
// src/adapters/stores/watchers.ts
var Watchers = class {
	#listeners = /* @__PURE__ */ new Set();
	get isEmpty() {
		return this.#listeners.size === 0;
	}
	add(onPost) {
		const listener = { onPost };
		this.#listeners.add(listener);
		return () => {
			this.#listeners.delete(listener);
		};
	}
	notify(runId) {
		for (const listener of this.#listeners) queueMicrotask(() => {
			if (this.#listeners.has(listener)) callSafely(listener.onPost, runId);
		});
	}
	clear() {
		this.#listeners.clear();
	}
};
function callSafely(onPost, runId) {
	try {
		onPost(runId);
	} catch (error) {
		process.emitWarning(`A listener for posts threw: ${String(error)}`, { code: "OFFSHOOT_WATCHER" });
	}
}
// src/adapters/stores/memory.ts
function memoryStore(options = {}) {
	return new MemoryStore(options.isAlive ?? (() => true));
}
var MemoryStore = class {
	#isAlive;
	#logs = /* @__PURE__ */ new Map();
	#kept = /* @__PURE__ */ new Map();
	#watchers = new Watchers();
	#isClosed = false;
	constructor(isAlive) {
		this.#isAlive = isAlive;
	}
	async create(first) {
		this.#checkOpen();
		checkFirst(first);
		if (this.#logs.has(first.runId)) return "exists";
		const summary = summarise(void 0, first);
		if (!summary) throw new Error(`Event ${first.eventId} opens no log`);
		const log = {
			events: [],
			summary,
			epoch: 0,
			owner: void 0,
			inbox: /* @__PURE__ */ new Map(),
			addresses: /* @__PURE__ */ new Set()
		};
		this.#logs.set(first.runId, log);
		this.#store(log, [first]);
		return "created";
	}
	async append(runId, epoch, expectedSeq, events, consumed = []) {
		this.#checkOpen();
		checkConsecutive(runId, expectedSeq, events);
		const log = this.#logs.get(runId);
		if (!log) return "lost";
		const verdict = judgeAppend({
			lastSeq: log.events.length,
			epoch: log.owner && log.epoch,
			idAt: (seq) => log.events[seq - 1]?.eventId
		}, epoch, expectedSeq, events);
		if (verdict === "lost") return "lost";
		if (verdict === "store") this.#store(log, events);
		for (const id of consumed) log.inbox.delete(id);
		return "ok";
	}
	async *read(runId, fromSeq = 1) {
		this.#checkOpen();
		const events = this.#logs.get(runId)?.events ?? [];
		for (let index = Math.max(fromSeq, 1) - 1; index < events.length; index += 1) yield events[index];
	}
	async summary(runId) {
		this.#checkOpen();
		return this.#logs.get(runId)?.summary;
	}
	async list(query) {
		this.#checkOpen();
		return selectRuns(Array.from(this.#logs.values(), (log) => log.summary), query);
	}
	async claim(runId, owner) {
		const log = this.#logOf(runId);
		if (log.owner && log.owner.id !== owner.id && this.#isAlive(log.owner)) return { heldBy: log.owner };
		log.epoch += 1;
		log.owner = owner;
		return { epoch: log.epoch };
	}
	async release(runId, epoch) {
		this.#checkOpen();
		const log = this.#logs.get(runId);
		if (log?.epoch === epoch) log.owner = void 0;
	}
	async post(runId, item) {
		const { inbox } = this.#logOf(runId);
		if (!inbox.has(item.id)) inbox.set(item.id, item);
		this.#watchers.notify(runId);
	}
	async inbox(runId) {
		this.#checkOpen();
		return [...this.#logs.get(runId)?.inbox.values() ?? []];
	}
	watch(onPost) {
		this.#checkOpen();
		return this.#watchers.add(onPost);
	}
	async keep(content) {
		this.#checkOpen();
		const address = addressOf(content);
		const kept = this.#kept.get(address);
		if (kept) kept.awaited += 1;
		else this.#kept.set(address, {
			content,
			awaited: 1,
			users: 0
		});
		return address;
	}
	async fetch(address) {
		this.#checkOpen();
		return this.#kept.get(address)?.content;
	}
	async remove(rootId) {
		this.#checkOpen();
		const tree = [...this.#logs.values()].filter((log) => log.summary.rootId === rootId);
		if (tree.length === 0) return "unknown";
		if (tree.some((log) => log.owner && this.#isAlive(log.owner))) return "held";
		for (const log of tree) {
			this.#logs.delete(log.summary.runId);
			for (const address of log.addresses) this.#dropUse(address);
		}
		return "removed";
	}
	async close() {
		this.#isClosed = true;
		this.#logs.clear();
		this.#kept.clear();
		this.#watchers.clear();
	}
	#store(log, events) {
		for (const event of events) {
			log.events.push(event);
			log.summary = summarise(log.summary, event) ?? log.summary;
			for (const address of addressesIn(event.event)) this.#use(log, address);
		}
	}
	#use(log, address) {
		const kept = this.#kept.get(address);
		if (!kept || log.addresses.has(address)) return;
		log.addresses.add(address);
		kept.users += 1;
		kept.awaited = Math.max(0, kept.awaited - 1);
	}
	#dropUse(address) {
		const kept = this.#kept.get(address);
		if (!kept) return;
		kept.users -= 1;
		if (kept.users === 0 && kept.awaited === 0) this.#kept.delete(address);
	}
	#logOf(runId) {
		this.#checkOpen();
		const log = this.#logs.get(runId);
		if (!log) throw unknownRun(runId);
		return log;
	}
	#checkOpen() {
		if (this.#isClosed) throw closedStore();
	}
};
// src/adapters/stores/process-owner.ts
/**
* Whether the process behind a claim still lives.
*
* O1 in the same place (host, boot, pid namespace) the process table decides, at once; the start time of the process,
*    counted since boot, tells a reused pid apart whatever the clock does.
* O2 elsewhere only the heartbeat speaks: too old by the clock, or unchanged for too long since we first looked, which
*    also holds when the clock went back.
*/
function recordOwner(owner, now) {
	if (owner.host !== hostname()) return {
		owner,
		heartbeat: now
	};
	const ticks = processState(owner.pid)?.ticks;
	return {
		owner,
		place: thisPlace(),
		...ticks !== void 0 && { ticks },
		heartbeat: now
	};
}
var OwnerWatch = class {
	#expiryMs;
	#seen = /* @__PURE__ */ new Map();
	constructor(expiryMs) {
		this.#expiryMs = expiryMs;
	}
	isAlive(record, now) {
		if (record.place !== thisPlace()) return !this.#isSilent(record, now);
		if (!processExists(record.owner.pid)) return false;
		const state = processState(record.owner.pid);
		if (!state || record.ticks === void 0) return !this.#isSilent(record, now);
		return !state.isDead && state.ticks === record.ticks;
	}
	#isSilent({ owner, heartbeat }, now) {
		if (now - heartbeat > this.#expiryMs) return true;
		const seen = this.#seen.get(owner.id);
		if (seen?.heartbeat === heartbeat) return performance.now() - seen.since > this.#expiryMs;
		this.#seen.set(owner.id, {
			heartbeat,
			since: performance.now()
		});
		return false;
	}
};
function processExists(pid) {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error.code === "EPERM";
	}
}
/** Undefined where there is no /proc, or no such process. */
function processState(pid) {
	const stat = readOrNothing(() => readFileSync(`/proc/${pid}/stat`, "latin1"));
	if (stat === void 0) return void 0;
	const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
	return {
		ticks: Number(fields[19]),
		isDead: fields[0] === "Z" || fields[0] === "X"
	};
}
let place;
function thisPlace() {
	place ??= [
		hostname(),
		readOrNothing(() => readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim()),
		readOrNothing(() => readlinkSync("/proc/self/ns/pid"))
	].join(" ");
	return place;
}
function readOrNothing(read) {
	try {
		return read();
	} catch {
		return;
	}
}
// src/adapters/stores/sqlite-claims.ts
var SqliteClaims = class {
	#watch;
	#holder;
	#saveOwner;
	#take;
	#release;
	#beat;
	#holdersOfTree;
	#forgetOwner;
	#forgetSilent;
	constructor(database, watch) {
		this.#watch = watch;
		this.#holder = database.prepare("SELECT runs.ref, runs.epoch, owners.* FROM runs LEFT JOIN owners USING (owner_id) WHERE run_id = ?");
		this.#saveOwner = database.prepare("INSERT INTO owners (owner_id, host, pid, started_at, place, ticks, heartbeat) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (owner_id) DO UPDATE SET heartbeat = excluded.heartbeat");
		this.#take = database.prepare("UPDATE runs SET epoch = epoch + 1, owner_id = ? WHERE ref = ?");
		this.#release = database.prepare("UPDATE runs SET owner_id = NULL WHERE run_id = ? AND epoch = ?");
		this.#beat = database.prepare("UPDATE owners SET heartbeat = ? WHERE owner_id = ?");
		this.#holdersOfTree = database.prepare("SELECT DISTINCT owners.* FROM runs JOIN owners USING (owner_id) WHERE root_id = ?");
		const holdsNothing = "NOT EXISTS (SELECT 1 FROM runs WHERE runs.owner_id = owners.owner_id)";
		this.#forgetOwner = database.prepare(`DELETE FROM owners WHERE owner_id = ? AND ${holdsNothing}`);
		this.#forgetSilent = database.prepare(`DELETE FROM owners WHERE heartbeat < ? AND ${holdsNothing}`);
	}
	/** Undefined when there is no such run. */
	claim(runId, owner, now) {
		const row = this.#holder.get(runId);
		if (!row) return void 0;
		const holder = recordOf(row);
		if (holder && holder.owner.id !== owner.id && this.#watch.isAlive(holder, now)) return { heldBy: holder.owner };
		const { place, ticks } = recordOwner(owner, now);
		this.#saveOwner.run(owner.id, owner.host, owner.pid, owner.startedAt, place ?? null, ticks ?? null, now);
		this.#take.run(owner.id, Number(row.ref));
		return { epoch: Number(row.epoch) + 1 };
	}
	release(runId, epoch) {
		this.#release.run(runId, epoch);
	}
	beat(ownerIds, now) {
		for (const id of ownerIds) this.#beat.run(now, id);
	}
	isTreeHeld(rootId, now) {
		return this.#holdersOfTree.all(rootId).map(recordOf).some((holder) => holder !== void 0 && this.#watch.isAlive(holder, now));
	}
	/** Rows of processes that hold nothing: these, and all that have been silent since `before`. */
	forget(ownerIds, before) {
		for (const id of ownerIds) this.#forgetOwner.run(id);
		this.#forgetSilent.run(before);
	}
};
function recordOf(row) {
	if (typeof row.owner_id !== "string") return void 0;
	return {
		owner: {
			id: row.owner_id,
			host: String(row.host),
			pid: Number(row.pid),
			startedAt: Number(row.started_at)
		},
		heartbeat: Number(row.heartbeat),
		...typeof row.place === "string" && { place: row.place },
		...typeof row.ticks === "number" && { ticks: row.ticks }
	};
}
// src/adapters/stores/sqlite-driver.ts
/** The little of SQLite that the store needs, so that two libraries can stand behind it. */
/** `node:sqlite` where this Node has it, else libsql. Loaded only when a store is opened. */
async function defaultDriver() {
	const { nodeDriver } = await import("./sqlite-node-BRfPCh3j.js");
	const own = nodeDriver();
	if (own) return own;
	const { libsqlDriver } = await import("./sqlite-libsql-QHbjli3a.js");
	return libsqlDriver();
}
const isBusy = (driver, error) => {
	const code = driver.codeOf(error);
	return code !== void 0 && codes[code & 255] === "busy";
};
function toStoreError(driver, error, path) {
	const code = driver.codeOf(error);
	if (code === void 0) return error;
	const kind = code === noSpaceForSharedMemory ? "full" : codes[code & 255] ?? "io";
	return new StoreError(kind, `${path}: ${error instanceof Error ? error.message : String(error)}. ${remedies$1[kind] ?? ""}`.trim(), {
		path,
		cause: error
	});
}
const codes = {
	5: "busy",
	6: "busy",
	8: "read-only",
	10: "io",
	11: "corrupt",
	13: "full",
	14: "io",
	26: "corrupt"
};
/** SQLITE_IOERR_SHMSIZE: the index beside the log could not grow. */
const noSpaceForSharedMemory = 4874;
const remedies$1 = {
	busy: "Another process kept it locked for too long; find it with `offshoot runs list` or `lsof`, then try again.",
	"read-only": "Make the file and its directory writable, or choose another place for the data.",
	full: "Nothing of this write was stored. Free some space (`offshoot runs prune` helps), then resume the run.",
	io: "The disk or the file system failed; nothing of this write was stored.",
	corrupt: "Move the file away (with its -wal and -shm) to start afresh; `sqlite3 FILE .recover` can save what is readable."
};
// src/adapters/stores/sqlite-inbox.ts
var SqliteInbox = class {
	#ref;
	#insert;
	#items;
	#consume;
	#last;
	#since;
	constructor(database) {
		this.#ref = database.prepare("SELECT ref FROM runs WHERE run_id = ?");
		this.#insert = database.prepare("INSERT INTO inbox (ref, item_id, body) VALUES (?, ?, ?) ON CONFLICT (ref, item_id) DO NOTHING");
		this.#items = database.prepare("SELECT body FROM inbox WHERE ref = (SELECT ref FROM runs WHERE run_id = ?) ORDER BY number");
		this.#consume = database.prepare("DELETE FROM inbox WHERE ref = ? AND item_id = ?");
		this.#last = database.prepare("SELECT seq AS number FROM sqlite_sequence WHERE name = 'inbox'");
		this.#since = database.prepare("SELECT DISTINCT run_id FROM inbox JOIN runs USING (ref) WHERE number > ?");
	}
	/** False when there is no such run. */
	post(runId, item) {
		const row = this.#ref.get(runId);
		if (row) this.#insert.run(Number(row.ref), item.id, JSON.stringify(item));
		return row !== void 0;
	}
	items(runId) {
		return this.#items.all(runId).map((row) => JSON.parse(String(row.body)));
	}
	consume(ref, itemIds) {
		for (const id of itemIds) this.#consume.run(ref, id);
	}
	/** The number of the newest post ever; numbers are never used again. */
	lastNumber() {
		return Number(this.#last.get()?.number ?? 0);
	}
	runsWithPostsAfter(number) {
		return this.#since.all(number).map((row) => row.run_id);
	}
};
// src/adapters/stores/sqlite-kept.ts
/**
* Texts kept by content, in SQLite. A text lives while a log names it or is about to: every `keep` awaits one log that
* will. Every method is synchronous; writing ones run inside a transaction.
*/
var SqliteKept = class {
	#insert;
	#fetch;
	#use;
	#arrived;
	#sweep;
	constructor(database) {
		this.#insert = database.prepare("INSERT INTO kept (address, content, awaited, kept_at) VALUES (?, ?, 1, ?) ON CONFLICT (address) DO UPDATE SET awaited = awaited + 1, kept_at = excluded.kept_at");
		this.#fetch = database.prepare("SELECT content FROM kept WHERE address = ?");
		this.#use = database.prepare("INSERT INTO uses (ref, address) SELECT ?, address FROM kept WHERE address = ? ON CONFLICT DO NOTHING");
		this.#arrived = database.prepare("UPDATE kept SET awaited = awaited - 1 WHERE address = ? AND awaited > 0");
		this.#sweep = database.prepare("DELETE FROM kept WHERE (awaited = 0 OR kept_at < ?) AND NOT EXISTS (SELECT 1 FROM uses WHERE uses.address = kept.address)");
	}
	keep(content, now) {
		const address = addressOf(content);
		this.#insert.run(address, JSON.stringify(content), now);
		return address;
	}
	fetch(address) {
		const row = this.#fetch.get(address);
		return row && JSON.parse(String(row.content));
	}
	/** Notes which kept texts a run's events name. */
	noteUses(ref, texts) {
		for (const address of addressesIn(texts)) if (this.#use.run(ref, address).changes > 0) this.#arrived.run(address);
	}
	/** Deletes what no log names; what a log was awaited for since `before` stays. */
	sweep(before) {
		this.#sweep.run(before);
	}
};
// src/adapters/stores/hash-chain.ts
/** The event as it is stored, and its hash, which the next one carries. */
function link(event, prevHash) {
	const { prevHash: _, ...bare } = event;
	const text = canonicalJson(prevHash === void 0 ? bare : {
		...bare,
		prevHash
	});
	return {
		text,
		hash: sha256(text)
	};
}
/** JSON with the keys of every object in order, so that equal values have equal text. */
function canonicalJson(value) {
	if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
	if ("toJSON" in value && typeof value.toJSON === "function") return canonicalJson(value.toJSON());
	if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
	const record = value;
	let text = "";
	for (const key of Object.keys(record).sort()) {
		const item = record[key];
		if (item === void 0 || typeof item === "function" || typeof item === "symbol") continue;
		text += `${text && ","}${JSON.stringify(key)}:${canonicalJson(item)}`;
	}
	return `{${text}}`;
}
// src/adapters/stores/sqlite-logs.ts
var SqliteLogs = class {
	#database;
	#head;
	#insertRun;
	#insertEvent;
	#updateRun;
	#eventId;
	#page;
	#lists = /* @__PURE__ */ new Map();
	constructor(database) {
		this.#database = database;
		this.#head = database.prepare("SELECT ref, epoch, owner_id, last_seq, last_hash, summary FROM runs WHERE run_id = ?");
		this.#insertRun = database.prepare("INSERT INTO runs (run_id, root_id, parent_id, agent, created_at, updated_at, is_ended, last_seq, last_hash, bytes, summary) VALUES (?, ?, ?, ?, ?, ?, 0, 0, ?, 0, ?) ON CONFLICT (run_id) DO NOTHING");
		this.#insertEvent = database.prepare("INSERT INTO events (ref, seq, event_id, body) VALUES (?, ?, ?, ?)");
		this.#updateRun = database.prepare("UPDATE runs SET updated_at = ?, is_ended = ?, last_seq = ?, last_hash = ?, bytes = bytes + ?, summary = ? WHERE ref = ?");
		this.#eventId = database.prepare("SELECT event_id FROM events WHERE ref = ? AND seq = ?");
		this.#page = database.prepare("SELECT body FROM events WHERE ref = (SELECT ref FROM runs WHERE run_id = ?) AND seq >= ? ORDER BY seq LIMIT ?");
	}
	/** Undefined when the log exists. */
	create(first) {
		const summary = summarise(void 0, first);
		if (!summary) throw new Error(`Event ${first.eventId} opens no log`);
		const { runId, rootId, parentId, agent, at } = first;
		if (this.#insertRun.run(runId, rootId, parentId ?? null, agent, at, at, "", JSON.stringify(summary)).changes === 0) return void 0;
		return this.#store(this.#headOf(runId), [first]);
	}
	append(runId, epoch, expectedSeq, events) {
		const row = this.#headOf(runId);
		if (!row) return { verdict: "lost" };
		const ref = Number(row.ref);
		const verdict = judgeAppend({
			lastSeq: Number(row.last_seq),
			epoch: row.owner_id === null ? void 0 : Number(row.epoch),
			idAt: (seq) => this.#eventId.get(ref, seq)?.event_id
		}, epoch, expectedSeq, events);
		if (verdict === "lost") return { verdict };
		return {
			verdict: "ok",
			written: verdict === "store" && events.length > 0 ? this.#store(row, events) : {
				ref,
				texts: []
			}
		};
	}
	page(runId, fromSeq, limit) {
		return this.#page.all(runId, fromSeq, limit).map((row) => JSON.parse(String(row.body)));
	}
	summary(runId) {
		const row = this.#headOf(runId);
		return row && summaryOf(row);
	}
	headHash(runId) {
		return this.#headOf(runId)?.last_hash;
	}
	list(query) {
		const conditions = [];
		if (query.rootId !== void 0) conditions.push(["root_id = ?", query.rootId]);
		if (query.parentId !== void 0) conditions.push(["parent_id = ?", query.parentId]);
		if (query.agent !== void 0) conditions.push(["agent = ?", query.agent]);
		if (query.since !== void 0) conditions.push(["created_at >= ?", query.since]);
		const ended = query.isEnded === void 0 ? [] : [`is_ended = ${query.isEnded ? 1 : 0}`];
		const where = [...conditions.map(([sql]) => sql), ...ended].join(" AND ");
		const sql = `SELECT summary FROM runs ${where && `WHERE ${where}`} ORDER BY created_at DESC, ref DESC LIMIT ?`;
		const values = conditions.map(([, value]) => value);
		return this.#prepared(sql).all(...values, query.limit ?? -1).map(summaryOf);
	}
	trees() {
		return this.#prepared("SELECT root_id, count(*) AS runs, sum(bytes) AS bytes, max(updated_at) AS updated_at, min(is_ended) AS is_ended FROM runs GROUP BY root_id").all().map((row) => ({
			rootId: row.root_id,
			runs: Number(row.runs),
			bytes: Number(row.bytes),
			updatedAt: Number(row.updated_at),
			isEnded: row.is_ended === 1
		}));
	}
	/** Everything of a tree; false when there is none. */
	remove(rootId) {
		for (const table of [
			"events",
			"inbox",
			"uses"
		]) this.#prepared(`DELETE FROM ${table} WHERE ref IN (SELECT ref FROM runs WHERE root_id = ?)`).run(rootId);
		return this.#prepared("DELETE FROM runs WHERE root_id = ?").run(rootId).changes > 0;
	}
	/** Hands free pages back to the file system, a bounded number at a time. */
	giveSpaceBack() {
		this.#database.exec("PRAGMA incremental_vacuum(2000)");
	}
	#store(row, events) {
		const ref = Number(row.ref);
		const texts = [];
		let summary = summaryOf(row);
		let hash = row.last_hash === "" ? void 0 : String(row.last_hash);
		for (const event of events) {
			const linked = link(event, hash);
			this.#insertEvent.run(ref, event.seq, event.eventId, linked.text);
			texts.push(linked.text);
			hash = linked.hash;
			summary = summarise(summary, event) ?? summary;
		}
		const last = events.at(-1);
		const bytes = texts.reduce((sum, text) => sum + text.length, 0);
		const isEnded = summary.status === "ended" ? 1 : 0;
		this.#updateRun.run(last.at, isEnded, last.seq, hash ?? "", bytes, JSON.stringify(summary), ref);
		return {
			ref,
			texts
		};
	}
	#headOf(runId) {
		return this.#head.get(runId);
	}
	#prepared(sql) {
		let statement = this.#lists.get(sql);
		if (!statement) {
			statement = this.#database.prepare(sql);
			this.#lists.set(sql, statement);
		}
		return statement;
	}
};
const summaryOf = (row) => JSON.parse(String(row.summary));
// src/adapters/stores/private-files.ts
/** Files and directories that only their owner can read, and errors of the file system in a store's words. */
/** Makes the directory (0700) where it is missing and sees that it can be written to. */
async function prepareDirectory(directory) {
	try {
		await mkdir(directory, {
			recursive: true,
			mode: 448
		});
		await access(directory, constants.W_OK | constants.X_OK);
	} catch (error) {
		throw fromSystemError(error, directory);
	}
}
/** Makes the file (0600) where it is missing, and closes one that others could read. */
async function preparePrivateFile(path) {
	await prepareDirectory(dirname(path));
	try {
		await (await open(path, "a", 384)).close();
		await tighten(path);
	} catch (error) {
		throw fromSystemError(error, path);
	}
}
/** Takes away what group and others may do with a file of ours; a missing file is fine. */
async function tighten(path) {
	const found = await stat(path).catch(() => void 0);
	if (found?.isFile() && (found.mode & 63) !== 0) await chmod(path, 384);
}
function fromSystemError(error, path) {
	const { code, message } = error;
	if (error instanceof StoreError || typeof code !== "string" || !/^E[A-Z0-9]+$/.test(code)) return error;
	const kind = kinds[code] ?? "io";
	return new StoreError(kind, `${path}: ${message}. ${remedies[kind]}`, {
		path,
		cause: error
	});
}
const kinds = {
	EROFS: "read-only",
	EACCES: "read-only",
	EPERM: "read-only",
	ENOSPC: "full",
	EDQUOT: "full",
	EFBIG: "full"
};
const remedies = {
	"read-only": "Make it writable for you, or choose another place for the data.",
	full: "Nothing of this write was stored. Free some space (`offshoot runs prune` helps), then resume the run.",
	io: "See that the path leads to a directory of yours and that the disk is sound."
};
// src/adapters/stores/sqlite-schema.ts
const migrations = [`
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
    awaited INTEGER NOT NULL,
    kept_at INTEGER NOT NULL
  );
  CREATE TABLE uses (
    ref INTEGER NOT NULL,
    address TEXT NOT NULL,
    PRIMARY KEY (ref, address)
  ) WITHOUT ROWID;
  CREATE INDEX uses_by_address ON uses (address);
  `];
/** Says "this file is an Offshoot store" in the file's header. */
const applicationId = 1332110963;
/** 0 for a file with nothing in it. Throws on one that is not ours, or from a newer version. */
function versionOf(database, path) {
	const id = Number(database.prepare("PRAGMA application_id").get()?.application_id);
	if (Number(database.prepare("SELECT count(*) AS n FROM sqlite_schema").get()?.n) === 0) return 0;
	if (id !== applicationId) throw new StoreError("corrupt", `${path} is a database of another program. Choose another file.`, { path });
	const version = Number(database.prepare("SELECT max(version) AS n FROM schema_version").get()?.n);
	if (version > migrations.length) {
		const known = migrations.length;
		throw new StoreError("newer-version", `${path} was written by a newer Offshoot (its format is ${version}, this one knows ${known}). Update Offshoot, or choose another file.`, { path });
	}
	return version;
}
const isCurrent = (version) => version === migrations.length;
/** Brings the file to the newest version. Runs inside the caller's write transaction. */
function migrate(database, path, now) {
	const version = versionOf(database, path);
	if (version === 0) {
		database.exec(`PRAGMA application_id = ${applicationId}`);
		database.exec("CREATE TABLE schema_version (version INTEGER PRIMARY KEY, applied_at INTEGER NOT NULL)");
	}
	migrations.slice(version).forEach((sql, index) => {
		database.exec(sql);
		database.prepare("INSERT INTO schema_version VALUES (?, ?)").run(version + index + 1, now);
	});
}
// src/adapters/stores/sqlite-writer.ts
/**
* Writes to SQLite without ever waiting in place.
*
* W1 all writes of one tick share one transaction; each caller hears of its own after the commit.
* W2 a lock held elsewhere is tried again later, up to a limit; meanwhile the event loop runs on.
* W3 a write that fails takes no other with it: the group is tried again one by one.
*/
var GroupedWriter = class {
	#connection;
	#waiting = [];
	#flushing;
	#isClosed = false;
	constructor(connection) {
		this.#connection = connection;
	}
	write(run) {
		if (this.#isClosed) return Promise.reject(closedStore());
		return new Promise((resolve, reject) => {
			this.#waiting.push({
				run,
				resolve: (value) => resolve(value),
				reject
			});
			this.#flushing ??= this.#flush();
		});
	}
	/** Lets what was asked for finish, then takes no more. */
	async close() {
		this.#isClosed = true;
		await this.#flushing;
	}
	async #flush() {
		while (this.#waiting.length > 0) {
			await endOfTick();
			const group = this.#waiting;
			this.#waiting = [];
			await this.#commit(group);
		}
		this.#flushing = void 0;
	}
	async #commit(group) {
		try {
			const values = await retryBusy(this.#connection, () => inTransaction(this.#connection.database, group));
			group.forEach((write, index) => {
				write.resolve(values[index]);
			});
		} catch (error) {
			if (group.length === 1 || isBusy(this.#connection.driver, error)) for (const write of group) write.reject(toStoreError(this.#connection.driver, error, this.#connection.path));
			else for (const write of group) await this.#commit([write]);
		}
	}
};
/** Runs `attempt` until it meets no lock held elsewhere, with pauses, at most for the connection's limit. */
async function retryBusy(connection, attempt) {
	const deadline = performance.now() + connection.busyLimitMs;
	for (let pauseMs = 1;; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
		try {
			return attempt();
		} catch (error) {
			if (!isBusy(connection.driver, error) || performance.now() >= deadline) throw error;
		}
		await new Promise((resolve) => setTimeout(resolve, pauseMs));
	}
}
const longestPauseMs = 25;
function inTransaction(database, group) {
	database.exec("BEGIN IMMEDIATE");
	try {
		const values = group.map((write) => write.run());
		database.exec("COMMIT");
		return values;
	} catch (error) {
		rollBack(database);
		throw error;
	}
}
function rollBack(database) {
	try {
		database.exec("ROLLBACK");
	} catch {}
}
const endOfTick = () => new Promise((resolve) => setImmediate(resolve));
// src/adapters/stores/sqlite-open.ts
/** From a path to a database that can be relied on: private, in WAL mode, sound, of the right version. */
async function openConnection(options) {
	const { path, busyLimitMs } = options;
	await preparePrivateFile(path);
	await Promise.all([tighten(`${path}-wal`), tighten(`${path}-shm`)]);
	await checkHeader(path);
	const driver = options.driver ?? await defaultDriver();
	let database;
	try {
		database = await retryBusy({
			driver,
			busyLimitMs
		}, () => driver.open(path));
		const connection = {
			database,
			driver,
			path,
			busyLimitMs
		};
		await prepareDatabase(connection, (await stat(path)).size, options.now);
		return connection;
	} catch (error) {
		database?.close();
		throw toStoreError(driver, error, path);
	}
}
async function prepareDatabase(connection, bytes, now) {
	const { database, path } = connection;
	await retryBusy(connection, () => database.exec("PRAGMA auto_vacuum = INCREMENTAL"));
	if (await retryBusy(connection, () => database.prepare("PRAGMA journal_mode = WAL").get()?.journal_mode) !== "wal") throw new StoreError("io", `${`${path}: this file system cannot share memory between processes, which the store needs. `}Choose a place on a local disk.`, { path });
	database.exec("PRAGMA synchronous = FULL");
	database.exec("PRAGMA wal_autocheckpoint = 4000");
	database.exec(`PRAGMA journal_size_limit = ${16 << 20}`);
	if (bytes <= quickCheckBytes) await retryBusy(connection, () => checkPages(database, path));
	if (isCurrent(await retryBusy(connection, () => versionOf(database, path)))) return;
	await retryBusy(connection, () => migrateInTransaction(connection, now()));
}
/** Checking pages costs time in proportion to the file; past this size `checkIntegrity` does it when asked. */
const quickCheckBytes = 4 << 20;
function findFaults(database) {
	return database.prepare("PRAGMA quick_check(10)").all().map((row) => String(row.quick_check ?? Object.values(row)[0])).filter((line) => line !== "ok");
}
function checkPages(database, path) {
	const [fault] = findFaults(database);
	if (fault === void 0) return;
	throw damaged(path, fault);
}
function migrateInTransaction({ database, path }, now) {
	database.exec("BEGIN IMMEDIATE");
	try {
		migrate(database, path, now);
		database.exec("COMMIT");
	} catch (error) {
		database.exec("ROLLBACK");
		throw error;
	}
}
/** A file that is no database at all is told apart before any library gets to see it. */
async function checkHeader(path) {
	const file = await open(path, "r");
	try {
		const { bytesRead, buffer } = await file.read(Buffer.alloc(16), 0, 16, 0);
		if (bytesRead > 0 && buffer.toString("latin1") !== "SQLite format 3\0") throw damaged(path, "no SQLite header");
	} finally {
		await file.close();
	}
}
function damaged(path, fault) {
	return new StoreError("corrupt", `${path} is damaged (${fault}). Move it away (with ${path}-wal and ${path}-shm) to start afresh; \`sqlite3 ${path} .recover\` can save what is readable.`, { path });
}
// src/adapters/stores/sqlite-poll.ts
/** Hears of posts by other processes: one cheap question an interval, and a query only when something was written. */
var PostPoll = class {
	#inbox;
	#watchers;
	#version;
	#pollMs;
	#timer;
	#lastVersion = -1;
	#lastNumber = 0;
	constructor(database, inbox, watchers, pollMs) {
		this.#inbox = inbox;
		this.#watchers = watchers;
		this.#pollMs = pollMs;
		this.#version = database.prepare("PRAGMA data_version");
	}
	start() {
		if (this.#timer) return;
		this.#lastNumber = this.#numberNow();
		this.#timer = setInterval(() => this.#look(), this.#pollMs).unref();
	}
	stop() {
		clearInterval(this.#timer);
		this.#timer = void 0;
	}
	/** Where the start cannot be told just now, everything that waits is news. */
	#numberNow() {
		try {
			return this.#inbox.lastNumber();
		} catch {
			return 0;
		}
	}
	#look() {
		if (this.#watchers.isEmpty) {
			this.stop();
			return;
		}
		try {
			const version = Number(this.#version.get()?.data_version);
			if (version === this.#lastVersion) return;
			const number = this.#inbox.lastNumber();
			for (const runId of this.#inbox.runsWithPostsAfter(this.#lastNumber)) this.#watchers.notify(runId);
			this.#lastNumber = number;
			this.#lastVersion = version;
		} catch {}
	}
};
// src/adapters/stores/sqlite.ts
/** Rejects with a StoreError where the file cannot be used, naming it and what to do. */
async function sqliteStore(options) {
	const now = options.now ?? Date.now;
	const connection = await openConnection({
		...options,
		busyLimitMs: options.busyLimitMs ?? 6e4,
		now
	});
	const { pollMs = 100, heartbeatMs = 5e3, expiryMs = 3e4 } = options;
	return new Store(connection, {
		pollMs,
		heartbeatMs,
		expiryMs,
		now
	});
}
const pageSize = 500;
const dayMs = 864e5;
var Store = class {
	#connection;
	#writer;
	#logs;
	#claims;
	#inbox;
	#kept;
	#now;
	#watchers = new Watchers();
	#poll;
	#heartbeat;
	/** Owners that claimed through this store: it speaks for them. */
	#owners = /* @__PURE__ */ new Set();
	#closing;
	constructor(connection, options) {
		const { database } = connection;
		this.#connection = connection;
		this.#now = options.now;
		this.#writer = new GroupedWriter(connection);
		this.#logs = new SqliteLogs(database);
		this.#claims = new SqliteClaims(database, new OwnerWatch(options.expiryMs));
		this.#inbox = new SqliteInbox(database);
		this.#kept = new SqliteKept(database);
		this.#poll = new PostPoll(database, this.#inbox, this.#watchers, options.pollMs);
		this.#heartbeat = setInterval(() => this.#beat(), options.heartbeatMs).unref();
	}
	async create(first) {
		checkFirst(first);
		return this.#writer.write(() => {
			const written = this.#logs.create(first);
			if (written) this.#kept.noteUses(written.ref, written.texts);
			return written ? "created" : "exists";
		});
	}
	async append(runId, epoch, expectedSeq, events, consumed = []) {
		checkConsecutive(runId, expectedSeq, events);
		return this.#writer.write(() => {
			const answer = this.#logs.append(runId, epoch, expectedSeq, events);
			if (answer.verdict === "ok") {
				this.#kept.noteUses(answer.written.ref, answer.written.texts);
				this.#inbox.consume(answer.written.ref, consumed);
			}
			return answer.verdict;
		});
	}
	async *read(runId, fromSeq = 1) {
		for (let next = fromSeq;;) {
			const page = await this.#read(() => this.#logs.page(runId, next, pageSize));
			yield* page;
			const last = page.at(-1);
			if (!last) return;
			next = last.seq + 1;
		}
	}
	summary(runId) {
		return this.#read(() => this.#logs.summary(runId));
	}
	list(query) {
		return this.#read(() => this.#logs.list(query));
	}
	trees() {
		return this.#read(() => this.#logs.trees());
	}
	headHash(runId) {
		return this.#read(() => this.#logs.headHash(runId));
	}
	async claim(runId, owner) {
		const answer = await this.#writer.write(() => this.#claims.claim(runId, owner, this.#now()));
		if (!answer) throw unknownRun(runId);
		if ("epoch" in answer) this.#owners.add(owner.id);
		return answer;
	}
	release(runId, epoch) {
		return this.#writer.write(() => this.#claims.release(runId, epoch));
	}
	async post(runId, item) {
		if (!await this.#writer.write(() => this.#inbox.post(runId, item))) throw unknownRun(runId);
		this.#watchers.notify(runId);
	}
	inbox(runId) {
		return this.#read(() => this.#inbox.items(runId));
	}
	watch(onPost) {
		if (this.#closing) throw closedStore();
		const close = this.#watchers.add(onPost);
		this.#poll.start();
		return close;
	}
	keep(content) {
		return this.#writer.write(() => this.#kept.keep(content, this.#now()));
	}
	fetch(address) {
		return this.#read(() => this.#kept.fetch(address));
	}
	async remove(rootId) {
		const answer = await this.#writer.write(() => {
			const now = this.#now();
			if (this.#claims.isTreeHeld(rootId, now)) return "held";
			if (!this.#logs.remove(rootId)) return "unknown";
			this.#kept.sweep(now - dayMs);
			return "removed";
		});
		if (answer === "removed") await this.#writer.write(() => this.#logs.giveSpaceBack());
		return answer;
	}
	checkIntegrity() {
		return this.#read(() => findFaults(this.#connection.database));
	}
	close() {
		this.#closing ??= this.#close();
		return this.#closing;
	}
	async #close() {
		clearInterval(this.#heartbeat);
		this.#poll.stop();
		this.#watchers.clear();
		const farewell = this.#writer.write(() => this.#claims.forget(this.#owners, this.#now() - dayMs));
		await Promise.all([farewell.catch(() => {}), this.#writer.close()]);
		this.#connection.database.close();
	}
	#beat() {
		if (this.#owners.size === 0) return;
		this.#writer.write(() => this.#claims.beat(this.#owners, this.#now())).catch(() => {});
	}
	async #read(query) {
		if (this.#closing) throw closedStore();
		try {
			return await retryBusy(this.#connection, query);
		} catch (error) {
			throw toStoreError(this.#connection.driver, error, this.#connection.path);
		}
	}
};
// src/testing/sample-log.ts
const runId = (text) => text;
const callId = (text) => text;
function sampleOwner(id, about = {}) {
	return {
		id,
		host: "test-host",
		pid: 1,
		startedAt: 0,
		...about
	};
}
/** One envelope; `seq` also makes its id, so the same run and seq give the same event. */
function sampleEvent(run, seq, event) {
	const rootId = run.rootId ?? run.runId;
	return {
		eventId: `${run.runId}/${seq}`,
		runId: run.runId,
		rootId,
		...run.parentId && { parentId: run.parentId },
		depth: rootId === run.runId ? 0 : 1,
		agent: run.agent ?? "main",
		seq,
		at: (run.at ?? 1e3) + seq,
		event
	};
}
function sampleQueued(run) {
	return sampleEvent(run, 1, {
		type: "run.queued",
		brief: sampleBrief(run),
		prompt: "Count the words.",
		version: 1
	});
}
/** The five events of one working turn with one call, from `seq` on. */
function sampleTurn(run, seq, turn, answer = "42 words") {
	const call = callId(`call-${turn}`);
	const input = {
		path: `notes/${turn}.md`,
		limit: 200
	};
	return [
		{
			type: "turn.ended",
			turn,
			purpose: "work",
			upto: seq - 1,
			message: {
				role: "assistant",
				content: [{
					type: "text",
					text: `Looking at file ${turn}.`
				}, {
					type: "call",
					id: call,
					name: "Read",
					input
				}]
			},
			finish: "calls",
			usage: {
				input: 1200,
				output: 80,
				cacheRead: 900,
				cacheWrite: 0
			},
			model: "offline/scripted",
			cost: .001
		},
		{
			type: "clock.stopped",
			cause: "slot"
		},
		{
			type: "clock.started",
			cause: "slot"
		},
		{
			type: "tool.started",
			callId: call,
			name: "Read",
			input,
			effect: "read",
			rule: "read-inside-roots"
		},
		{
			type: "tool.ended",
			callId: call,
			name: "Read",
			status: "ok",
			content: [{
				type: "text",
				text: answer
			}],
			context: input.path,
			summary: "1 line",
			durationMs: 3
		}
	].map((event, index) => sampleEvent(run, seq + index, event));
}
function sampleBrief(run) {
	const agent = run.agent ?? "main";
	return {
		agent,
		displayName: agent,
		description: "count the words",
		path: [agent],
		depth: 0,
		source: {
			scope: "built-in",
			isTrusted: true
		},
		declared: { hash: "sha256:none" },
		allowed: ["Read"],
		delegateTools: [],
		canSpawn: false,
		chain: [],
		model: "offline/scripted",
		sampling: {},
		limits: {
			graceMs: 0,
			resultBytes: 16384,
			spawnDeadlineMs: 6e4,
			stallMs: 6e4,
			stopHookReturns: 3
		},
		completion: {
			mode: "text",
			outputName: "result",
			isStructured: false
		},
		opening: [{
			role: "user",
			content: [{
				type: "text",
				text: "Count the words."
			}]
		}],
		isBackground: false,
		waitsForChildren: true,
		isolation: "none",
		executionMode: "in-process",
		reasons: [],
		...run.brief
	};
}
// ../../../tmp/st/m.ts
rmSync("/tmp/st/bench", {
	recursive: true,
	force: true
});
const answer = "x".repeat(1500);
for (const [n, store] of [["memory", memoryStore()], ["sqlite", await sqliteStore({ path: "/tmp/st/bench/a.db" })]]) {
	const run = { runId: runId("r") };
	await store.create(sampleQueued(run));
	const c = await store.claim(run.runId, sampleOwner("o"));
	const laps = [];
	for (let i = 0; i < 2e3; i++) {
		const ev = sampleTurn(run, 2 + i * 5, i, answer);
		const a = performance.now();
		await store.append(run.runId, c.epoch, 1 + i * 5, ev);
		laps.push(performance.now() - a);
	}
	laps.sort((a, b) => a - b);
	console.log(n, "alone median", laps[1e3], "p99", laps[1980]);
	for (let k = 0; k < 3; k++) {
		const t = performance.now();
		let j = 0;
		for await (const e of store.read(run.runId)) j++;
		console.log("read", j, performance.now() - t);
	}
	const runs = Array.from({ length: 50 }, (_, i) => ({ runId: runId("c" + i) }));
	const ep = await Promise.all(runs.map(async (r) => {
		await store.create(sampleQueued(r));
		return (await store.claim(r.runId, sampleOwner("o"))).epoch;
	}));
	const t = performance.now();
	for (let i = 0; i < 400; i++) await Promise.all(runs.map((r, x) => store.append(r.runId, ep[x], 1 + i * 5, sampleTurn(r, 2 + i * 5, i, answer))));
	console.log("grouped per turn", (performance.now() - t) / 2e4);
	await store.close();
}
{
	const t = performance.now();
	const store = await sqliteStore({ path: "/tmp/st/bench/a.db" });
	const t1 = performance.now();
	let j = 0;
	for await (const e of store.read(runId("r"))) j++;
	console.log("reopen", t1 - t, "read", j, performance.now() - t1);
	await store.close();
}
export {};
