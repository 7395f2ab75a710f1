import { TomlError, parse } from "smol-toml";
import { parseDocument } from "yaml";
// src/adapters/sources/parsers.ts
/** The parsers handed to core/agent-file: data only, nothing built, nothing run, aliases bounded. */
const parsers = {
	yaml: readYaml$1,
	toml: readToml
};
const MAX_ALIASES = 100;
function readYaml$1(text) {
	try {
		const document = parseDocument(text, YAML_OPTIONS);
		const [error] = document.errors;
		if (error) return {
			fault: error.message.split("\n")[0],
			line: error.linePos?.[0].line ?? 1
		};
		const [warning] = document.warnings;
		if (warning) return { fault: warning.message.split("\n")[0] };
		return toValue(document);
	} catch (error) {
		return { fault: error instanceof Error ? error.message : "unreadable" };
	}
}
const YAML_OPTIONS = {
	uniqueKeys: false,
	logLevel: "silent",
	prettyErrors: false,
	resolveKnownTags: false
};
function toValue(document) {
	try {
		return { value: document.toJS({ maxAliasCount: MAX_ALIASES }) };
	} catch (error) {
		const fault = error instanceof Error ? error.message : "unreadable";
		return {
			fault,
			isHostile: /alias count/i.test(fault)
		};
	}
}
function readToml(text) {
	try {
		return { value: parse(text) };
	} catch (error) {
		if (error instanceof TomlError) return {
			fault: `no valid TOML: ${error.message.split("\n")[0]}`,
			line: error.line
		};
		return { fault: "no valid TOML" };
	}
}
// src/core/nearest.ts
/** Names somebody may have meant: used for unknown agents, keys and tools. */
/** Case and separators never matter when a name is looked up. */
function looseKey(name) {
	return /[^a-z0-9]/.test(name) ? name.toLowerCase().replace(/[\s._-]+/g, "") : name;
}
/** `Brand Guardian` → `brand-guardian`. */
function slugOf(name) {
	return name.trim().toLowerCase().replace(/[\s._-]+/g, "-").replace(/^-|-$/g, "");
}
/** The one candidate close enough to be a slip of the pen, if any. */
function didYouMean(name, candidates) {
	const key = looseKey(name);
	if (key.length > MAX_COMPARED) return void 0;
	const allowed = key.length <= 4 ? 1 : key.length <= 8 ? 2 : 3;
	let best;
	for (const [index, loose] of looseKeysOf(candidates).entries()) {
		if (Math.abs(loose.length - key.length) > allowed) continue;
		const distance = editDistance(key, loose);
		if (distance <= allowed && distance < (best?.distance ?? allowed + 1)) best = {
			candidate: candidates[index],
			distance
		};
	}
	return best?.candidate;
}
/** The lists compared with are few and constant; their keys are worked out once. */
const LOOSE_KEYS = /* @__PURE__ */ new WeakMap();
function looseKeysOf(candidates) {
	const known = LOOSE_KEYS.get(candidates);
	if (known) return known;
	const keys = candidates.map(looseKey);
	LOOSE_KEYS.set(candidates, keys);
	return keys;
}
const MAX_COMPARED = 64;
/** Insertions, deletions, replacements and swaps of neighbours. */
function editDistance(a, b) {
	let beforeLast = [];
	let last = Array.from({ length: b.length + 1 }, (_, column) => column);
	for (let row = 1; row <= a.length; row++) {
		const current = [row];
		for (let column = 1; column <= b.length; column++) {
			const isSame = a[row - 1] === b[column - 1];
			let best = Math.min(last[column] + 1, current[column - 1] + 1, last[column - 1] + (isSame ? 0 : 1));
			if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) best = Math.min(best, beforeLast[column - 2] + 1);
			current.push(best);
		}
		beforeLast = last;
		last = current;
	}
	return last[b.length];
}
// src/core/agent-file/diagnostic-codes.ts
/** An `error` quarantines the agent or says that the file is none; a `warning` loads it; `info` changes nothing. */
const DIAGNOSTIC_CODES = {
	"unreadable-file": error("The file or folder cannot be read.", "check its permissions and owner"),
	"file-too-large": error("The file is larger than an agent file may be.", "move long reference text into a skill"),
	"special-file": warning("A FIFO, socket or device; it is never opened.", "remove it from the agents folder"),
	"symlink-refused": warning("A link that loops, dangles or leaves the folder.", "copy the file into the folder"),
	"folder-too-large": warning("The folder is deeper or fuller than is read.", "split it, or lint the part you need"),
	"unsafe-owner": error("Others can write to this trusted folder.", "chmod go-w, and own the folder yourself"),
	"binary-file": info("The bytes are no text.", "agent files are UTF-8 text"),
	"other-extension": info("Not an extension agents are read from.", "use .md, .yaml, .yml, .toml or .json"),
	"encoding-utf16": warning("The file is UTF-16.", "save it as UTF-8"),
	"encoding-invalid": warning("Some bytes are not valid UTF-8 and were replaced.", "save it as UTF-8"),
	"no-front-matter": info("No front matter, so no agent.", "start the file with --- and a name: line"),
	"empty-front-matter": info("The front matter names nothing.", "add name: and description:"),
	"not-an-agent": info("Front matter without anything an agent needs.", "add name: and description: if it is one"),
	"front-matter-in-code-block": warning("The front matter stands in a code block.", "remove the line with the backticks"),
	"front-matter-language": error("Front matter in a language that is not read, and never run.", "write plain YAML"),
	"front-matter-unclosed": warning("No closing ---; keys up to the first empty line were read.", "add a line with ---"),
	"front-matter-misplaced": warning("Something stands before the first ---.", "make --- the first line of the file"),
	"front-matter-too-large": error("More front matter than is read.", "move the text into the body"),
	"syntax-repaired": warning("Not valid YAML; this entry was read line by line.", "quote the value (lint --fix does it)"),
	"syntax-error": error("The text cannot be parsed.", "correct the syntax at this line"),
	"alias-expansion": error("YAML aliases that expand beyond all bounds.", "write the values out"),
	"stray-line": warning("A line that belongs to no key was left out.", "indent it under its key, or move it to the body"),
	"key-unknown": info("A key nobody knows; kept as it is.", "remove it if nothing reads it"),
	"key-misspelled": warning("A key nobody knows, close to one that exists.", "correct the spelling"),
	"key-spelling": warning("The key was read under another spelling.", "write it as the docs do"),
	"key-duplicate": warning("The key appears twice; the last one counts.", "remove one"),
	"key-forbidden": warning("A key that could harm the program; left out.", "remove it"),
	"key-ignored": warning("This key is never taken from a file.", "remove it"),
	"security-key-damaged": error("A key that limits the agent seems to be damaged.", "correct it; until then it will not run"),
	"security-value-unclear": error("A value that limits the agent cannot be read for certain.", "correct the value"),
	"name-missing": warning("No name; the file name is used.", "add name:"),
	"name-converted": warning("The name was no text and has been turned into text.", "put the name in quotes"),
	"name-invalid": error("A name that cannot be used.", "use letters, digits, spaces, - and _"),
	"name-colon": error("Only plugin agents have \":\" in their names.", "use - instead"),
	"description-missing": warning("No description; the agent is not offered for delegation.", "say when to use it"),
	"description-converted": warning("The description was no text and has been turned into text.", "write it as text"),
	"description-cut": warning("The description is longer than models are shown; it was cut.", "say it in a few sentences"),
	"value-comment": warning("\" #\" starts a comment: the rest of the line is not read.", "put the value in quotes"),
	"prompt-missing": warning("No system prompt; a one-line default is used.", "write the prompt below the front matter"),
	"tools-word": warning("A word that stands for every tool the caller has.", "leave tools: out to say the same"),
	"tools-none": info("The agent has no tools at all.", "leave tools: out to inherit the caller’s"),
	"tools-key": warning("This key was read as tools:.", "rename it to tools:"),
	"tools-unknown": warning("Tools nobody here knows; they are kept, and ignored unless a host brings them.", "correct them"),
	"tools-all-unknown": error("None of the tools exist, so the agent could do nothing.", "name tools that exist"),
	"mode-ignored": warning("This permission mode is not taken from the file.", "a child is never looser than its caller"),
	"permission-narrowed": warning("The permissions were read more strictly than written.", "see the docs on permissions"),
	"hooks-dropped": warning("Hooks that cannot be read were left out.", "write EVENT: [{matcher, hooks: [{type: command, command}]}]"),
	"hooks-guard-unreadable": error("A guard (PreToolUse) cannot be read.", "correct it; without its guard the agent does not run"),
	unsupported: error("The agent asks for something that is not to be had here.", "remove the key to run it without"),
	"value-invalid": warning("The value does not fit the key and was left out.", "use one of the valid values"),
	"value-converted": warning("The value was read in another form than written.", "write it as the docs do"),
	"model-unknown": warning("A model nobody knows; the caller’s model is used.", "use an alias or provider/model"),
	"duplicate-name": warning("Two files of one folder define the same agent.", "rename one of the two"),
	shadowed: info("Another definition of this name is the one used.", "remove the other one to use this"),
	"extends-unknown": error("The agent it extends does not exist or cannot be used.", "correct the name"),
	"extends-depth": error("The agent it extends extends another one.", "one level is the limit"),
	"extends-widened": warning("It asks for more than the agent it extends; that part was left out.", "remove it"),
	untrusted: info("The folder is not trusted, so its agents are not offered.", "look at it, then: offshoot trust")
};
function error(means, hint) {
	return {
		severity: "error",
		means,
		hint
	};
}
function warning(means, hint) {
	return {
		severity: "warning",
		means,
		hint
	};
}
function info(means, hint) {
	return {
		severity: "info",
		means,
		hint
	};
}
function diagnose(code, message, place = {}, hint) {
	const known = DIAGNOSTIC_CODES[code];
	return {
		code,
		severity: known.severity,
		message,
		hint: hint ?? known.hint,
		...place
	};
}
// src/core/agent-file/dialect.ts
/** Which product a file was written for: from its keys where they are telling, else from where it lies. */
function detectDialect(path, entries) {
	const written = new Set(entries.map((entry) => entry.key));
	const has = (...keys) => keys.some((key) => written.has(key));
	if (has("agentType", "whenToUse", "modelConfig", "runConfig", "promptConfig", "inputConfig", "outputConfig")) return "codex-document";
	if (has("agent_type", "when_to_use")) return "cocode";
	if (has("developer_instructions", "model_reasoning_effort", "sandbox_mode")) return "codex-role";
	const place = placeDialect(path);
	if (place !== void 0 && place !== "claude") return place;
	if (has("timeout_mins", "max_turns", "display_name", "mcp_servers") || isGeminiKind(entries)) return "gemini";
	if (has("permission", "top_p", "steps") || isOpencodeMode(entries) || hasToolMap(entries)) return "opencode";
	if (has("handoffs", "argument-hint", "user-invocable", "disable-model-invocation")) return "copilot";
	if (place === void 0 && entries.some((entry) => OURS.has(looseKey(entry.key)))) return "offshoot";
	return "claude";
}
/** Keys that mean what we think only in one product's files; elsewhere they are unknown keys. */
function isForeignTo(dialect, key) {
	const home = AT_HOME.get(looseKey(key));
	return home !== void 0 && home !== dialect;
}
const AT_HOME = /* @__PURE__ */ new Map([
	["agents", "copilot"],
	["steps", "opencode"],
	["mode", "opencode"],
	["kind", "gemini"],
	["sandboxmode", "codex-role"]
]);
const OURS = new Set([
	"inputs",
	"output",
	"completion",
	"timeout",
	"grace",
	"budget",
	"extends",
	"canSpawn",
	"delegateTools",
	"forkContext",
	"criticalReminder",
	"approvalMode",
	"executionMode",
	"baseDir",
	"aliases",
	"permissions"
].map(looseKey));
const PLACES = [
	[/(?:^|\/)\.offshoot\//, "offshoot"],
	[/(?:^|\/)\.claude\//, "claude"],
	[/(?:^|\/)(?:\.opencode|\.config\/opencode)\//, "opencode"],
	[/(?:^|\/)\.gemini\//, "gemini"],
	[/(?:^|\/)\.codex\//, "codex-role"],
	[/(?:^|\/)\.github\//, "copilot"],
	[/\.agent\.md$/i, "copilot"]
];
function placeDialect(path) {
	const unified = path.replaceAll("\\", "/");
	return PLACES.find(([pattern]) => pattern.test(unified))?.[1];
}
function isGeminiKind(entries) {
	return entries.some((entry) => entry.key === "kind" && (entry.value === "local" || entry.value === "remote"));
}
function isOpencodeMode(entries) {
	const modes = [
		"subagent",
		"primary",
		"all"
	];
	return entries.some((entry) => entry.key === "mode" && modes.includes(entry.value));
}
function hasToolMap(entries) {
	return entries.some(({ key, value }) => key === "tools" && typeof value === "object" && value !== null && !Array.isArray(value));
}
// src/core/agent-file/field-reader.ts
/** A security field that cannot be read for certain. */
function refuse(given, why) {
	given.note("security-value-unclear", `the value of "${given.entry.key}" cannot be read for certain: ${why}`);
}
/** Any other field: left out. */
function drop(given, valid) {
	const shown = JSON.stringify(given.entry.value) ?? "nothing";
	given.note("value-invalid", `"${given.entry.key}" is ${shown.slice(0, 80)}`, `valid: ${valid}`);
}
function textOf(value) {
	return typeof value === "string" && value.trim() !== "" ? value.trim() : void 0;
}
function numberOf(value) {
	if (typeof value === "number") return Number.isFinite(value) ? value : void 0;
	return typeof value === "string" && /^\s*-?\d+(?:\.\d+)?\s*$/.test(value) ? Number(value) : void 0;
}
function flagOf(value) {
	if (typeof value === "boolean") return value;
	const word = typeof value === "string" ? value.trim().toLowerCase() : void 0;
	if (word === "true" || word === "yes" || word === "on") return true;
	return word === "false" || word === "no" || word === "off" ? false : void 0;
}
/** A list of names, or one text with commas; undefined when it is neither. */
function namesOf(value) {
	const items = typeof value === "string" ? value.split(/[,\n]/) : value;
	if (!Array.isArray(items) || !items.every((item) => typeof item === "string")) return void 0;
	return items.map((item) => item.trim()).filter((item) => item !== "");
}
function isRecord(value) {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
/** Only what JSON can hold, to a bounded depth; undefined where it cannot. */
function jsonOf(value, depth = 0) {
	if (depth > 32) return void 0;
	if (value === null || typeof value === "string" || typeof value === "boolean") return value;
	if (typeof value === "number") return Number.isFinite(value) ? value : void 0;
	if (Array.isArray(value)) {
		const items = value.map((item) => jsonOf(item, depth + 1));
		return items.some((item) => item === void 0) ? void 0 : items;
	}
	if (!isRecord(value)) return void 0;
	const pairs = Object.entries(value).map(([key, item]) => [key, jsonOf(item, depth + 1)]);
	return pairs.some(([, item]) => item === void 0) ? void 0 : Object.fromEntries(pairs);
}
// src/core/agent-file/guard-fields.ts
const HOOK_EVENTS = [
	"PreToolUse",
	"PostToolUse",
	"SubagentStart",
	"SubagentStop",
	"UserPromptSubmit",
	"SessionStart",
	"SessionEnd",
	"Stop",
	"PermissionRequest",
	"PreCompact"
];
/** Events whose hooks hold an agent back: losing one would widen. */
const GUARDS = /* @__PURE__ */ new Set(["pretooluse", "permissionrequest"]);
const readHooks = (value, given) => {
	if (value === null) return;
	if (!isRecord(value)) {
		if (/pretooluse|permissionrequest/.test(looseKey(JSON.stringify(value) ?? ""))) given.note("hooks-guard-unreadable", "hooks must be a map of events; a guard is among them");
		else given.note("hooks-dropped", "hooks must be a map of events");
		return;
	}
	const kept = {};
	for (const [event, groups] of Object.entries(value)) {
		const known = HOOK_EVENTS.find((name) => looseKey(name) === looseKey(event));
		const isGuard = GUARDS.has(looseKey(event));
		const shaped = known === void 0 ? void 0 : hookGroups(groups);
		if (known !== void 0 && shaped !== void 0) kept[known] = shaped;
		else if (isGuard) given.note("hooks-guard-unreadable", `the hooks of "${event}" cannot be read`);
		else given.note("hooks-dropped", known ? `the hooks of "${event}" cannot be read` : `"${event}" is no event`);
	}
	if (Object.keys(kept).length > 0) given.draft.hooks = kept;
};
/** `[{matcher?, hooks: [{type: command, command, timeout?}]}]`, or undefined. */
function hookGroups(value) {
	if (!Array.isArray(value)) return void 0;
	return value.every((group) => isRecord(group) && (group.matcher === void 0 || typeof group.matcher === "string") && Array.isArray(group.hooks) && group.hooks.every((hook) => isRecord(hook) && hook.type === "command" && typeof hook.command === "string")) ? jsonOf(value) : void 0;
}
const readMcpServers = (value, given) => {
	if (value === null) return;
	const items = typeof value === "string" ? value.split(",").map((name) => name.trim()) : value;
	const servers = Array.isArray(items) ? items.map(serverOf) : isRecord(items) ? Object.entries(items).map(([name, config]) => serverOf({ [name]: config })) : [void 0];
	if (servers.some((server) => server === void 0)) return refuse(given, "servers are names, or maps of name and settings");
	given.draft.mcpServers = servers;
};
function serverOf(item) {
	if (typeof item === "string") return /^[\w.@/-]+$/.test(item) ? item : void 0;
	if (!isRecord(item)) return void 0;
	const pairs = Object.entries(item);
	const [name, given] = typeof item.name === "string" ? [item.name, item] : pairs.length === 1 ? pairs[0] : [void 0];
	if (name === void 0 || !/^[\w.@/-]+$/.test(name)) return void 0;
	if (given === null || given === true) return name;
	const config = isRecord(given) ? jsonOf(given) : void 0;
	return config === void 0 ? void 0 : {
		name,
		config
	};
}
const readIsolation = (value, given) => {
	if (value === "none" || value === "worktree") given.draft.isolation = value;
	else if (value === "remote") given.note("unsupported", "isolation \"remote\" is not to be had here");
	else refuse(given, `${JSON.stringify(value)} is not one of none, worktree`);
};
const readBaseDir = (value, given) => {
	const path = typeof value === "string" ? value.trim() : "";
	if (path !== "" && !/^(?:[/\\~]|[A-Za-z]:)/.test(path) && !path.split(/[/\\]/).includes("..") && !/[\u0000-\u001f]/.test(path)) given.draft.baseDir = path;
	else refuse(given, "it must be a path below the caller’s directory");
};
const readKind = (value, given) => {
	if (value !== "local" && value !== null) given.note("unsupported", `an agent of kind ${JSON.stringify(value)} does not run here`);
};
// src/core/agent-file/limit-fields.ts
/** Readers of bounds: turns, time, money, memory, and the switch that turns an agent off. */
const readMaxTurns = (value, given) => setWhole(value, given, (maxTurns) => ({ maxTurns }));
const readResultBytes = (value, given) => setWhole(value, given, (resultBytes) => ({ resultBytes }));
function setWhole(value, given, limit) {
	const amount = numberOf(value);
	if (amount === void 0 || !Number.isInteger(amount) || amount < 1) return refuse(given, "it must be a whole number above 0");
	given.draft.limits = {
		...given.draft.limits,
		...limit(amount)
	};
}
const readTimeout = (value, given) => {
	const timeoutMs = durationMs(value, unitOf(given.entry.key));
	if (timeoutMs === void 0 || timeoutMs <= 0) return refuse(given, "write seconds, or a text such as 90s, 10m, 1h");
	given.draft.limits = {
		...given.draft.limits,
		timeoutMs
	};
};
const readGrace = (value, given) => {
	const graceMs = value === false ? 0 : durationMs(value, unitOf(given.entry.key));
	if (graceMs === void 0) return refuse(given, "write seconds, or a text such as 30s; 0 turns it off");
	given.draft.limits = {
		...given.draft.limits,
		graceMs
	};
};
const UNITS = {
	ms: 1,
	s: 1e3,
	m: 6e4,
	h: 36e5
};
/** A key may name its unit: `timeout_mins`, `graceMs`. */
function unitOf(key) {
	const loose = looseKey(key);
	if (loose.endsWith("ms")) return 1;
	return /min(?:ute)?s$/.test(loose) ? 6e4 : 1e3;
}
function durationMs(value, unit) {
	const plain = numberOf(value);
	if (plain !== void 0) return plain < 0 ? void 0 : Math.round(plain * unit);
	const match = typeof value === "string" ? /^(\d+(?:\.\d+)?)\s*(ms|s|m|h)[a-z]*$/i.exec(value.trim()) : null;
	return match ? Math.round(Number(match[1]) * UNITS[match[2].toLowerCase()]) : void 0;
}
const readBudget = (value, given) => {
	const budget = typeof value === "string" ? budgetOfText(value) : isRecord(value) ? budgetOfMap(value) : void 0;
	if (budget) given.draft.budget = budget;
	else refuse(given, "write {tokens, usd, toolCalls}, or a text such as $0.50 or 200k tokens");
};
function budgetOfText(text) {
	if (text.length > 40) return void 0;
	const usd = /^\s*(?:\$\s*(\d+(?:\.\d+)?)|(\d+(?:\.\d+)?)\s*(?:usd|dollars?))\s*$/i.exec(text);
	if (usd) return positive({ usd: Number(usd[1] ?? usd[2]) });
	const tokens = /^\s*(\d+(?:\.\d+)?)\s*([km]?)\s*tokens?\s*$/i.exec(text);
	if (!tokens) return void 0;
	const scale = {
		"": 1,
		k: 1e3,
		m: 1e6
	}[tokens[2].toLowerCase()];
	return positive({ tokens: Math.round(Number(tokens[1]) * scale) });
}
function budgetOfMap(value) {
	const budget = {};
	for (const [key, given] of Object.entries(value)) {
		const amount = numberOf(given);
		const name = [
			"tokens",
			"usd",
			"toolCalls"
		].find((each) => looseKey(each) === looseKey(key));
		if (amount === void 0 || name === void 0) return void 0;
		budget[name] = amount;
	}
	return positive(budget);
}
function positive(budget) {
	const amounts = Object.values(budget);
	return amounts.length > 0 && amounts.every((amount) => amount > 0) ? budget : void 0;
}
const readResources = (value, given) => {
	if (!isRecord(value)) return refuse(given, "it must be {memoryMb, cpuSeconds}");
	const memoryMb = numberOf(value.memoryMb);
	const cpuSeconds = numberOf(value.cpuSeconds);
	if ([memoryMb, cpuSeconds].filter((amount) => amount !== void 0 && amount > 0).length !== Object.keys(value).length) return refuse(given, "it must be {memoryMb, cpuSeconds}, each above 0");
	given.draft.resources = {
		...memoryMb === void 0 ? {} : { memoryMb },
		...cpuSeconds === void 0 ? {} : { cpuSeconds }
	};
};
const readDisabled = (value, given) => {
	const flag = flagOf(value);
	if (flag === void 0) return refuse(given, "it must be true or false");
	if (looseKey(given.entry.key).startsWith("enable") ? !flag : flag) given.draft.isDisabled = true;
};
const readExtends = (value, given) => {
	const name = textOf(value);
	if (name === void 0) return refuse(given, "it must name one agent");
	given.draft.extends = name;
};
// src/core/agent-file/field-table.ts
const TEXT = { type: "string" };
const WHOLE = {
	type: "integer",
	minimum: 1
};
const FLAG = { type: "boolean" };
const NAMES$1 = { anyOf: [{ type: "string" }, {
	type: "array",
	items: { type: "string" }
}] };
const DURATION = { anyOf: [{
	type: "number",
	minimum: 0
}, {
	type: "string",
	pattern: "^\\d+(\\.\\d+)?\\s*(ms|s|m|h)?$"
}] };
const RULES = {
	type: "array",
	items: TEXT
};
const COLORS = [
	"red",
	"blue",
	"green",
	"yellow",
	"purple",
	"orange",
	"pink",
	"cyan"
];
const MODES$1 = [
	"default",
	"acceptEdits",
	"plan",
	"dontAsk",
	"bypassPermissions"
];
const EFFORTS = [
	"low",
	"medium",
	"high",
	"xhigh",
	"max"
];
const INPUT_TYPES = [
	"string",
	"number",
	"integer",
	"boolean",
	"string[]",
	"number[]"
];
const FIELDS = {
	name: text(["name", "agentType"], TEXT, "Identity. Letters, digits, spaces, `-`, `_`; any script."),
	displayName: text(["displayName"], TEXT, "Shown to people instead of the name."),
	description: text(["description", "whenToUse"], TEXT, "When to use it: what the calling model reads."),
	nickname: plain(["nickname", "nicknameCandidates"], TEXT, "A short name for displays."),
	aliases: plain(["aliases", "alias"], NAMES$1, "Other names it answers to."),
	extends: security(["extends"], TEXT, "The one agent it builds on; it can only narrow what that agent may do."),
	source: plain(["source"], TEXT, "Ignored with a warning: where an agent comes from is never up to the file."),
	tools: security(["tools", "allowedTools"], { anyOf: [
		TEXT,
		{
			type: "array",
			items: TEXT
		},
		{
			type: "object",
			additionalProperties: FLAG
		},
		{ type: "null" }
	] }, "Left out: the caller’s tools. A list: only those. Empty: none. `Bash(git *)` grants matching calls only."),
	disallowedTools: security(["disallowedTools"], NAMES$1, "Taken away, whatever `tools` says. `Bash(git *)`: those calls only."),
	delegateTools: security(["delegateTools"], NAMES$1, "Tools it may hand on to children without using them itself."),
	canSpawn: security(["canSpawn", "agents"], { anyOf: [FLAG, ...NAMES$1.anyOf] }, "Whether it may delegate, or to which agents. `Task(a, b)` in `tools` says the same."),
	permissionMode: security(["permissionMode"], { enum: MODES$1 }, "Never looser than the caller’s."),
	permissions: security(["permissions", "permission"], {
		type: "object",
		properties: {
			allow: RULES,
			ask: RULES,
			deny: RULES
		}
	}, "Rules `{allow, ask, deny}` in the syntax of permission rules; opencode’s map is read too."),
	approvalMode: security(["approvalMode"], { enum: [
		"caller",
		"suppress",
		"sandbox"
	] }, "What becomes of an \"ask\": to the caller’s listener, denied unseen, or allowed inside the sandbox."),
	disabledFeatures: security(["disabledFeatures"], NAMES$1, "Features switched off; an unknown one quarantines the agent."),
	sandboxMode: security(["sandboxMode"], { enum: [
		"read-only",
		"workspace-write",
		"danger-full-access"
	] }, "Codex roles: `read-only` is read as permission mode plan."),
	hooks: security(["hooks"], { type: "object" }, "Hooks of this agent only, in the shape settings have."),
	mcpServers: security(["mcpServers"], { anyOf: [
		TEXT,
		{ type: "array" },
		{ type: "object" }
	] }, "MCP servers by name or written out; closed when the agent ends."),
	isolation: security(["isolation"], { enum: ["none", "worktree"] }, "`worktree`: a git worktree of its own."),
	baseDir: security(["baseDir"], TEXT, "Working directory, relative to the caller’s and inside its roots."),
	budget: security(["budget"], { anyOf: [{ type: "string" }, {
		type: "object",
		properties: {
			tokens: WHOLE,
			usd: {
				type: "number",
				exclusiveMinimum: 0
			},
			toolCalls: WHOLE
		},
		additionalProperties: false
	}] }, "For the run’s life: `{tokens, usd, toolCalls}`, or a text such as `$0.50` or `200k tokens`."),
	maxTurns: security([
		"maxTurns",
		"steps",
		"maxSteps"
	], WHOLE, "Turns per attempt (50)."),
	timeout: security([
		"timeout",
		"timeoutSeconds",
		"maxTimeSeconds",
		"timeoutMins",
		"timeoutMinutes",
		"timeoutMs"
	], DURATION, "Time per attempt; a number is seconds, or `90s`, `10m`, `1h` (300 s; 30 min in files of the Claude dialect)."),
	grace: security([
		"grace",
		"gracePeriodSeconds",
		"graceSeconds",
		"graceMs"
	], DURATION, "Time for a last report (60 s); 0: none."),
	resultBytes: security(["resultBytes"], WHOLE, "Longest report handed to the caller (16384)."),
	resources: security(["resources"], {
		type: "object",
		properties: {
			memoryMb: WHOLE,
			cpuSeconds: WHOLE
		},
		additionalProperties: false
	}, "Bounds of its own process (`executionMode: process`)."),
	disabled: security([
		"disabled",
		"disable",
		"enabled",
		"enable"
	], FLAG, "Listed and switched off."),
	model: plain(["model", "models"], { anyOf: [
		TEXT,
		{
			type: "array",
			items: TEXT
		},
		{ type: "object" },
		{ type: "null" }
	] }, "`inherit`, an alias (`haiku`), `provider/model`, or a list of these in order of preference."),
	provider: plain(["provider"], TEXT, "Joined with `model` to `provider/model`."),
	temperature: plain(["temperature"], {
		type: "number",
		minimum: 0,
		maximum: 2
	}, "Sent only when set."),
	topP: plain(["topP"], {
		type: "number",
		minimum: 0,
		maximum: 1
	}, "Sent only when set."),
	thinkingBudget: plain(["thinkingBudget"], {
		type: "integer",
		minimum: -1
	}, "Tokens; −1 unlimited, 0 off."),
	effort: plain([
		"effort",
		"modelReasoningEffort",
		"reasoningEffort"
	], { anyOf: [{ enum: EFFORTS }, {
		type: "integer",
		minimum: 1
	}] }, "How hard the model thinks."),
	systemPrompt: text([
		"systemPrompt",
		"prompt",
		"developerInstructions"
	], TEXT, "The prompt, where it is not the body."),
	query: text(["query"], TEXT, "First message, with the prompt and the inputs filled in where it names them."),
	initialMessages: plain(["initialMessages"], {
		type: "array",
		items: { type: "object" }
	}, "Few-shot messages `{role, text}`."),
	initialPrompt: text(["initialPrompt"], TEXT, "First user message when it runs as main."),
	criticalReminder: text(["criticalReminder"], TEXT, "Put first, before every task."),
	inputs: plain(["inputs", "inputConfig"], {
		type: "object",
		additionalProperties: { anyOf: [{ enum: INPUT_TYPES }, {
			type: "object",
			properties: {
				type: { enum: INPUT_TYPES },
				required: FLAG,
				description: TEXT,
				default: {},
				enum: { type: "array" }
			}
		}] }
	}, "Typed inputs by name: `{type, required, description, default, enum}`."),
	output: plain([
		"output",
		"outputSchema",
		"outputConfig"
	], { type: "object" }, "What it hands back: `{name, description, schema}`, or a JSON Schema."),
	completion: plain(["completion"], { enum: ["explicit", "text"] }, "Ends by calling `complete_task`, or by plain text."),
	forkContext: plain(["forkContext"], { anyOf: [FLAG, { enum: [
		"none",
		"summary",
		"full"
	] }] }, "How much of the caller’s conversation it sees."),
	omitInstructions: plain(["omitInstructions", "omitClaudeMd"], FLAG, "Leave AGENTS.md and CLAUDE.md out."),
	background: plain([
		"background",
		"isBackground",
		"runInBackground"
	], FLAG, "Runs in the background by default."),
	executionMode: plain(["executionMode"], { enum: ["in-process", "process"] }, "`process`: in a process of its own."),
	skills: plain(["skills"], NAMES$1, "Skills loaded at the start."),
	memory: plain(["memory"], { enum: [
		"user",
		"project",
		"local"
	] }, "Keeps a MEMORY.md of its own."),
	evidence: plain(["evidence"], {}, "What a report must be backed by; checked by the runtime."),
	color: plain(["color", "colour"], TEXT, `One of ${COLORS.join(", ")}, or a hex value.`),
	hidden: plain(["hidden", "disableModelInvocation"], FLAG, "Can be named, is not listed to models."),
	mode: plain(["mode"], { enum: [
		"subagent",
		"primary",
		"all"
	] }, "opencode: `primary` agents are not listed to models."),
	kind: plain(["kind"], { enum: ["local"] }, "gemini-cli: only local agents run here.")
};
/** Tables of the codex document whose members are fields of their own. */
const CONTAINERS = /* @__PURE__ */ new Set([
	"modelconfig",
	"runconfig",
	"promptconfig"
]);
/** Read by other products and of no use here: kept without a word. */
const KNOWN_ELSEWHERE = new Set([
	"autoCompactWindow",
	"observer",
	"observerMessage",
	"argumentHint",
	"handoffs",
	"target",
	"userInvocable",
	"webSearch"
].map(looseKey));
const BY_KEY = new Map(Object.entries(FIELDS).flatMap(([field, spec]) => spec.keys.map((key) => [looseKey(key), field])));
function fieldOf(key) {
	return BY_KEY.get(looseKey(key));
}
function isKnownKey(key) {
	const loose = looseKey(key);
	return BY_KEY.has(loose) || CONTAINERS.has(loose) || KNOWN_ELSEWHERE.has(loose);
}
function isSecurityKey(key) {
	const field = fieldOf(key);
	return field === void 0 ? looseKey(key) === "runconfig" : FIELDS[field].kind === "security";
}
const ALL_KEYS = Object.values(FIELDS).flatMap((spec) => [...spec.keys]);
function text(keys, schema, about) {
	return {
		keys,
		kind: "text",
		schema,
		about
	};
}
function plain(keys, schema, about) {
	return {
		keys,
		kind: "plain",
		schema,
		about
	};
}
function security(keys, schema, about) {
	return {
		keys,
		kind: "security",
		schema,
		about
	};
}
// src/core/agent-file/model-fields.ts
/** Readers of the model and how it is asked. */
const readModel = (value, given) => {
	if (value === null || value === "") return;
	if (isRecord(value)) {
		const model = textOf(value.model) ?? textOf(value.name);
		const provider = textOf(value.provider);
		if (model === void 0) return drop(given, "a name, provider/model, a list of these, or {provider, model}");
		given.draft.model = [provider === void 0 || model.includes("/") ? model : `${provider}/${model}`];
		return;
	}
	const names = namesOf(value);
	if (!names || names.length === 0) return drop(given, "a name, provider/model, or a list of these");
	given.draft.written = {
		...given.draft.written,
		model: names.join(", ")
	};
	given.draft.model = names.map((name) => {
		const shown = tierOfDisplayName(name);
		if (shown !== void 0) given.note("value-converted", `the model "${name}" was read as "${shown}"`);
		else if (!isModelWord(name)) given.note("model-unknown", `nobody knows a model "${name}"`, hintFor(name));
		return shown ?? name;
	});
};
/** Aliases are tiers; the models themselves are known to the registry, not here. */
const ALIASES = /* @__PURE__ */ new Set([
	"inherit",
	"default",
	"haiku",
	"sonnet",
	"opus",
	"best",
	"small",
	"fast"
]);
function isModelWord(name) {
	return ALIASES.has(name.toLowerCase()) || /^[\w.-]+\/\S+$/.test(name) || /^claude-[\w.@:-]+$/i.test(name);
}
/** `Claude Sonnet 4.5 (copilot)` names a tier. */
function tierOfDisplayName(name) {
	if (!/\s/.test(name)) return void 0;
	return /\b(opus|sonnet|haiku)\b/i.exec(name)?.[1]?.toLowerCase();
}
const VENDORS = [
	[/^(?:gpt-|o\d|chatgpt|codex)/i, "openai"],
	[/^gemini/i, "google"],
	[/^grok/i, "xai"],
	[/^(?:mistral|codestral|devstral|magistral)/i, "mistral"],
	[/^deepseek/i, "deepseek"]
];
function hintFor(name) {
	const vendor = VENDORS.find(([pattern]) => pattern.test(name))?.[1];
	return vendor === void 0 ? "use inherit, an alias such as sonnet, or provider/model" : `write ${vendor}/${name.replace(/\s.*$/, "").toLowerCase()} to have that vendor’s model`;
}
const readProvider = (value, given) => {
	const provider = textOf(value);
	if (provider === void 0) return drop(given, "the name of a provider");
	given.draft.provider = provider;
};
const readTemperature = (value, given) => {
	const temperature = numberOf(value);
	if (temperature === void 0 || temperature < 0 || temperature > 2) return drop(given, "0 to 2");
	given.draft.sampling = {
		...given.draft.sampling,
		temperature
	};
};
const readTopP = (value, given) => {
	const topP = numberOf(value);
	if (topP === void 0 || topP < 0 || topP > 1) return drop(given, "0 to 1");
	given.draft.sampling = {
		...given.draft.sampling,
		topP
	};
};
const readThinkingBudget = (value, given) => {
	const thinkingBudget = numberOf(value);
	if (thinkingBudget === void 0 || !Number.isInteger(thinkingBudget) || thinkingBudget < -1) return drop(given, "tokens; -1 = unlimited, 0 = off");
	given.draft.sampling = {
		...given.draft.sampling,
		thinkingBudget
	};
};
const readEffort = (value, given) => {
	const amount = numberOf(value);
	const word = typeof value === "string" ? looseKey(value) : void 0;
	const effort = amount !== void 0 && amount >= 1 ? Math.round(amount) : EFFORTS.find((each) => each === word);
	if (effort !== void 0) given.draft.sampling = {
		...given.draft.sampling,
		effort
	};
	else if (word === "minimal") given.draft.sampling = {
		...given.draft.sampling,
		effort: "low"
	};
	else drop(given, `${EFFORTS.join(", ")} or a whole number`);
};
// src/core/tool-names.ts
/**
* The names of our tools, and the names other products give them. A name is looked up without regard to case and
* separators. One foreign word may stand for several of our tools only in the dialect where it names a set.
*/
/** Tools that exist in a full installation; a host may add its own. */
const TOOL_NAMES = [
	"Read",
	"Write",
	"Edit",
	"MultiEdit",
	"NotebookEdit",
	"Glob",
	"Grep",
	"LS",
	"Bash",
	"BashOutput",
	"KillShell",
	"WebFetch",
	"WebSearch",
	"Skill",
	"TodoWrite",
	"AskUser",
	"AskCaller",
	"EnterPlanMode",
	"ExitPlanMode",
	"Task",
	"TaskOutput",
	"TaskWait",
	"TaskSend",
	"TaskStop",
	"TaskList"
];
/** Our name for a tool however it is written, or undefined when no tool of ours is meant. */
function canonicalToolName(written) {
	return NAMES.get(looseKey(written));
}
/** Every tool of ours a word stands for in Copilot's files, where `search` and `edit` name sets. */
function copilotTools(written) {
	const key = written.toLowerCase().trim();
	return COPILOT_SETS.get(key) ?? COPILOT_SETS.get(key.slice(key.indexOf("/") + 1));
}
/** Known elsewhere, and without a counterpart here: worth a better word than "unknown". */
function isForeignTool(written) {
	return FOREIGN.has(looseKey(written));
}
const NAMES = new Map([...Object.entries({
	Read: [
		"read_file",
		"read_many_files",
		"view",
		"view_file",
		"open_file",
		"cat",
		"NotebookRead",
		"FileRead"
	],
	Write: [
		"write_file",
		"create_file",
		"create",
		"save_file",
		"FileWrite"
	],
	Edit: [
		"edit_file",
		"replace",
		"str_replace",
		"str_replace_editor",
		"apply_patch",
		"patch",
		"update_file",
		"FileEdit"
	],
	MultiEdit: ["multi_edit"],
	NotebookEdit: ["notebook_edit", "edit_notebook"],
	Glob: [
		"glob_files",
		"find_files",
		"file_search",
		"GlobTool"
	],
	Grep: [
		"grep_files",
		"search_file_content",
		"grep_search",
		"search_files",
		"text_search",
		"ripgrep",
		"rg",
		"GrepTool"
	],
	LS: [
		"list_dir",
		"list_directory",
		"list_files",
		"list",
		"dir"
	],
	Bash: [
		"shell",
		"exec_command",
		"run_shell_command",
		"run_command",
		"execute_command",
		"run_in_terminal",
		"local_shell",
		"terminal",
		"execute",
		"BashTool"
	],
	WebFetch: [
		"web_fetch",
		"fetch",
		"fetch_url"
	],
	WebSearch: [
		"web_search",
		"google_web_search",
		"web_search_request"
	],
	Skill: ["activate_skill"],
	TodoWrite: [
		"todo_write",
		"todo",
		"todos",
		"write_todos",
		"update_plan",
		"TodoRead",
		"todo_read"
	],
	AskUser: [
		"AskUserQuestion",
		"ask_user",
		"question"
	],
	Task: [
		"Agent",
		"delegate",
		"delegate_to_agent",
		"spawn_agent",
		"run_subagent",
		"subagent"
	],
	BashOutput: ["bash_output"],
	KillShell: ["KillBash", "kill_shell"],
	TaskOutput: [
		"AgentOutput",
		"task_status",
		"AgentOutputTool"
	],
	TaskStop: ["KillTask"],
	TaskSend: ["SendMessage"],
	TaskWait: ["wait_agent"],
	TaskList: ["ListAgents"]
}).flatMap(([name, aliases]) => aliases.map((alias) => [looseKey(alias), name])), ...TOOL_NAMES.map((name) => [looseKey(name), name])]);
const FOREIGN = new Set([
	"TaskCreate",
	"TaskGet",
	"TaskUpdate",
	"LSP",
	"Workflow",
	"TeamCreate",
	"TeamDelete",
	"SlashCommand",
	"ListMcpResourcesTool",
	"ReadMcpResourceTool",
	"ToolSearch",
	"Monitor",
	"CronCreate",
	"CronDelete",
	"CronList",
	"EnterWorktree",
	"ExitWorktree",
	"save_memory",
	"get_internal_docs",
	"view_image",
	"problems",
	"usages",
	"changes",
	"testFailure",
	"runTests",
	"extensions",
	"vscodeAPI",
	"openSimpleBrowser",
	"githubRepo",
	"new",
	"runTasks",
	"doom_loop",
	"external_directory"
].map(looseKey));
const COPILOT_SETS = /* @__PURE__ */ new Map([
	["edit", [
		"Edit",
		"MultiEdit",
		"Write",
		"NotebookEdit"
	]],
	["editfiles", ["Edit", "MultiEdit"]],
	["createfile", ["Write"]],
	["createdirectory", ["Write"]],
	["editnotebook", ["NotebookEdit"]],
	["createjupyternotebook", ["NotebookEdit"]],
	["search", [
		"Grep",
		"Glob",
		"LS"
	]],
	["codebase", ["Grep", "Glob"]],
	["searchresults", ["Grep"]],
	["textsearch", ["Grep"]],
	["usages", ["Grep"]],
	["filesearch", ["Glob"]],
	["listdirectory", ["LS"]],
	["read", ["Read"]],
	["readfile", ["Read"]],
	["readnotebookcelloutput", ["Read"]],
	["execute", ["Bash"]],
	["shell", ["Bash"]],
	["runcommands", ["Bash"]],
	["runinterminal", ["Bash"]],
	["getterminaloutput", ["BashOutput"]],
	["killterminal", ["KillShell"]],
	["web", ["WebFetch", "WebSearch"]],
	["fetch", ["WebFetch"]],
	["agent", ["Task"]],
	["runsubagent", ["Task"]],
	["custom-agent", ["Task"]],
	["todo", ["TodoWrite"]],
	["todos", ["TodoWrite"]]
]);
// src/core/permission-rule.ts
/**
* The syntax of permission rules: `Tool`, `Tool(pattern)`, `mcp__server__*`. What a pattern means is judged elsewhere.
* R1 a rule that cannot be read is a fault, never a wider rule. R2 `Tool(*)` is the whole tool.
* R3 tool names of other products are turned into ours; a name nobody knows is kept, since hosts add tools.
*/
function parsePermissionRule(written) {
	const text = written.trim();
	if (text === "") return { fault: "an empty rule" };
	if (text.length > MAX_RULE) return { fault: `a rule of ${text.length} characters (at most ${MAX_RULE})` };
	if (CONTROL.test(text)) return { fault: `${JSON.stringify(text)} has control characters` };
	const open = text.indexOf("(");
	const name = (open < 0 ? text : text.slice(0, open)).trim();
	if (!TOOL_NAME.test(name)) return { fault: `"${text}" does not start with a tool name` };
	const tool = canonicalName(name);
	if (open < 0) return {
		tool,
		text
	};
	if (!text.endsWith(")")) return { fault: `"${text}" has an opening bracket and no closing one at its end` };
	const pattern = text.slice(open + 1, -1).trim();
	if (pattern === "") return { fault: `"${text}" has nothing between its brackets` };
	return pattern === "*" || pattern === "**" ? {
		tool,
		text
	} : {
		tool,
		pattern,
		text
	};
}
/** Rules of one file or layer. Faults say which list and why; the rules that could be read are there all the same. */
function parsePermissionRules(lists) {
	const faults = [];
	const read = (list) => (lists[list] ?? []).flatMap((text) => {
		const rule = parsePermissionRule(text);
		if ("fault" in rule) faults.push(`${list}: ${rule.fault}`);
		return "fault" in rule ? [] : [rule];
	});
	return {
		rules: {
			allow: read("allow"),
			ask: read("ask"),
			deny: read("deny")
		},
		faults
	};
}
/** Splits at commas, spaces or newlines that lie outside brackets. Brackets that do not close hold the rest together. */
function splitOutsideBrackets(text, separator) {
	const parts = [];
	let depth = 0;
	let from = 0;
	for (let at = 0; at < text.length; at++) {
		const character = text[at];
		if (character === "(") depth++;
		else if (character === ")") depth = Math.max(0, depth - 1);
		else if (depth === 0 && separator.test(character)) {
			parts.push(text.slice(from, at));
			from = at + 1;
		}
	}
	parts.push(text.slice(from));
	return parts.map((part) => part.trim()).filter((part) => part !== "");
}
/** `mcp__server` alone means every tool of that server. */
function canonicalName(name) {
	const known = canonicalToolName(name);
	if (known !== void 0) return known;
	return /^mcp__[^*]+$/.test(name) && !name.slice(5).includes("__") ? `${name}__*` : name;
}
const MAX_RULE = 4096;
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/;
const TOOL_NAME = /^[A-Za-z_*][\w.:/*-]*$/;
// src/core/agent-file/permission-fields.ts
/** Readers of rules and modes: what is decided at each call. */
const readPermissionMode = (value, given) => {
	const key = typeof value === "string" ? looseKey(value) : void 0;
	if (key === void 0) return value === null ? void 0 : refuse(given, `valid: ${MODES$1.join(", ")}`);
	const mode = MODES$1.find((each) => looseKey(each) === key);
	const isProject = given.source.scope === "project" || given.source.scope === "plugin";
	if (LOOSE_WORDS.has(key) || mode === "bypassPermissions" && isProject) return given.note("mode-ignored", `"${String(value)}" is not taken from the file`);
	if (mode === void 0) return refuse(given, `"${String(value)}" is no mode; valid: ${MODES$1.join(", ")}`);
	given.draft.permissionMode = mode;
};
/** What other products call "ask for nothing". */
const LOOSE_WORDS = /* @__PURE__ */ new Set([
	"yolo",
	"bypass",
	"auto",
	"autoapprove",
	"fullauto",
	"dangerous",
	"dangerouslyskippermissions"
]);
const readApprovalMode = (value, given) => {
	const mode = typeof value === "string" ? APPROVALS[looseKey(value)] : void 0;
	if (mode) given.draft.approvalMode = mode;
	else refuse(given, "valid: caller, suppress, sandbox");
};
const APPROVALS = {
	caller: "caller",
	routetocaller: "caller",
	routetoparent: "caller",
	suppress: "suppress",
	sandbox: "sandbox",
	autoapproveinsandbox: "sandbox"
};
const readSandboxMode = (value, given) => {
	if (value === "read-only") given.draft.permissionMode = "plan";
	else if (value === "danger-full-access") given.note("mode-ignored", "full access is never taken from a file");
	else if (value !== "workspace-write") refuse(given, "valid: read-only, workspace-write, danger-full-access");
};
const readPermissions = (value, given) => {
	if (value === null) return;
	if (typeof value === "string") return readForeignMap({ "*": value }, given);
	if (!isRecord(value)) return refuse(given, "it must have lists allow, ask and deny");
	return Object.keys(value).every((key) => key === "allow" || key === "ask" || key === "deny") ? readLists(value, given) : readForeignMap(value, given);
};
function readLists(value, given) {
	const lists = {};
	for (const list of [
		"allow",
		"ask",
		"deny"
	]) {
		if (value[list] === void 0 || value[list] === null) continue;
		const rules = Array.isArray(value[list]) ? namesOf(value[list]) : void 0;
		if (!rules) return refuse(given, `"${list}" must be a list of rules`);
		lists[list] = rules;
	}
	const { rules, faults } = parsePermissionRules(lists);
	const serious = faults.find((fault) => !fault.startsWith("allow:"));
	if (serious) return refuse(given, serious);
	for (const fault of faults) given.note("permission-narrowed", `a rule was left out, ${fault}`);
	addRules(rules, given);
}
/** opencode: `{edit: ask, bash: {"*": deny, "git *": allow}}`. */
function readForeignMap(value, given) {
	const rules = [];
	for (const [name, action] of Object.entries(value)) {
		const pairs = isRecord(action) ? Object.entries(action) : [["*", action]];
		for (const [pattern, each] of pairs) {
			if (each !== "allow" && each !== "ask" && each !== "deny") return refuse(given, `"${name}" must be allow, ask or deny`);
			const tools = toolsOf(name);
			if (!tools) return refuse(given, `"${name}" is no tool; "${didYouMean(name, TOOL_NAMES)}" may be meant`);
			rules.push(...tools.map((tool) => ({
				tool,
				action: each,
				...pattern === "*" ? {} : { pattern }
			})));
		}
	}
	applyWildcard(rules, given);
	applyDenials(rules, given);
	const text = (rule) => rule.pattern === void 0 ? rule.tool : `${rule.tool}(${rule.pattern})`;
	const pick = (action) => rules.filter((rule) => rule.action === action && rule.tool !== "*").map(text);
	const { rules: parsed, faults } = parsePermissionRules({
		allow: pick("allow"),
		ask: pick("ask"),
		deny: pick("deny")
	});
	const serious = faults.find((fault) => !fault.startsWith("allow:"));
	if (serious) return refuse(given, serious);
	addRules(parsed, given);
}
/** Undefined when the word is a slip for a tool. A word nobody knows stays as it is: its rule hits nothing here. */
function toolsOf(name) {
	if (name === "*") return ["*"];
	if (looseKey(name) === "edit") return [
		"Edit",
		"Write",
		"MultiEdit",
		"NotebookEdit"
	];
	const tool = canonicalToolName(name);
	if (tool) return [tool];
	return didYouMean(name, TOOL_NAMES) === void 0 ? [name] : void 0;
}
/** `*: deny` leaves the tools that are named; `*: ask` asks for every tool that is not. */
function applyWildcard(rules, given) {
	const wildcard = rules.find((rule) => rule.tool === "*");
	if (!wildcard || wildcard.action === "allow") return;
	const named = new Set(rules.filter((rule) => rule.tool !== "*").map((rule) => rule.tool));
	if (wildcard.action === "ask") {
		for (const tool of TOOL_NAMES) if (!named.has(tool)) rules.push({
			tool,
			action: "ask"
		});
		return;
	}
	const left = everyTool(given.draft.tools).filter((grant) => named.has(grant.name));
	given.draft.tools = left;
}
/** A tool denied but for some patterns is granted by these patterns, which says the same and is enforced at the call. */
function applyDenials(rules, given) {
	for (const tool of new Set(rules.map((rule) => rule.tool))) {
		const own = rules.filter((rule) => rule.tool === tool);
		const isDenied = own.some((rule) => rule.pattern === void 0 && rule.action === "deny");
		const open = own.filter((rule) => rule.pattern !== void 0 && rule.action !== "deny");
		if (!isDenied || open.length === 0 || tool === "*") {
			if (own.some((rule) => rule.pattern === void 0 && rule.action === "ask") && open.some((rule) => rule.action === "allow")) given.note("permission-narrowed", `${tool}: "ask" for the rest means that every call asks`);
			continue;
		}
		const others = everyTool(given.draft.tools).filter((grant) => grant.name !== tool);
		const had = everyTool(given.draft.tools).some((grant) => grant.name === tool);
		given.draft.tools = had ? [...others, ...open.map((rule) => ({
			name: tool,
			pattern: rule.pattern
		}))] : others;
		const denial = rules.findIndex((rule) => rule.tool === tool && rule.pattern === void 0);
		rules.splice(denial, 1);
	}
}
/** `all`, spelt out: what a full installation has, less delegation, which is never inherited. */
function everyTool(tools) {
	if (tools !== void 0 && tools !== "all") return tools;
	return [...TOOL_NAMES.filter((name) => !name.startsWith("Task")), "mcp__*"].map((name) => ({ name }));
}
function addRules(rules, given) {
	const before = given.draft.permissions;
	given.draft.permissions = {
		allow: [...before?.allow ?? [], ...rules.allow],
		ask: [...before?.ask ?? [], ...rules.ask],
		deny: [...before?.deny ?? [], ...rules.deny]
	};
}
// src/core/inputs.ts
/** Whether a value is of the type; also used for the `default` and `enum` a definition writes. */
function isOfType(type, value) {
	switch (type) {
		case "string": return typeof value === "string";
		case "number": return typeof value === "number" && Number.isFinite(value);
		case "integer": return Number.isSafeInteger(value);
		case "boolean": return typeof value === "boolean";
		case "string[]": return Array.isArray(value) && value.every((item) => isOfType("string", item));
		case "number[]": return Array.isArray(value) && value.every((item) => isOfType("number", item));
	}
}
// src/core/agent-file/prompt-fields.ts
/** Readers of what an agent is told and what it hands back. */
const readSystemPrompt = (value, given) => {
	const text = textOf(value);
	if (text === void 0) return value === null || value === "" ? void 0 : drop(given, "text");
	if (given.draft.systemPrompt) return given.note("key-ignored", `the body is the prompt; "${given.entry.key}" is not used`);
	given.draft.systemPrompt = text;
};
const readQuery = (value, given) => {
	const query = textOf(value);
	if (query === void 0) drop(given, "text");
	else given.draft.query = query;
};
const readInitialPrompt = (value, given) => {
	const text = textOf(value);
	if (text === void 0) drop(given, "text");
	else given.draft.initialPrompt = text;
};
const readCriticalReminder = (value, given) => {
	const text = textOf(value);
	if (text === void 0) drop(given, "text");
	else given.draft.criticalReminder = text;
};
const readInitialMessages = (value, given) => {
	const messages = Array.isArray(value) ? value.map(messageOf) : [void 0];
	if (messages.some((message) => message === void 0)) return drop(given, "a list of {role: user | assistant, text}");
	given.draft.initialMessages = messages;
};
function messageOf(value) {
	if (!isRecord(value)) return void 0;
	const role = value.role === "model" ? "assistant" : value.role;
	const joined = (Array.isArray(value.parts) ? value.parts : Array.isArray(value.content) ? value.content : void 0)?.map((part) => (isRecord(part) ? textOf(part.text) : textOf(part)) ?? "").join("\n");
	const text = textOf(value.text) ?? textOf(value.content) ?? textOf(joined);
	return (role === "user" || role === "assistant") && text !== void 0 ? {
		role,
		text
	} : void 0;
}
const readInputs = (value, given) => {
	const held = isRecord(value) && isRecord(value.inputs) ? value.inputs : value;
	const pairs = Array.isArray(held) ? held.map((item) => [isRecord(item) ? String(item.name ?? "") : "", item]) : isRecord(held) ? Object.entries(held) : void 0;
	if (!pairs) return drop(given, "a map of inputs: {type, required, description, default, enum}");
	const fields = pairs.flatMap(([name, spec]) => inputOf(name, spec, given) ?? []);
	if (fields.length > 0) given.draft.inputs = fields;
};
const RESERVED = /* @__PURE__ */ new Set([
	"prompt",
	"cwd",
	"agent_type"
]);
function inputOf(name, spec, given) {
	const settings = isRecord(spec) ? spec : { type: spec ?? "string" };
	const type = typeOf(settings);
	if (!/^[A-Za-z_][\w.-]{0,127}$/.test(name) || RESERVED.has(name) || type === void 0) {
		given.note("value-invalid", `the input "${name}" was left out`, `types: ${INPUT_TYPES.join(", ")}; not ${[...RESERVED].join(", ")}`);
		return;
	}
	const choices = Array.isArray(settings.enum) ? settings.enum.map((item) => jsonOf(item)) : void 0;
	const single = type.replace("[]", "");
	const isChoice = (choice) => choice !== void 0 && isOfType(single, choice);
	const usual = settings.default === void 0 ? void 0 : jsonOf(settings.default);
	const isUsualFine = usual !== void 0 && isOfType(type, usual);
	if (usual !== void 0 && !isUsualFine) given.note("value-invalid", `the default of the input "${name}" is no ${type}`);
	if (choices && !choices.every(isChoice)) given.note("value-invalid", `the enum of the input "${name}" holds other types`);
	return {
		name,
		type,
		isRequired: flagOf(settings.required) ?? false,
		...textOf(settings.description) === void 0 ? {} : { description: textOf(settings.description) },
		...isUsualFine ? { default: usual } : {},
		...choices?.some(isChoice) ? { enum: choices.filter(isChoice) } : {}
	};
}
function typeOf(settings) {
	const word = typeof settings.type === "string" ? settings.type.trim().toLowerCase() : "string";
	const item = isRecord(settings.items) ? settings.items.type : void 0;
	const full = word === "array" ? `${typeof item === "string" ? item : "string"}[]` : word === "int" ? "integer" : word;
	return INPUT_TYPES.find((type) => type === full);
}
const readOutput = (value, given) => {
	if (!isRecord(value)) return drop(given, "{name, description, schema} or a JSON Schema");
	const isBareSchema = looseKey(given.entry.key) === "outputschema" || value.schema === void 0 && "properties" in value;
	const schema = jsonOf(isBareSchema ? value : value.schema ?? null);
	const name = isBareSchema ? void 0 : textOf(value.name) ?? textOf(value.outputName);
	const description = isBareSchema ? void 0 : textOf(value.description);
	given.draft.output = {
		name: name !== void 0 && /^[A-Za-z_]\w{0,63}$/.test(name) ? name : "result",
		...description === void 0 ? {} : { description },
		...isRecord(schema) ? { schema } : {}
	};
	if (schema === void 0) given.note("value-invalid", "the output schema is no plain JSON and was left out");
};
const readCompletion = (value, given) => {
	if (value === "explicit" || value === "text") given.draft.completion = value;
	else drop(given, "explicit, text");
};
const readForkContext = (value, given) => {
	const flag = flagOf(value);
	if (flag !== void 0) given.draft.forkContext = flag ? "full" : "none";
	else if (value === "none" || value === "summary" || value === "full") given.draft.forkContext = value;
	else drop(given, "true, false, none, summary, full");
};
const readOmitInstructions = (value, given) => {
	const flag = flagOf(value);
	if (flag === void 0) drop(given, "true, false");
	else given.draft.omitInstructions = flag;
};
// src/core/agent-file/tool-list.ts
/**
* Lists of tools, in every form they are written in.
* T1 nothing written and nothing granted are different things. T2 an unreadable word makes the list unreadable: half
* of `Bash(git *)` must not become Bash. T3 a map is opencode's: what is true is granted, what is false is taken away;
* a map that only takes away leaves the rest.
*/
function readToolList(value, dialect) {
	if (value === null || value === void 0) return listOf([], [], dialect);
	if (typeof value === "string") return readWords(splitWords(value), dialect);
	if (Array.isArray(value)) {
		if (!value.every((item) => typeof item === "string")) return unclear("a list may hold only names");
		return readWords(value.flatMap(splitWords), dialect);
	}
	if (typeof value === "object") return readMap(Object.entries(value), dialect);
	return unclear(`${JSON.stringify(value)} is no list of tools`);
}
const ALL_WORDS = /* @__PURE__ */ new Set([
	"*",
	"all",
	"alltools",
	"inherit"
]);
function isAllWord(word) {
	return word.length < 16 && ALL_WORDS.has(looseKey(word));
}
/** By commas and newlines; by spaces only where a piece is no single rule. `Bash (git *)` is one. */
function splitWords(text) {
	const joined = text.replace(/[ \t]+/g, " ").replaceAll(" (", "(");
	if (isAllWord(joined)) return [joined.trim()];
	return splitOutsideBrackets(joined, /[,\n;]/).flatMap((piece) => isAllWord(piece) ? [piece] : splitOutsideBrackets(piece, /\s/));
}
function readWords(words, dialect) {
	const everything = words.find(isAllWord);
	if (everything !== void 0) return words.length === 1 || everything === "*" ? {
		kind: "all",
		word: everything
	} : unclear(`"${everything}" beside other tools`);
	return listOf(words, [], dialect);
}
function readMap(pairs, dialect) {
	const odd = pairs.find(([, on]) => typeof on !== "boolean");
	if (odd) return unclear(`"${odd[0]}" must be true or false`);
	const on = pairs.filter(([, value]) => value === true).map(([name]) => name);
	const off = pairs.filter(([, value]) => value === false).map(([name]) => name);
	if (off.some(isAllWord)) return listOf(on, off.filter((name) => !isAllWord(name)), dialect);
	const named = on.filter((name) => !isAllWord(name));
	const list = listOf(on.some(isAllWord) ? [] : named, off, dialect === "claude" ? "opencode" : dialect);
	if (list.kind !== "list") return list;
	return {
		...list,
		isOnlyDenials: pairs.length > 0 && (named.length === 0 || on.some(isAllWord))
	};
}
function listOf(words, deniedWords, dialect) {
	const faults = [];
	const unknown = [];
	let spawns;
	const read = (word) => {
		const rule = parsePermissionRule(word);
		if ("fault" in rule) {
			faults.push(rule.fault);
			return [];
		}
		if (rule.tool === "Task") spawns = joinSpawns(spawns, rule.pattern);
		return grantsOf(word, rule.tool, rule.pattern, dialect, unknown);
	};
	const grants = words.flatMap(read);
	const granted = spawns;
	const denied = deniedWords.flatMap(read);
	if (faults[0] !== void 0) return unclear(faults[0]);
	return {
		kind: "list",
		grants: distinct$1(grants),
		denied: distinct$1(denied),
		isOnlyDenials: false,
		unknown,
		spawns: granted,
		written: words
	};
}
function grantsOf(word, tool, pattern, dialect, unknown) {
	const name = (word.includes("(") ? word.slice(0, word.indexOf("(")) : word).trim();
	const set = dialect === "copilot" && pattern === void 0 ? copilotTools(name) : void 0;
	if (set) return set.map((each) => ({ name: each }));
	if (tool === "Task") return [{ name: tool }];
	if (canonicalToolName(name) === void 0 && !tool.startsWith("mcp__")) {
		const server = mcpName(name, dialect);
		if (server !== void 0) return [{ name: server }];
		unknown.push(name);
	}
	return [pattern === void 0 ? { name: tool } : {
		name: tool,
		pattern
	}];
}
/** `server/tool` in Copilot's files, `mcp_server_tool` in gemini-cli's, `server_tool` in opencode's. */
function mcpName(name, dialect) {
	const match = MCP_NAMES[dialect]?.exec(name);
	if (!match || isForeignTool(name)) return void 0;
	return match[1] === "*" ? "mcp__*" : `mcp__${match[1]}__${match[2] || "*"}`;
}
const MCP_NAMES = {
	copilot: /^([\w.-]+)\/([\w.*-]+)$/,
	gemini: /^mcp_(\*|[^_]+)(?:_(.+))?$/,
	opencode: /^([\w-]*?[a-z0-9-])_([a-z*][\w*-]*)$/i
};
function joinSpawns(before, pattern) {
	if (before === true || pattern === void 0) return true;
	return [...before ?? [], ...splitOutsideBrackets(pattern, /,/)];
}
/** Why a word of a deny list is not to be taken lightly: it may be a slip for a tool that would then stay allowed. */
function misspeltDenial(word) {
	if (isForeignTool(word)) return void 0;
	const key = looseKey(word);
	const near = didYouMean(word, TOOL_NAMES) ?? TOOL_NAMES.find((name) => key.length <= 8 && editDistance(key, looseKey(name)) <= 2);
	if (near !== void 0) return near;
	return key.length < 2 ? TOOL_NAMES[0] : TOOL_NAMES.find((name) => looseKey(name).includes(key));
}
/** A tool granted whole needs no pattern beside it. */
function distinct$1(grants) {
	const whole = new Set(grants.filter((grant) => grant.pattern === void 0).map((grant) => grant.name));
	const kept = grants.filter((grant) => grant.pattern === void 0 || !whole.has(grant.name));
	return [...new Map(kept.map((grant) => [`${grant.name}(${grant.pattern ?? ""}`, grant])).values()];
}
function unclear(reason) {
	return {
		kind: "unclear",
		reason
	};
}
// src/core/agent-file/tool-fields.ts
/** Readers of what an agent may use: tools, denials, delegation, features. */
const readTools = (value, given) => {
	const { draft, note, entry, dialect } = given;
	if (looseKey(entry.key) === "allowedtools") note("tools-key", `"${entry.key}" was read as "tools"`);
	const list = readToolList(value, dialect);
	if (list.kind === "unclear") return refuse(given, list.reason);
	if (list.kind === "all") {
		if (dialect !== "cocode" && dialect !== "gemini") note("tools-word", `"${list.word}" was read as every tool the caller has`);
		draft.tools = "all";
		return;
	}
	draft.tools = list.isOnlyDenials ? "all" : list.grants;
	draft.written = {
		...draft.written,
		tools: list.written
	};
	if (list.denied.length > 0) draft.disallowedTools = [...draft.disallowedTools ?? [], ...list.denied];
	if (list.spawns !== void 0 && !draft.hasSpawnWord) draft.canSpawn = list.spawns;
	reportTools(list, given);
};
function reportTools(list, given) {
	const { note } = given;
	const names = list.unknown.join(", ");
	if (list.grants.length === 0 && !list.isOnlyDenials) note("tools-none", "the agent has no tools");
	else if (list.grants.length > 0 && list.grants.every((grant) => list.unknown.includes(grant.name))) note("tools-all-unknown", `none of its tools exist: ${names}`);
	else if (list.unknown.length > 0) note("tools-unknown", `unknown tools: ${names}`);
}
const readDisallowedTools = (value, given) => {
	const list = readToolList(value, given.dialect);
	if (list.kind === "unclear") return refuse(given, list.reason);
	if (list.kind === "all") {
		given.draft.tools = [];
		given.note("tools-none", "every tool is disallowed");
		return;
	}
	const slip = list.unknown.map((word) => [word, misspeltDenial(word)]).find(([, meant]) => meant !== void 0);
	if (slip) return refuse(given, `"${slip[0]}" is no tool; "${slip[1]}" may be meant`);
	if (list.unknown.length > 0) given.note("tools-unknown", `unknown tools: ${list.unknown.join(", ")}`);
	given.draft.disallowedTools = [...given.draft.disallowedTools ?? [], ...list.grants];
};
const readDelegateTools = (value, given) => {
	const list = readToolList(value, given.dialect);
	if (list.kind !== "list") return refuse(given, list.kind === "all" ? "tools to hand on must be named" : list.reason);
	given.draft.delegateTools = list.grants;
};
const readCanSpawn = (value, given) => {
	const flag = flagOf(value);
	const word = typeof value === "string" ? value.trim().toLowerCase() : void 0;
	const names = namesOf(value);
	given.draft.hasSpawnWord = true;
	if (flag !== void 0) given.draft.canSpawn = flag;
	else if (word === "*" || word === "all") given.draft.canSpawn = true;
	else if (word === "none") given.draft.canSpawn = false;
	else if (names) given.draft.canSpawn = names.length === 0 ? false : names.includes("*") ? true : names;
	else refuse(given, "it must be true, false or a list of agents");
};
/** Each feature is a set of tools: switching it off takes them away. */
const FEATURES = {
	websearch: ["WebSearch"],
	websearchrequest: ["WebSearch"],
	webfetch: ["WebFetch"],
	web: ["WebSearch", "WebFetch"],
	network: ["WebSearch", "WebFetch"],
	shell: [
		"Bash",
		"BashOutput",
		"KillShell"
	],
	bash: [
		"Bash",
		"BashOutput",
		"KillShell"
	],
	execute: [
		"Bash",
		"BashOutput",
		"KillShell"
	],
	write: [
		"Write",
		"Edit",
		"MultiEdit",
		"NotebookEdit"
	],
	edit: [
		"Write",
		"Edit",
		"MultiEdit",
		"NotebookEdit"
	],
	applypatch: [
		"Write",
		"Edit",
		"MultiEdit",
		"NotebookEdit"
	],
	notebooks: ["NotebookEdit"],
	skills: ["Skill"],
	todo: ["TodoWrite"],
	delegation: [
		"Task",
		"TaskOutput",
		"TaskWait",
		"TaskSend",
		"TaskStop",
		"TaskList"
	],
	subagents: [
		"Task",
		"TaskOutput",
		"TaskWait",
		"TaskSend",
		"TaskStop",
		"TaskList"
	],
	mcp: ["mcp__*"],
	viewimagetool: []
};
const readDisabledFeatures = (value, given) => {
	const names = namesOf(value);
	if (!names) return refuse(given, "it must be a list of features");
	const unknown = names.filter((name) => !Object.hasOwn(FEATURES, looseKey(name)));
	if (unknown.length > 0) return refuse(given, `unknown features: ${unknown.join(", ")}`);
	const denied = names.flatMap((name) => FEATURES[looseKey(name)]).map((name) => ({ name }));
	given.draft.disabledFeatures = names;
	given.draft.disallowedTools = [...given.draft.disallowedTools ?? [], ...denied];
	if (denied.some((grant) => grant.name === "Task")) {
		given.draft.canSpawn = false;
		given.draft.hasSpawnWord = true;
	}
};
const readSkills = (value, given) => {
	const names = namesOf(value);
	if (names) given.draft.skills = names;
	else drop(given, "a list of skill names");
};
// src/core/agent-file/word-fields.ts
/** Readers of names, descriptions and the smaller words of a definition. */
const readName = (value, given) => {
	if (value === null || value === void 0 || value === "") return;
	if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return given.note("name-invalid", `the name must be text, not ${JSON.stringify(value).slice(0, 60)}`);
	if (typeof value !== "string") given.note("name-converted", `the name ${String(value)} was read as text`);
	const name = String(value).normalize("NFC").trim();
	const fault = nameFault(name);
	if (fault !== void 0) return given.note(name.includes(":") ? "name-colon" : "name-invalid", `the name ${fault}`);
	given.draft.name = name;
	const slug = slugOf(name);
	if (slug !== name && slug !== "") given.draft.aliases = [...given.draft.aliases ?? [], slug];
};
const MAX_NAME = 128;
/** What is wrong with a name: it is used in paths, prompts and logs, and must be harmless in all of them. */
function nameFault(name) {
	if (name === "") return "is empty";
	if (name.length > MAX_NAME) return `has ${name.length} characters (at most ${MAX_NAME})`;
	if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/u.test(name)) return "has control or invisible characters";
	if (/[/\\]/.test(name)) return "has a path separator";
	if (name === "." || name === "..") return "is a directory";
	if (/^(?:__proto__|constructor|prototype)$/i.test(name)) return "is reserved";
	if (/[<>`${}]/.test(name)) return "has characters that other places give a meaning";
	return name.includes(":") ? "has a \":\"" : void 0;
}
const readDisplayName = (value, given) => {
	const text = textOf(value);
	if (text === void 0) drop(given, "text");
	else given.draft.displayName = clean(text).slice(0, MAX_NAME);
};
const MAX_DESCRIPTION = 8192;
const readDescription = (value, given) => {
	if (value === null || value === void 0) return;
	const text = descriptionText(value, given);
	if (text === void 0 || text.trim() === "") return;
	const description = clean(text.includes("\n") ? text : text.replace(/(?:\\r)?\\n/g, "\n").replaceAll("\\t", " ")).trim();
	if (/(?:^|\s)#/.test(given.entry.raw ?? "") && isPlainLine(given.entry.raw ?? "", text)) given.note("value-comment", "the description ends at \" #\"");
	if (description.length > MAX_DESCRIPTION) given.note("description-cut", `the description has ${description.length} characters; ${MAX_DESCRIPTION} are shown`);
	given.draft.description = description.slice(0, MAX_DESCRIPTION);
};
function descriptionText(value, given) {
	if (typeof value === "string") return value;
	if (typeof value === "number" || typeof value === "boolean") {
		given.note("description-converted", `the description ${String(value)} was read as text`);
		return String(value);
	}
	if (Array.isArray(value) && value.every((item) => typeof item === "string")) {
		given.note("description-converted", "the description is a list; its items were joined");
		return value.join("\n");
	}
	given.note("description-converted", "the description is no text and was left out");
}
/** An unquoted one-line value, of which the parser has read only the part before the comment. */
function isPlainLine(raw, value) {
	return !/^["'|>]/.test(raw) && raw.startsWith(value) && raw.length > value.length;
}
/** Control characters have no place in what a model or a terminal is shown. */
function clean(text) {
	return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f\u202a-\u202e\u2066-\u2069]/g, "");
}
const readNickname = (value, given) => {
	const name = textOf(Array.isArray(value) ? value[0] : value);
	if (name === void 0) drop(given, "text");
	else given.draft.nickname = clean(name).slice(0, 64);
};
const readAliases = (value, given) => {
	const names = namesOf(value);
	if (!names) return drop(given, "a list of names");
	const fine = names.filter((name) => nameFault(name) === void 0);
	if (fine.length < names.length) drop(given, "names without separators and control characters");
	given.draft.aliases = [...given.draft.aliases ?? [], ...fine];
};
const readSource = (_value, given) => {
	given.note("key-ignored", "where an agent comes from is not up to the file");
};
const readColor = (value, given) => {
	if (value === null) {
		if (given.entry.raw?.startsWith("#")) given.note("value-comment", "an unquoted \"#\" starts a comment, so the color is empty");
		return;
	}
	const color = typeof value === "string" ? value.trim().toLowerCase() : "";
	if (COLORS.some((each) => each === color) || /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/.test(color)) given.draft.color = color;
	else drop(given, `${COLORS.join(", ")} or a hex value in quotes`);
};
const readBackground = (value, given) => {
	const flag = flagOf(value);
	if (flag === void 0) drop(given, "true, false");
	else given.draft.isBackground = flag;
};
const readHidden = (value, given) => {
	const flag = flagOf(value);
	if (flag === void 0) drop(given, "true, false");
	else if (flag) given.draft.isHidden = true;
};
const readMode = (value, given) => {
	if (value === "primary") given.draft.isHidden = true;
	else if (value !== "subagent" && value !== "all") drop(given, "subagent, primary, all");
};
const readExecutionMode = (value, given) => {
	const word = typeof value === "string" ? value.replaceAll("_", "-").toLowerCase() : "";
	if (word === "process" || word === "full-codex" || word === "fullcodex") given.draft.executionMode = "process";
	else if (word === "in-process" || word === "lightweight") given.draft.executionMode = "in-process";
	else drop(given, "in-process, process");
};
const readMemory = (value, given) => {
	if (value === "user" || value === "project" || value === "local") given.draft.memory = value;
	else drop(given, "user, project, local");
};
const readEvidence = (value, given) => {
	const evidence = jsonOf(value);
	if (evidence === void 0) drop(given, "plain data");
	else given.draft.evidence = evidence;
};
// src/core/agent-file/field-readers.ts
/** In the order they are read: what a later one looks at (tools, before permissions) comes first. */
const FIELD_READERS = {
	name: readName,
	displayName: readDisplayName,
	description: readDescription,
	nickname: readNickname,
	aliases: readAliases,
	extends: readExtends,
	source: readSource,
	canSpawn: readCanSpawn,
	tools: readTools,
	disallowedTools: readDisallowedTools,
	delegateTools: readDelegateTools,
	permissionMode: readPermissionMode,
	permissions: readPermissions,
	approvalMode: readApprovalMode,
	disabledFeatures: readDisabledFeatures,
	sandboxMode: readSandboxMode,
	hooks: readHooks,
	mcpServers: readMcpServers,
	isolation: readIsolation,
	baseDir: readBaseDir,
	budget: readBudget,
	maxTurns: readMaxTurns,
	timeout: readTimeout,
	grace: readGrace,
	resultBytes: readResultBytes,
	resources: readResources,
	disabled: readDisabled,
	model: readModel,
	provider: readProvider,
	temperature: readTemperature,
	topP: readTopP,
	thinkingBudget: readThinkingBudget,
	effort: readEffort,
	systemPrompt: readSystemPrompt,
	query: readQuery,
	initialMessages: readInitialMessages,
	initialPrompt: readInitialPrompt,
	criticalReminder: readCriticalReminder,
	inputs: readInputs,
	output: readOutput,
	completion: readCompletion,
	forkContext: readForkContext,
	omitInstructions: readOmitInstructions,
	background: readBackground,
	executionMode: readExecutionMode,
	skills: readSkills,
	memory: readMemory,
	evidence: readEvidence,
	color: readColor,
	hidden: readHidden,
	mode: readMode,
	kind: readKind
};
// src/core/agent-file/finish.ts
/** Undefined when there is no name to list it under. */
function finishAgent(draft, text, dialect, diagnostics, note) {
	const name = chooseName(draft, text, dialect, diagnostics, note);
	if (name === void 0) return void 0;
	completeWords(draft, note);
	const limits = {
		...USUAL_LIMITS[dialect],
		...draft.limits
	};
	const { provider, hasSpawnWord: _, written: _written, ...fields } = draft;
	return quarantined(withoutDeniedSpawn({
		...fields,
		name: text.prefix === void 0 ? name : `${text.prefix}:${name}`,
		source: text.source,
		dialect,
		systemPrompt: draft.systemPrompt ?? "",
		tools: draft.tools ?? "all",
		...draft.disallowedTools ? { disallowedTools: distinct(draft.disallowedTools) } : {},
		...draft.aliases ? { aliases: [...new Set(draft.aliases)] } : {},
		...Object.keys(limits).length > 0 ? { limits } : {},
		...draft.model ? { model: withProvider(draft.model, provider) } : {},
		...dialect === "codex-document" && draft.completion === void 0 ? { completion: "explicit" } : {}
	}), diagnostics);
}
function distinct(grants) {
	return [...new Map(grants.map((grant) => [JSON.stringify([grant.name, grant.pattern]), grant])).values()];
}
/** Files of other products mean their own defaults. */
const USUAL_LIMITS = {
	claude: { timeoutMs: 18e5 },
	gemini: {
		maxTurns: 30,
		timeoutMs: 6e5
	}
};
function chooseName(draft, text, dialect, diagnostics, note) {
	if (draft.name !== void 0) return draft.name;
	if (diagnostics.some((each) => each.code === "name-invalid" || each.code === "name-colon")) return void 0;
	const stem = text.stem.normalize("NFC").trim();
	const fault = nameFault(stem);
	if (fault !== void 0) {
		note("name-invalid", `no name is given, and the file name ${fault}`);
		return;
	}
	if (!(dialect === "opencode" || dialect === "copilot")) note("name-missing", `no name is given; "${stem}" is taken from the file name`);
	return stem;
}
function completeWords(draft, note) {
	if (draft.systemPrompt === void 0 && draft.query === void 0) note("prompt-missing", "there is no system prompt");
	if (draft.description !== void 0) return;
	const paragraph = firstParagraph(draft.systemPrompt ?? "");
	if (paragraph !== "") draft.description = paragraph;
	draft.isHidden = true;
	note("description-missing", "there is no description, so the agent is not offered to models");
}
const MAX_PARAGRAPH = 400;
function firstParagraph(text) {
	return (text.slice(0, 4e3).split(/\n\s*\n/).map((block) => block.replace(/^#+ .*$/gm, "").replace(/\s+/g, " ").trim()).find((block) => block !== "") ?? "").slice(0, MAX_PARAGRAPH);
}
function withProvider(models, provider) {
	if (provider === void 0) return models;
	return models.map((model) => model.includes("/") || model === "inherit" ? model : `${provider}/${model}`);
}
/** An agent that may not have Task may not delegate, however else it was said. */
function withoutDeniedSpawn(agent) {
	return agent.disallowedTools?.some((grant) => grant.name === "Task" && grant.pattern === void 0) && agent.canSpawn ? {
		...agent,
		canSpawn: false
	} : agent;
}
function quarantined(agent, diagnostics) {
	const fault = diagnostics.find((each) => each.severity === "error");
	return fault === void 0 ? agent : {
		...agent,
		tools: [],
		quarantine: fault.message
	};
}
// src/core/agent-file/assemble.ts
/**
* Entries of one agent to a definition.
* A1 every key is read, kept in `extra`, or reported; none vanishes. A2 each field is read alone: a bad one is left
* out, except a security field, which quarantines. A3 where it comes from is given, never read.
*/
function assembleAgent(text, earlier) {
	const diagnostics = [...earlier];
	const entries = openContainers(text.entries);
	const dialect = detectDialect(text.path, text.entries);
	const draft = { ...text.body === "" ? {} : { systemPrompt: text.body } };
	const noteAt = (entry) => (code, message, hint) => {
		const place = entry ? {
			line: entry.line,
			column: entry.column
		} : { line: text.entries[0]?.line ?? 1 };
		diagnostics.push(diagnose(code, message, {
			file: text.path,
			...place
		}, hint));
	};
	const { fields, extra } = sortEntries(entries, dialect, noteAt);
	for (const field of READING_ORDER) {
		const entry = fields.get(field);
		if (!entry) continue;
		const note = noteAt(entry);
		if (isSwallowed(field, entry)) note("security-value-unclear", `a part of the value of "${entry.key}" is not read`);
		else FIELD_READERS[field](entry.value, {
			entry,
			dialect,
			source: text.source,
			draft,
			note
		});
	}
	if (extra.length > 0) draft.extra = Object.fromEntries(extra);
	const agent = finishAgent(draft, text, dialect, diagnostics, noteAt(void 0));
	return {
		dialect,
		diagnostics,
		...agent ? {
			agent,
			name: agent.name
		} : {},
		...draft.written ? { written: draft.written } : {}
	};
}
const READING_ORDER = Object.keys(FIELD_READERS);
/** Something is written, and YAML made an anchor, a tag or a comment of it: the limit would be lost, or a part of it. */
function isSwallowed(field, entry) {
	const raw = entry.raw ?? "";
	if (FIELDS[field].kind !== "security" || field === "tools" || raw === "") return false;
	return /^[&!]/.test(raw) || entry.value === null && raw !== "null" && raw !== "~";
}
/** `modelConfig: {temperature: 0}` is `temperature: 0`. One that is no table stays, and is reported as what it is. */
function openContainers(entries) {
	return entries.flatMap((entry) => {
		const { value } = entry;
		return CONTAINERS.has(looseKey(entry.key)) && typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value).map(([key, each]) => ({
			...entry,
			key,
			value: each
		})) : [entry];
	});
}
function sortEntries(entries, dialect, noteAt) {
	const fields = /* @__PURE__ */ new Map();
	const extra = [];
	for (const entry of entries) {
		const field = isForeignTo(dialect, entry.key) ? void 0 : fieldOf(entry.key);
		if (field === void 0) keepUnknown(entry, extra, noteAt(entry));
		else if (fields.has(field)) reportTwice(field, entry, fields, noteAt(entry));
		else {
			fields.set(field, entry);
			reportSpelling(field, entry, noteAt(entry));
		}
	}
	return {
		fields,
		extra
	};
}
function keepUnknown(entry, extra, note) {
	if (/^(?:__proto__|constructor|prototype)$/.test(entry.key)) return note("key-forbidden", `"${entry.key}" was left out`);
	if (looseKey(entry.key) === "runconfig") return note("security-value-unclear", "\"runConfig\" must be a table");
	extra.push([entry.key, entry.value]);
	if (isKnownKey(entry.key)) return;
	const meant = didYouMean(entry.key, ALL_KEYS);
	if (meant === void 0) note("key-unknown", `"${entry.key}" is no key of ours`);
	else note("key-misspelled", `"${entry.key}" is no key of ours`, `did you mean "${meant}"?`);
}
function reportTwice(field, entry, fields, note) {
	const first = fields.get(field);
	if (JSON.stringify(first.value) === JSON.stringify(entry.value)) return;
	note(FIELDS[field].kind === "security" ? "security-value-unclear" : "key-duplicate", `"${entry.key}" says the same as "${first.key}" with another value`);
}
/** Another product's spelling is fine; a capital letter or a stray space is a slip worth a word. */
function reportSpelling(field, entry, note) {
	if (!FIELDS[field].keys.some((key) => key === entry.key || snake(key) === entry.key || kebab(key) === entry.key) && looseKey(entry.key) !== "allowedtools") note("key-spelling", `"${entry.key}" was read as "${FIELDS[field].keys[0]}"`);
}
function snake(key) {
	return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
function kebab(key) {
	return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
// src/core/agent-file/decode.ts
function decodeText(bytes) {
	const utf16 = utf16Kind(bytes);
	if (utf16 === void 0 && bytes.subarray(0, SNIFFED).includes(0)) return { isBinary: true };
	const decoded = utf16 === void 0 ? UTF8.decode(bytes) : new TextDecoder(utf16).decode(bytes);
	const notes = [];
	if (utf16 !== void 0) notes.push("encoding-utf16");
	if (decoded.includes("�")) notes.push("encoding-invalid");
	return {
		text: normaliseLineEnds(decoded),
		notes
	};
}
/** Also takes off a byte order mark, for texts that were never bytes. */
function normaliseLineEnds(text) {
	const bare = text.charCodeAt(0) === 65279 ? text.slice(1) : text;
	return bare.includes("\r") ? bare.replace(/\r\n?/g, "\n") : bare;
}
const SNIFFED = 4096;
const UTF8 = new TextDecoder("utf-8");
/** By its mark, or, without one, by zero bytes in every other place. */
function utf16Kind(bytes) {
	if (bytes[0] === 255 && bytes[1] === 254) return "utf-16le";
	if (bytes[0] === 254 && bytes[1] === 255) return "utf-16be";
	const head = bytes.subarray(0, 64);
	if (bytes.length < 4 || !head.includes(0)) return void 0;
	const isAscii = (index) => head[index] >= 9 && head[index] < 127;
	const pairs = Math.floor(head.length / 2);
	const isEvery = (test) => Array.from({ length: pairs }, (_, pair) => pair).every(test);
	if (isEvery((pair) => isAscii(pair * 2) && head[pair * 2 + 1] === 0)) return "utf-16le";
	if (isEvery((pair) => head[pair * 2] === 0 && isAscii(pair * 2 + 1))) return "utf-16be";
}
// src/core/agent-file/limit-words.ts
/** The keys whose loss would widen an agent, and what their values look like when all else is unclear. */
const LIMIT_KEYS = [
	"tools",
	"allowedTools",
	"disallowedTools",
	"delegateTools",
	"permissionMode",
	"permissions",
	"permission",
	"approvalMode",
	"disabledFeatures",
	"sandboxMode",
	"canSpawn",
	"hooks",
	"mcpServers",
	"isolation",
	"baseDir",
	"budget",
	"maxTurns",
	"timeout",
	"timeoutSeconds",
	"timeoutMins",
	"runConfig",
	"extends"
];
/** Whether a parsed value fits the limit so well that the key was surely meant. */
function couldBeValue(limit, value) {
	if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return couldFollow(limit, String(value).slice(0, 400), "", "tight");
	if (limit.endsWith("ools")) return Array.isArray(value) && value.length > 0 && value.every((word) => isTool(String(word)));
	return false;
}
/** Whether a text could be the limit's value, rather than the rest of a sentence. `next` is the line below it. */
function couldFollow(limit, rest, next, fit) {
	const text = rest.trim();
	if (text === "") return next.trim() !== "" && couldStandBelow(limit, next, fit);
	if (limit.endsWith("ools")) return areTools(text, fit);
	const values = WORDS$1[limit];
	if (values) return values.some((value) => looseKey(text).startsWith(value) || fit === "loose" && isNear(text, value));
	if (NUMBERS.has(limit)) return /^["']?\$?\d/.test(text);
	return limit !== "extends" && limit !== "baseDir" && /^[[{]/.test(text);
}
function couldStandBelow(limit, next, fit) {
	if (/^\s*-\s/.test(next)) return limit.endsWith("ools") ? areTools(next.replace(/^\s*-\s/, ""), fit) : true;
	if (limit === "hooks" || limit === "permissions" || limit === "mcpServers" || limit === "runConfig") return /^\s+[\w"']+\s*:/.test(next);
	return couldFollow(limit, next.trim(), "", fit);
}
function areTools(text, fit) {
	const words = text.replace(/\([^)]*\)?/g, " ").split(/[\s,;[\]"']+/).filter((word) => word !== "").slice(0, MAX_WORDS);
	if (text.startsWith("*")) return true;
	if (fit === "tight") return isTool(words[0] ?? "");
	return fit === "whole" ? words.length > 0 && words.every(isTool) : words.some((word) => isTool(word) || isNearTool(word));
}
const MAX_WORDS = 12;
function isTool(word) {
	return canonicalToolName(word.split("(")[0]) !== void 0 || word.startsWith("mcp__");
}
function isNearTool(word) {
	return /^[A-Za-z]{3,}$/.test(word) && didYouMean(word, TOOL_NAMES) !== void 0;
}
function isNear(text, value) {
	return didYouMean(text.split(/\s/)[0], [value]) !== void 0;
}
const WORDS$1 = {
	permissionMode: MODES$1.map(looseKey),
	approvalMode: [
		"caller",
		"suppress",
		"sandbox",
		"routeto"
	],
	isolation: [
		"worktree",
		"none",
		"remote"
	],
	canSpawn: [
		"true",
		"false",
		"["
	],
	sandboxMode: [
		"readonly",
		"workspacewrite",
		"dangerfull"
	]
};
const NUMBERS = /* @__PURE__ */ new Set([
	"budget",
	"maxTurns",
	"timeout",
	"timeoutSeconds",
	"timeoutMins"
]);
// src/core/agent-file/damage.ts
/**
* Signs that a key which limits the agent was damaged: overlooking one would give the agent more than was written.
* D1 a key nobody knows, close to a limit. D2 a key without a name. D3 in prose, or where lines had to be repaired, a
* line that reads like a limit the file does not have otherwise, and is followed by what could be its value.
*/
function findDamage(lines, firstLine, entries, how) {
	return [...damagedKeys(entries), ...hiddenLimits(lines, firstLine, entries, how).slice(0, 3)];
}
/** The limit that was probably meant, for a key nobody knows. */
function meantLimit(key, value) {
	if (isKnownKey(key)) return void 0;
	return nearestLimit(lettersOf(key), (limit) => couldBeValue(limit, value) ? 1 : 0);
}
/** Short keys are close to many words: one slip counts, two where the value fits. */
function nearestLimit(word, bonus) {
	let best;
	if (word.length > 24) return void 0;
	const used = lettersUsed(word);
	for (const { limit, letters, used: wanted } of LIMITS$1) {
		if (Math.abs(letters.length - word.length) > 3 || countBits(used & ~wanted) > 3) continue;
		const distance = editDistance(word, letters);
		const allowed = letters.length <= 7 ? 1 : 2;
		if (distance > allowed + 1 || distance >= (best?.distance ?? Number.POSITIVE_INFINITY)) continue;
		if (distance <= allowed + bonus(limit)) best = {
			limit,
			distance
		};
	}
	return best?.limit;
}
/** Which of the letters a–z a word has, as bits. */
function lettersUsed(word) {
	let bits = 0;
	for (let at = 0; at < word.length; at++) bits |= 1 << (word.charCodeAt(at) - 97 & 31);
	return bits;
}
function countBits(bits) {
	let count = 0;
	for (let left = bits; left !== 0; left &= left - 1) count++;
	return count;
}
const LIMITS$1 = LIMIT_KEYS.map((limit) => ({
	limit,
	letters: looseKey(limit),
	used: lettersUsed(looseKey(limit))
}));
function lettersOf(text) {
	return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}
function damagedKeys(entries) {
	return entries.flatMap((entry) => {
		if (!/[\p{L}\p{N}]/u.test(entry.key) && entry.key !== "<<") return [damaged(`a key without a name (${JSON.stringify(entry.key)})`, entry.line)];
		const meant = meantLimit(entry.key, entry.value);
		return meant === void 0 ? [] : [damaged(`"${entry.key}" is no key; "${meant}" may be meant`, entry.line)];
	});
}
function hiddenLimits(lines, firstLine, entries, how) {
	const present = new Set(entries.map((entry) => fieldOf(entry.key)));
	const isAbsent = (limit) => !present.has(fieldOf(limit));
	return proseLines(lines, firstLine, entries, how).flatMap(({ text, at, isOwn }) => {
		if (how === "strict" && !LIMIT_WORD.test(text)) return [];
		const next = lines[at + 1] ?? "";
		if (how === "repaired" && !isOwn && /^\s*:(?:\s|$)/.test(text)) return [damaged("a value without a key", firstLine + at)];
		const hit = (isOwn ? void 0 : limitAtStart(text, next, isAbsent, how) ?? limitOverTwoLines(text, lines, at, isAbsent)) ?? limitInside(text, next, how, isAbsent);
		return hit === void 0 ? [] : [damaged(`"${hit}" stands inside another value`, firstLine + at)];
	});
}
/** Valid YAML is looked at more closely only where a limit is spelt out: this runs for every file. */
const LIMIT_WORD = new RegExp(`(?:${LIMIT_KEYS.join("|")})\\s*[:=]`, "i");
/** Lines of values that are text; where lines were repaired, also what stands at the left edge of other values. */
function proseLines(lines, firstLine, entries, how) {
	const starts = [...entries].sort((a, b) => a.line - b.line);
	const before = (how === "repaired" ? lines.slice(0, (starts[0]?.line ?? firstLine) - firstLine) : []).map((text, at) => ({
		text,
		at,
		isOwn: false
	}));
	const within = starts.flatMap((entry, index) => {
		const from = entry.line - firstLine;
		const to = (starts[index + 1]?.line ?? firstLine + lines.length) - firstLine;
		const own = lines[from] ?? "";
		const isText = typeof entry.value === "string";
		const below = lines.slice(from + 1, to).map((text, offset) => ({
			text,
			at: from + 1 + offset,
			isOwn: false
		}));
		if (!isText) return how === "repaired" ? below.filter(({ text }) => /^[^\s-]/.test(text)) : [];
		return [{
			text: own.slice(own.indexOf(":") + 1),
			at: from,
			isOwn: true
		}, ...below];
	});
	return [...before, ...within];
}
/** `tools: Read`, `tool:s Read`, `to ols: Read`, `tools Read`: what precedes the first value is compared by letters. */
function limitAtStart(line, next, isAbsent, how) {
	const text = line.slice(0, 4 * MAX_REST).trimStart();
	const head = text.slice(0, MAX_HEAD);
	const colon = head.search(/[:=]/);
	const exact = colon > 0 ? EXACT.get(head.slice(0, colon).replace(/^\P{L}+|\P{L}+$/gu, "")) : void 0;
	if (how === "repaired" && exact !== void 0 && isAbsent(exact)) return exact;
	const blank = head.search(/\s/);
	const second = /^\S+\s+\S+/.exec(head)?.[0].length ?? -1;
	for (const end of [
		colon,
		blank,
		second,
		blank < 0 ? head.length : -1
	]) {
		if (end <= 0) continue;
		const rest = text.slice(end).replace(/^[\s\p{P}=`~|]{0,4}/u, "");
		const limit = nearestLimit(lettersOf(text.slice(0, end)), (each) => couldFollow(each, rest, next, "loose") ? 1 : -9);
		if (limit !== void 0 && isAbsent(limit)) return limit;
	}
}
const MAX_HEAD = 32;
const EXACT = new Map(LIMIT_KEYS.map((limit) => [limit, limit]));
/** A key broken in two by a newline, or parted from its value by one. */
function limitOverTwoLines(text, lines, at, isAbsent) {
	const head = text.trim();
	if (head === "" || head.length > 20 || /[\s:]/.test(head)) return void 0;
	return limitAtStart(head + (lines[at + 1] ?? "").trimStart(), lines[at + 2] ?? "", isAbsent, "strict");
}
/**
* The newline before the key was lost. In valid YAML only what is glued to the word before it counts, or a list of
* tools up to the end of the line: the rest is prose.
*/
function limitInside(line, next, how, isAbsent) {
	let from = 0;
	for (let count = 0; count < MAX_COLONS; count++) {
		const colon = line.indexOf(":", from);
		if (colon < 0) return void 0;
		from = colon + 1;
		const head = line.slice(Math.max(0, colon - MAX_HEAD), colon);
		const rest = line.slice(colon + 1, colon + MAX_REST).replace(/^[\s\p{P}=`~|]{0,4}/u, "");
		const limit = limitAtEnd(head, how);
		const fit = limit?.isGlued && how === "repaired" ? "loose" : "tight";
		if (limit === void 0 || !isAbsent(limit.name) || !couldFollow(limit.name, rest, next, fit)) continue;
		if (how === "repaired" || limit.isGlued || couldFollow(limit.name, rest, "", "whole")) return limit.name;
	}
}
const MAX_COLONS = 64;
const MAX_REST = 160;
/** Fuzzy only where lines had to be repaired: in valid YAML prose is far likelier than two mistakes at once. */
function limitAtEnd(head, how) {
	const letters = lettersOf(head);
	for (const { limit, letters: wanted } of LIMITS$1) {
		const tail = letters.endsWith(wanted) ? wanted : how === "repaired" ? nearTail(letters, wanted) : void 0;
		if (tail === void 0) continue;
		const before = head.slice(0, head.toLowerCase().lastIndexOf(tail.slice(0, 2)));
		return {
			name: limit,
			isGlued: before !== "" && /\S$/.test(before)
		};
	}
}
function nearTail(letters, wanted) {
	if (!letters.endsWith(wanted.slice(-2)) && !letters.slice(-wanted.length - 1).includes(wanted.slice(0, -2))) return void 0;
	return [
		0,
		1,
		-1
	].map((more) => letters.slice(-(wanted.length + more))).find((tail) => editDistance(tail, wanted) <= 1);
}
function damaged(message, line) {
	return {
		code: "security-key-damaged",
		message,
		line
	};
}
// src/core/agent-file/yaml-guard.ts
/**
* What may be handed to a YAML parser at all. Parsers have inputs on which their time grows without measure (a few
* kilobytes of `? ` took a minute); this is one pass over the text.
*/
/** Why this text is kept from the parser, or undefined. */
function whyNotParsed(text) {
	if (text.length > MAX_PARSED) return `it has more than ${MAX_PARSED} characters`;
	let depth = 0;
	let signs = 0;
	let questions = 0;
	let lines = 1;
	for (let at = 0; at < text.length; at++) {
		const character = text[at];
		if (character === "\n") lines++;
		else if (character === "[" || character === "{") depth++;
		else if (character === "]" || character === "}") depth = Math.max(0, depth - 1);
		else if (character === "?" && !WORD.test(text[at - 1] ?? " ")) questions++;
		if (SIGNS.includes(character)) signs++;
		if (depth > MAX_DEPTH) return `it has more than ${MAX_DEPTH} brackets open`;
	}
	if (lines > MAX_LINES$1) return `it has more than ${MAX_LINES$1} lines`;
	if (questions > MAX_QUESTIONS) return "it uses explicit keys (\"? \")";
	return signs > MAX_SIGNS ? "it has too many separators, anchors, tags or comments" : void 0;
}
const MAX_PARSED = 65536;
const MAX_LINES$1 = 2e3;
const MAX_DEPTH = 32;
const MAX_SIGNS = 1500;
const MAX_QUESTIONS = 24;
const SIGNS = ",:[]{}&*!#?-|>%\"";
const WORD = /[\p{L}\p{N}"')\]»”?!.]/u;
// src/core/agent-file/repair.ts
/**
* A block that is no valid YAML, read line by line.
* R1 an entry starts at a known key at the left edge; `user:` or `Context:` inside a description is none, and nothing
*    inside an `<example>` is. R2 each entry is parsed alone; prose that does not parse is taken as it stands.
* R3 a limit that does not parse is kept only in forms that leave no doubt; otherwise the agent is quarantined.
*/
function repairBlock(lines, firstLine, yaml, fault) {
	const segments = cutSegments(lines);
	const problems = [];
	const preamble = segments[0] ? lines.slice(0, segments[0].at) : lines;
	problems.push(...strayProblems(preamble, firstLine));
	if (segments.length === 0) return {
		entries: [],
		problems: [...problems, unreadable(fault, firstLine)],
		trailing: ""
	};
	if (segments.length > MAX_ENTRIES) return {
		entries: [],
		problems: [tooMany(firstLine)],
		trailing: ""
	};
	const budget = { left: MAX_PARSED_ALONE };
	const entries = [];
	let trailing = "";
	for (const [index, segment] of segments.entries()) {
		const line = firstLine + segment.at;
		const isLast = index === segments.length - 1;
		const read = readSegment(segment, yaml, budget);
		problems.push(...segmentProblems(segment, read, line));
		if (isLast && read.stray.length > 0) trailing = read.stray.join("\n").trim();
		else problems.push(...strayProblems(read.stray, line + segment.lines.length - read.stray.length));
		if ("value" in read) entries.push({
			key: segment.key,
			value: read.value,
			line,
			column: segment.indent + 1
		});
	}
	if (problems.length === 0) problems.push(repaired(fault, firstLine));
	const distinct = dropDuplicates(entries, problems);
	return {
		entries: distinct,
		problems: [...problems, ...findDamage(lines, firstLine, distinct, "repaired")],
		trailing
	};
}
const MAX_ENTRIES = 500;
const MAX_PARSED_ALONE = 65536;
const KEY = /^([ \t]*)(["']?)([A-Za-z_][\w.-]{0,63}(?: [\w.-]{1,63})?)\2[ \t]*:(.*)$/;
function cutSegments(lines) {
	const isOutside = outsideExamples(lines);
	const starts = [];
	const seen = /* @__PURE__ */ new Set();
	for (const [at, line] of lines.entries()) {
		if (!isOutside[at]) continue;
		const match = KEY.exec(line);
		if (!match) continue;
		const [, space, , key, rest] = match;
		const start = {
			key,
			at,
			indent: space.length,
			rest
		};
		if (!isEntry(start, starts, seen)) continue;
		starts.push(start);
		seen.add(looseKey(key));
		if (starts.length > MAX_ENTRIES) break;
	}
	return starts.map((start, index) => ({
		key: start.key,
		at: start.at,
		indent: start.indent,
		lines: [start.rest, ...lines.slice(start.at + 1, starts[index + 1]?.at ?? lines.length)]
	}));
}
function isEntry(start, before, seen) {
	const { key, rest } = start;
	const first = before[0];
	const isDamagedLimit = meantLimit(key, rest) !== void 0;
	if (!isKnownKey(key) && !isDamagedLimit && !isPlainKeyLine(start, before)) return false;
	if (rest.startsWith("//") || rest !== "" && !/^[\s\u00a0]/.test(rest) && !isKnownKey(key)) return false;
	if (first && start.indent > first.indent && !isSecurityKey(key)) return false;
	if (first && start.indent > first.indent && isNested(before.at(-1))) return false;
	if (isSecurityKey(key)) return true;
	if (/^[A-Z]/.test(key) && first && !/^[A-Z]/.test(first.key)) return false;
	return !(seen.has(looseKey(key)) && isProse(before.at(-1)?.key));
}
/** An unknown key ends an entry only where no prose is open: inside a description `Context:` is text. */
function isPlainKeyLine(start, before) {
	const last = before.at(-1);
	return last !== void 0 && !isProse(last.key) && start.indent === before[0].indent && /^[a-z][\w-]*$/i.test(start.key);
}
/** A key with nothing behind its colon holds what is indented below it. */
function isNested(last) {
	return last.rest.trim() === "" && !isProse(last.key);
}
function isProse(key) {
	const field = key === void 0 ? void 0 : fieldOf(key);
	return field !== void 0 && field !== "name" && FIELDS[field].kind === "text";
}
/** Which lines stand outside `<example>`; when the tags do not match up, all do. */
function outsideExamples(lines) {
	let depth = 0;
	const outside = lines.map((line) => {
		const opens = line.split("<example>").length - 1;
		const closes = line.split("</example>").length - 1;
		const isOutside = depth === 0;
		depth = Math.max(0, depth + opens - closes);
		return isOutside;
	});
	return depth === 0 ? outside : lines.map(() => true);
}
function readSegment(segment, yaml, budget) {
	const prose = isProse(segment.key);
	const whole = parseAlone(segment, segment.lines, yaml, budget);
	if (whole) return {
		value: whole.value,
		stray: [],
		isClean: true
	};
	if (prose) return {
		value: rawText(segment.lines),
		stray: [],
		isClean: false
	};
	const own = ownLines(segment.lines);
	const stray = segment.lines.slice(own.length);
	const mayCut = !isSecurityKey(segment.key) || fieldOf(segment.key) === "tools" || stray.every(isBlank);
	const alone = own.length < segment.lines.length ? parseAlone(segment, own, yaml, budget) : void 0;
	const isProseStray = stray.every((line) => isBlank(line) || /\s/.test(line.trim())) && isBlank(stray[0] ?? "");
	if (alone && (mayCut || isProseStray)) return {
		value: alone.value,
		stray,
		isClean: true
	};
	const raw = own.length === 1 || own.slice(1).every(isBlank) ? own[0].replace(/\u00a0/g, " ").trim() : void 0;
	if (!isSecurityKey(segment.key)) return {
		value: raw ?? rawText(own),
		stray,
		isClean: false
	};
	if (raw !== void 0 && (mayCut || isProseStray) && isCertain(segment.key, raw)) return {
		value: raw,
		stray,
		isClean: false
	};
	return {
		stray,
		isClean: false
	};
}
/** The key's own line and what is indented below it, or a list at its own depth. */
function ownLines(lines) {
	let end = 1;
	while (end < lines.length && (/^[ \t]+\S/.test(lines[end]) || /^- /.test(lines[end]) || isBlank(lines[end]))) end++;
	return lines.slice(0, end);
}
function parseAlone(segment, lines, yaml, budget) {
	const spaced = lines.map((line, at) => at === 0 ? line.replace(/\u00a0/g, " ") : line.replace(/^[ \t]+/, untab));
	const text = `k: ${spaced.join("\n").trimStart()}`;
	const source = spaced[0].trim() === "" && spaced.length > 1 ? `k:\n${spaced.slice(1).join("\n")}` : text;
	budget.left -= source.length;
	if (budget.left < 0 || whyNotParsed(source) !== void 0) return void 0;
	const parsed = yaml(dedent(source, segment.indent));
	if (!("value" in parsed) || typeof parsed.value !== "object" || parsed.value === null) return void 0;
	const pairs = Object.entries(parsed.value);
	return pairs.length === 1 && pairs[0][0] === "k" ? { value: pairs[0][1] } : void 0;
}
function dedent(text, indent) {
	if (indent === 0) return text;
	const edge = " ".repeat(indent);
	return text.replaceAll(`\n${edge}`, "\n");
}
function untab(space) {
	return space.replaceAll("	", "  ");
}
/** Prose as it stands: outer quotes and a block sign taken off, common indentation too. */
function rawText(lines) {
	const first = lines[0].replace(/\u00a0/g, " ").trim();
	const rest = lines.slice(1);
	const edge = Math.min(...rest.filter((line) => !isBlank(line)).map((line) => /^[ \t]*/.exec(line)[0].length), 80);
	const text = [.../^[|>][+-]?\d?$/.test(first) ? [] : [first], ...rest.map((line) => line.slice(Math.min(edge, line.length)).trimEnd())].join("\n").trim();
	const quote = text[0];
	if (text.length < 2 || quote !== "\"" && quote !== "'" || !text.endsWith(quote)) return text;
	const inner = text.slice(1, -1);
	return quote === "'" ? inner.replaceAll("''", "'") : inner.replace(/\\(["\\])/g, "$1");
}
/** Values of limits that read the same whether or not they were quoted. */
function isCertain(key, raw) {
	const field = fieldOf(key);
	if (field !== "tools" && field !== "disallowedTools") return /^[\w./-]+$/.test(raw);
	if (raw === "*") return true;
	const words = splitOutsideBrackets(raw, /,/);
	if (/[,(]\s*$/.test(raw) || /["'`#[\]{}]/.test(raw)) return false;
	return words.every((word) => !("fault" in parsePermissionRule(word)) && isToolWord(word.split("(")[0]));
}
function isToolWord(name) {
	return canonicalToolName(name) !== void 0 || /^mcp__/.test(name) || /^[A-Z][A-Za-z]{2,}$/.test(name.trim());
}
function segmentProblems(segment, read, line) {
	if (!("value" in read)) return [{
		code: "security-value-unclear",
		message: `the value of "${segment.key}" cannot be read for certain`,
		line
	}];
	if (read.isClean) return [];
	return [{
		code: "syntax-repaired",
		message: `the value of "${segment.key}" is no valid YAML; it was taken as it stands`,
		line
	}];
}
function strayProblems(stray, line) {
	return stray.flatMap((text, at) => {
		if (isBlank(text) || /^\s*#/.test(text)) return [];
		const words = splitOutsideBrackets(text.replace(/^\s*-\s/, ""), /[\s,]/);
		const isTools = words.length > 0 && words.every((word) => canonicalToolName(word.split("(")[0]) !== void 0);
		const message = `a line without a key: ${JSON.stringify(text.trim().slice(0, 60))}`;
		return [{
			code: isTools ? "security-key-damaged" : "stray-line",
			message,
			line: line + at
		}];
	});
}
function dropDuplicates(entries, problems) {
	const last = /* @__PURE__ */ new Map();
	for (const entry of entries) {
		const key = looseKey(entry.key);
		const earlier = last.get(key);
		if (earlier) {
			const code = isSecurityKey(entry.key) && JSON.stringify(earlier.value) !== JSON.stringify(entry.value) ? "security-value-unclear" : "key-duplicate";
			problems.push({
				code,
				message: `"${entry.key}" appears twice`,
				line: entry.line
			});
		}
		last.set(key, entry);
	}
	return [...last.values()];
}
function isBlank(line) {
	return line.trim() === "";
}
function unreadable(fault, line) {
	return {
		code: "syntax-error",
		message: `the front matter cannot be read: ${fault}`,
		line
	};
}
function repaired(fault, line) {
	return {
		code: "syntax-repaired",
		message: `the front matter is no valid YAML (${fault}); it was read line by line`,
		line
	};
}
function tooMany(line) {
	return {
		code: "front-matter-too-large",
		message: `more than ${MAX_ENTRIES} keys`,
		line
	};
}
// src/core/agent-file/simple-block.ts
/** Undefined when any line is not of the simplest kind. */
function readSimpleBlock(lines, firstLine) {
	const entries = [];
	const seen = /* @__PURE__ */ new Set();
	for (const [at, line] of lines.entries()) {
		if (line === "") continue;
		const match = LINE.exec(line);
		const value = match ? scalarOf(match[2]) : void 0;
		if (value === void 0 || seen.has(match[1].toLowerCase())) return void 0;
		seen.add(match[1].toLowerCase());
		entries.push({
			key: match[1],
			value,
			line: firstLine + at,
			column: 1,
			raw: match[2].trim()
		});
	}
	return entries.length === 0 ? void 0 : entries;
}
const LINE = /^([A-Za-z][\w-]{0,63}): (.+)$/;
const PLAIN = /^[\p{L}_][^\u0000-\u001f\u007f-\u00a0\u2028\u2029\ufeff]*$/u;
const MAX_VALUE = 32768;
const WORDS = /^(?:true|false|null)$/i;
function scalarOf(text) {
	if (text.length > MAX_VALUE) return void 0;
	const value = text.trimEnd();
	if (value.length < text.length && /[^ ]/.test(text.slice(value.length))) return void 0;
	const quote = value[0];
	if (quote === "\"" || quote === "'") {
		const inner = value.slice(1, -1);
		return value.length > 1 && value.endsWith(quote) && !inner.includes(quote) && !inner.includes("\\") && PLAIN.test(`x${inner}`) ? inner : void 0;
	}
	if (!PLAIN.test(value) || WORDS.test(value) || value.includes(": ") || value.endsWith(":")) return void 0;
	return value.includes(" #") ? void 0 : value;
}
// src/core/agent-file/entries.ts
/**
* The keys of a front matter block with their values and places. Strict YAML first; when that fails, line by line
* (repair.ts). What looks like a damaged limit on the agent is reported, never overlooked (damage.ts).
*/
function readBlock(lines, firstLine, yaml) {
	const simple = readSimpleBlock(lines, firstLine);
	if (simple) return {
		entries: simple,
		problems: findDamage(lines, firstLine, simple, "strict"),
		trailing: ""
	};
	const text = lines.join("\n");
	if (lines.length > MAX_LINES || text.length > MAX_TEXT$1) return tooLarge(lines.length, text.length, firstLine);
	const kept = whyNotParsed(text);
	const parsed = kept === void 0 ? yaml(text) : { fault: kept };
	if ("value" in parsed) {
		const entries = entriesOf$1(parsed.value, lines, firstLine);
		if (entries) return {
			entries,
			problems: strictProblems(entries, lines, firstLine),
			trailing: ""
		};
	} else if (parsed.isHostile) return {
		entries: [],
		problems: [{
			code: "alias-expansion",
			message: parsed.fault,
			line: firstLine
		}],
		trailing: ""
	};
	return repairBlock(lines, firstLine, yaml, "fault" in parsed ? parsed.fault : "it is no list of keys and values");
}
const MAX_LINES = 1500;
const MAX_TEXT$1 = 524288;
function tooLarge(lines, characters, line) {
	return {
		entries: [],
		problems: [{
			code: "front-matter-too-large",
			message: `${lines} lines and ${characters} characters of keys; at most ${MAX_LINES} and ${MAX_TEXT$1} are read`,
			line
		}],
		trailing: ""
	};
}
/** Undefined when the value is no mapping; an empty block is a mapping without keys. */
function entriesOf$1(value, lines, firstLine) {
	if (value === null || value === void 0) return lines.every(isBlankOrComment) ? [] : void 0;
	if (typeof value !== "object" || Array.isArray(value)) return void 0;
	const places = placesOf(lines);
	return Object.entries(value).map(([key, each]) => {
		const place = places.get(key);
		return {
			key,
			value: each,
			line: firstLine + (place?.at ?? 0),
			column: place?.column ?? 1,
			...place ? { raw: place.rest } : {}
		};
	});
}
const KEY_LINE = /^(\s*)(["']?)([^\s"':#][^"':]{0,80}?)\2\s*:(?=\s|$)(.*)$/;
/** Top-level keys as the lines show them; the last of two equal ones. */
function placesOf(lines) {
	return new Map(topLevelKeys(lines).map(({ key, ...place }) => [key, place]));
}
function topLevelKeys(lines) {
	let base;
	return lines.flatMap((line, at) => {
		const match = KEY_LINE.exec(line);
		if (!match) return [];
		const indent = match[1].length;
		base ??= indent;
		return indent > base ? [] : [{
			key: match[3],
			at,
			column: indent + 1,
			rest: match[4].trim()
		}];
	});
}
function strictProblems(entries, lines, firstLine) {
	const seen = /* @__PURE__ */ new Map();
	const problems = [];
	for (const { key, at, rest } of topLevelKeys(lines)) {
		const earlier = seen.get(looseKey(key));
		seen.set(looseKey(key), rest);
		if (earlier === void 0) continue;
		const isUnclear = isSecurityKey(key) && (earlier !== rest || rest === "");
		problems.push({
			code: isUnclear ? "security-value-unclear" : "key-duplicate",
			message: `"${key}" appears twice`,
			line: firstLine + at
		});
	}
	return [...problems, ...findDamage(lines, firstLine, entries, "strict")];
}
function isBlankOrComment(line) {
	return /^\s*(?:#.*)?$/.test(line);
}
// src/core/agent-file/front-matter.ts
function splitFrontMatter(text) {
	const [first] = linesUpTo(text, 0, 1);
	const head = first !== void 0 && DASHES.test(first.slice(0, 200)) ? [first] : linesUpTo(text, 0, MAX_LEAD_IN);
	const opening = findOpening(head);
	if ("none" in opening) return opening;
	const { at, indent, language, closer } = opening;
	const notes = [];
	if (at > 0) notes.push({
		code: "front-matter-misplaced",
		line: at + 1
	});
	const end = findEnd(text, offsetOfLine(head, at + 1), closer);
	if (!end.isClosed) notes.push({
		code: "front-matter-unclosed",
		line: at + 1
	});
	const dedent = (line) => line.startsWith(indent) ? line.slice(indent.length) : line;
	const body = indent === "" ? end.body : end.body.split("\n").map(dedent).join("\n").trim();
	return {
		language,
		lines: indent === "" ? end.lines : end.lines.map(dedent),
		firstLine: at + 2,
		body,
		notes
	};
}
const MAX_LEAD_IN = 400;
/** The first lines of a text: bodies are long, and need not be cut up. */
function linesUpTo(text, from, most) {
	const lines = [];
	for (let at = from; at <= text.length && lines.length < most;) {
		const end = text.indexOf("\n", at);
		lines.push(end < 0 ? text.slice(at) : text.slice(at, end));
		if (end < 0) break;
		at = end + 1;
	}
	return lines;
}
function offsetOfLine(lines, count) {
	return lines.slice(0, count).reduce((sum, line) => sum + line.length + 1, 0);
}
const DASHES = /^([ \t]*)-{3,}[ \t]*(\w*)[ \t]*$/;
const PLUSES = /^([ \t]*)\+{3}[ \t]*$/;
const YAML_CLOSER = /^[ \t]*(?:-{3,}|\.{3}[ \t]*$)/;
const TOML_CLOSER = /^[ \t]*\+{3}/;
const LANGUAGES = {
	"": "yaml",
	yaml: "yaml",
	yml: "yaml",
	toml: "toml",
	json: "json"
};
function findOpening(lines) {
	const at = skipLeadIn(lines);
	const line = (lines[at] ?? "").slice(0, 200);
	const pluses = PLUSES.exec(line);
	if (pluses) return {
		at,
		indent: pluses[1],
		language: "toml",
		closer: TOML_CLOSER
	};
	const dashes = DASHES.exec(line);
	if (!dashes) return {
		none: /^\s*(?:```|~~~)/.test(line) && DASHES.test((lines[at + 1] ?? "").slice(0, 200)) ? "front-matter-in-code-block" : "no-front-matter",
		line: at + 1
	};
	const language = LANGUAGES[dashes[2].toLowerCase()];
	if (language === void 0) return {
		none: "front-matter-language",
		line: at + 1,
		language: dashes[2]
	};
	return {
		at,
		indent: dashes[1],
		language,
		closer: YAML_CLOSER
	};
}
/** Past blank lines and one HTML comment, which may span lines. */
function skipLeadIn(lines) {
	let at = skipBlank(lines, 0);
	if (!lines[at]?.trimStart().startsWith("<!--")) return at;
	const bound = Math.min(lines.length, at + MAX_COMMENT_LINES);
	while (at < bound && !lines[at].trimEnd().endsWith("-->")) at++;
	return skipBlank(lines, Math.min(at + 1, lines.length));
}
function skipBlank(lines, from) {
	let at = from;
	while (at < lines.length && lines[at].trim() === "") at++;
	return at;
}
const MAX_COMMENT_LINES = 200;
function findEnd(text, start, closer) {
	const lines = [];
	let firstBreak;
	for (let at = start; at < text.length;) {
		const end = text.indexOf("\n", at);
		const line = end < 0 ? text.slice(at) : text.slice(at, end);
		const next = end < 0 ? text.length : end + 1;
		if (closer.test(line)) return {
			lines,
			body: `${line.replace(/^[ \t]*(?:-+|\.{3}|\+{3})[ \t]*/, "")}\n${text.slice(next)}`.trim(),
			isClosed: true
		};
		if (line.trim() === "" || /^#{1,6} /.test(line)) firstBreak ??= {
			count: lines.length,
			at
		};
		lines.push(line);
		at = next;
	}
	const cut = firstBreak ?? {
		count: lines.length,
		at: text.length
	};
	return {
		lines: lines.slice(0, cut.count),
		body: text.slice(cut.at).trim(),
		isClosed: false
	};
}
// src/core/agent-file/structure.ts
/** Files that are data from end to end (TOML, JSON, YAML lists): one agent, a list of agents, or a map by name. */
function openStructure(text, format, parsers) {
	if (text.length > MAX_TEXT) return { fault: `more than ${MAX_TEXT} characters` };
	const parsed = format === "json" ? parseJson(text) : format === "toml" ? parsers.toml(text) : parseYaml(text, parsers);
	if (!("value" in parsed)) return parsed;
	const lineOf = lineFinder(text);
	return { agents: recordsOf(parsed.value).slice(0, MAX_AGENTS).map((record) => entriesOf(record, lineOf)) };
}
const MAX_TEXT = 524288;
const MAX_AGENTS = 1e3;
function parseYaml(text, parsers) {
	const kept = whyNotParsed(text);
	return kept === void 0 ? parsers.yaml(text) : { fault: kept };
}
function parseJson(text) {
	try {
		return { value: JSON.parse(text) };
	} catch (error) {
		const position = /position (\d+)/.exec(String(error));
		const line = position ? text.slice(0, Number(position[1])).split("\n").length : 1;
		return {
			fault: `no valid JSON: ${error instanceof Error ? error.message.slice(0, 120) : "unreadable"}`,
			line
		};
	}
}
function recordsOf(value) {
	if (Array.isArray(value)) return value.filter(isRecord);
	if (!isRecord(value)) return [];
	if (isAgentLike(value)) return [value];
	const held = value.agents;
	if (Array.isArray(held)) return held.filter(isRecord);
	const byName = isRecord(held) ? held : value;
	const pairs = Object.entries(byName);
	return pairs.length > 0 && pairs.every(([, each]) => isRecord(each) && Object.keys(each).some((key) => fieldOf(key))) ? pairs.map(([name, each]) => ({
		name,
		...each
	})) : [];
}
function isAgentLike(value) {
	const fields = new Set(Object.keys(value).flatMap(fieldsIn(value)));
	const isTelling = TELLING.some((field) => fields.has(field)) || Object.keys(value).some((key) => looseKey(key) === "agenttype");
	return fields.has("name") && !Array.isArray(value.agents) && isTelling;
}
/** The fields of a key, and of the table it holds. */
function fieldsIn(value) {
	return (key) => {
		const inner = value[key];
		return CONTAINERS.has(looseKey(key)) && isRecord(inner) ? Object.keys(inner).map(fieldOf) : [fieldOf(key)];
	};
}
/** A name and a description alone are those of any manifest (package.json, plugin.json). */
const TELLING = [
	"systemPrompt",
	"tools",
	"disallowedTools",
	"model",
	"query",
	"permissionMode",
	"maxTurns"
];
function entriesOf(record, lineOf) {
	return Object.entries(record).map(([key, value]) => ({
		key,
		value,
		line: lineOf(key),
		column: 1
	}));
}
/** Where a key first stands; good enough for a file that a person opens at that line. */
function lineFinder(text) {
	const lines = text.split("\n");
	const first = /* @__PURE__ */ new Map();
	for (const [at, line] of lines.entries()) {
		const key = /^\s*["']?([\w.-]+)["']?\s*[:=]/.exec(line)?.[1];
		if (key !== void 0 && !first.has(key)) first.set(key, at + 1);
	}
	return (key) => first.get(key) ?? 1;
}
// src/core/agent-file/read-agent-file.ts
function readAgentFile(file, parsers) {
	const { path } = file;
	const extension = extensionOf(path);
	if (!AGENT_EXTENSIONS.includes(extension)) return noAgent(path, "other-extension", `"${extension}" files are not read`);
	const decoded = typeof file.content === "string" ? {
		text: normaliseLineEnds(file.content),
		notes: []
	} : decodeText(file.content);
	if ("isBinary" in decoded) return noAgent(path, "binary-file", "the file is no text");
	const notes = decoded.notes.map((code) => diagnose(code, ENCODING_WORDS[code] ?? code, {
		file: path,
		line: 1
	}));
	if (extension === "md") return readMarkdown(file, decoded.text, parsers, notes);
	if (extension === "toml" || extension === "json") return readStructured(file, decoded.text, extension, parsers, notes);
	return readYaml(file, decoded.text, parsers, notes);
}
const AGENT_EXTENSIONS = [
	"md",
	"yaml",
	"yml",
	"toml",
	"json"
];
const ENCODING_WORDS = {
	"encoding-utf16": "the file is UTF-16",
	"encoding-invalid": "some bytes are no valid UTF-8"
};
function readMarkdown(file, text, parsers, notes) {
	const split = splitFrontMatter(text);
	if ("none" in split) {
		const what = split.none === "front-matter-language" ? `front matter in "${split.language}" is not read` : WITHOUT[split.none];
		return noAgent(file.path, split.none, what ?? split.none, split.line, notes);
	}
	const own = split.notes.map(({ code, line }) => diagnose(code, FENCE_WORDS[code] ?? code, {
		file: file.path,
		line
	}));
	if (split.language !== "yaml") return readStructure(file, openStructure(split.lines.join("\n"), split.language, parsers), split.body, [...notes, ...own], split.firstLine);
	const block = readBlock(split.lines, split.firstLine, parsers.yaml);
	const found = problemsAt(file.path, block);
	const body = [block.trailing, split.body].filter((part) => part !== "").join("\n\n");
	return readOne(file, block.entries, body, [
		...notes,
		...own,
		...found
	]);
}
const WITHOUT = {
	"no-front-matter": "the file has no front matter",
	"front-matter-in-code-block": "the front matter stands inside a code block"
};
const FENCE_WORDS = {
	"front-matter-unclosed": "the front matter is not closed",
	"front-matter-misplaced": "the front matter is not at the start of the file"
};
function readYaml(file, text, parsers, notes) {
	const lines = text.trimEnd().split("\n");
	const skipped = /^---\s*$/.test(lines[0] ?? "") ? 1 : 0;
	const block = readBlock(lines.slice(skipped), 1 + skipped, parsers.yaml);
	const isAgent = isAgentLike(Object.fromEntries(block.entries.map((entry) => [entry.key, entry.value])));
	const found = problemsAt(file.path, block);
	if (!isAgent && !block.problems.some((problem) => FATAL.has(problem.code))) {
		const inner = openStructure(text, "yaml", parsers);
		if ("agents" in inner && inner.agents.length > 0) return readStructure(file, inner, "", notes, 1);
		return noAgent(file.path, "not-an-agent", "there is no name in it", 1, notes);
	}
	return readOne(file, block.entries, "", [...notes, ...found]);
}
function problemsAt(file, block) {
	return block.problems.map(({ code, message, line, hint }) => diagnose(code, message, {
		file,
		line
	}, hint));
}
const FATAL = /* @__PURE__ */ new Set(["front-matter-too-large", "alias-expansion"]);
function readStructured(file, text, format, parsers, notes) {
	return readStructure(file, openStructure(text, format, parsers), "", notes, 1);
}
function readStructure(file, structure, body, notes, firstLine) {
	if ("fault" in structure) {
		const line = firstLine - 1 + (structure.line ?? 1);
		return noAgent(file.path, "syntax-error", structure.fault, line, notes);
	}
	if (structure.agents.length === 0) return noAgent(file.path, "not-an-agent", "there is no agent in it", 1, notes);
	const shifted = structure.agents.map((entries) => entries.map((entry) => ({
		...entry,
		line: entry.line + firstLine - 1
	})));
	if (shifted.length === 1) return readOne(file, shifted[0], body, notes);
	const readings = shifted.map((entries, index) => readOne(file, entries, body, index === 0 ? notes : []));
	const states = readings.map((reading) => reading.state);
	const state = STATES_BY_WEIGHT.find((each) => states.includes(each)) ?? "not-an-agent";
	return {
		path: file.path,
		state,
		agents: readings.flatMap((reading) => reading.agents),
		diagnostics: readings.flatMap((reading) => reading.diagnostics)
	};
}
const STATES_BY_WEIGHT = [
	"quarantined",
	"warned",
	"loaded"
];
function readOne(file, entries, body, notes) {
	const why = notes.some((note) => note.severity === "error") ? void 0 : whyNoAgent(file.path, entries);
	if (why) return noAgent(file.path, why.code, why.message, entries[0]?.line ?? 1, notes);
	const { agent, dialect, written, diagnostics } = assembleAgent({
		entries,
		body,
		stem: stemOf(file.path),
		path: file.path,
		source: file.source,
		...file.prefix ? { prefix: file.prefix } : {}
	}, notes);
	const state = stateOf(diagnostics);
	const reading = {
		state,
		dialect,
		...agent ? { agent } : {},
		...written ? { written } : {}
	};
	return {
		path: file.path,
		state,
		agents: [reading],
		diagnostics
	};
}
/** Documents lie beside agents everywhere: loading one would offer nonsense to a model. */
function whyNoAgent(path, entries) {
	if (entries.length === 0) return {
		code: "empty-front-matter",
		message: "the front matter names nothing"
	};
	const fields = new Set(entries.map((entry) => fieldOf(entry.key)));
	if (/^skill$/i.test(stemOf(path))) return {
		code: "not-an-agent",
		message: "a skill"
	};
	if (fields.has("name")) return void 0;
	if (DOCUMENT_STEM.test(stemOf(path))) return {
		code: "not-an-agent",
		message: "a document without a name"
	};
	const isAgentLike = AGENT_FIELDS.some((field) => fields.has(field));
	const isPage = entries.some((entry) => PAGE_KEYS.has(entry.key.toLowerCase()));
	if (isAgentLike || fields.has("description") && !isPage) return void 0;
	return {
		code: "not-an-agent",
		message: "its front matter is that of a document"
	};
}
const DOCUMENT_STEM = /^(?:readme|claude|agents|gemini|index|skill|changelog|contributing|license|memory|copilot-instructions)(?:[._-].*)?$/i;
const AGENT_FIELDS = [
	"tools",
	"model",
	"disallowedTools",
	"permissionMode",
	"systemPrompt",
	"mode"
];
const PAGE_KEYS = /* @__PURE__ */ new Set([
	"title",
	"layout",
	"date",
	"permalink",
	"slug",
	"sidebar",
	"nav_order",
	"globs",
	"applyto",
	"alwaysapply",
	"paths"
]);
function stateOf(diagnostics) {
	if (diagnostics.some((each) => each.severity === "error")) return "quarantined";
	return diagnostics.some((each) => each.severity === "warning") ? "warned" : "loaded";
}
function noAgent(path, code, message, line = 1, notes = []) {
	const diagnostic = diagnose(code, message, {
		file: path,
		line
	});
	return {
		path,
		state: diagnostic.severity === "error" ? "quarantined" : "not-an-agent",
		agents: [],
		diagnostics: [...notes, diagnostic]
	};
}
function extensionOf(path) {
	return /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
}
/** `reviewer.agent.md` is `reviewer`. */
function stemOf(path) {
	return path.split(/[/\\]/).at(-1).replace(/\.[^.]+$/, "").replace(/\.(?:agent|chatmode)$/i, "");
}
// test/fuzz/sound-files.ts
const SOUND_FILES = [
	markdown("name: a\ndescription: reads code\n«tools: Read, Grep»\nmodel: sonnet"),
	markdown("name: a\ndescription: reads code\n«tools: [Read, Bash(git:*)]»"),
	markdown("name: a\n«tools:\n  - Read\n  - Glob»\ndescription: \"reads: code\""),
	markdown("name: a\n«tools: [\"Read\", \"Bash(git log:*)\"]»\ndescription: >-\n  folded text\n  of two lines\ncolor: red"),
	markdown("description: reads code\n«disallowedTools: Write, Edit, Bash»\nname: a"),
	markdown("name: a\ndescription: x\n«disallowedTools:\n  - Bash\n  - Write»\nmodel: haiku"),
	markdown("name: a\ndescription: >\n  folded text\n  of two lines\n«tools: Read»\ncolor: red"),
	markdown("name: a\ndescription: Use this: when needed\n«tools: Read, Grep»\nmodel: haiku"),
	markdown("name: a\ndescription: Use it. Examples:\n<example>\nuser: \"hi\"\n</example>\n«disallowedTools: Bash, Write»"),
	markdown("name: a\ndescription: x\n«permissionMode: plan»\nmodel: inherit"),
	markdown("name: a\ndescription: x\n«permissionMode: dontAsk»"),
	markdown("name: a\n«tools: Read\nmaxTurns: 3»\ndescription: x\nmcpServers: none"),
	markdown("name: a\ndescription: x\n«permissions:\n  deny:\n    - Bash(rm *)\n    - WebFetch\n  ask: [Write]»\nmodel: opus"),
	markdown("name: a\ndescription: x\n«permissions: { deny: [\"Bash\", \"Edit(/src/**)\"] }»"),
	markdown("name: a\ndescription: x\n«approvalMode: suppress»\nmodel: inherit"),
	markdown("name: a\ndescription: x\n«disabledFeatures: [shell, web]»\ncolor: blue"),
	markdown("name: a\ndescription: x\n«hooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: ./guard.sh»\nmodel: haiku"),
	markdown("name: a\ndescription: x\ncanSpawn: [b]\n«isolation: worktree»"),
	markdown("name: a\ndescription: x\n«baseDir: packages/web»\nmodel: sonnet"),
	markdown("name: a\ndescription: x\n«budget: 200k tokens»\nmodel: sonnet"),
	markdown("name: a\ndescription: x\n«timeout: 90»\ncolor: red"),
	markdown("name: a\ndescription: x\ntools: Read, Bash\n«extends: reviewer»"),
	markdown("name: a\ndescription: x\n«disabled: true»\nmodel: haiku"),
	markdown("description: reviews\n«tools:\n  write: false\n  bash: false»\nmode: subagent", ".opencode/agent/a.md"),
	markdown("description: reviews\nmode: subagent\n«permission:\n  edit: deny\n  bash:\n    \"*\": deny\n    \"git log*\": allow»\ntemperature: 0.1", ".opencode/agent/a.md"),
	markdown("description: x\n«permission:\n  \"*\": deny\n  read: allow»", ".opencode/agent/a.md"),
	markdown("description: x\nmode: subagent\n«steps: 4»", ".opencode/agent/a.md"),
	markdown("kind: local\nname: a\ndescription: x\n«tools:\n  - read_file\n  - grep_search»\nmax_turns: 9", ".gemini/agents/a.md"),
	markdown("kind: local\nname: a\ndescription: x\n«max_turns: 9\ntimeout_mins: 3»", ".gemini/agents/a.md"),
	markdown("description: x\n«tools: ['search', 'usages']»\nmodel: Claude Sonnet 4", ".github/agents/a.agent.md"),
	data("a.yaml", "name: a\ndescription: x\nsystemPrompt: You are a.\n«tools: [Read]»\nmodel: haiku\n"),
	data("a.yaml", "agentType: a\nwhenToUse: x\n«disallowedTools:\n  - shell\n  - write_file»\npromptConfig: { systemPrompt: y }\n"),
	data("a.yaml", "agentType: a\nwhenToUse: x\n«runConfig: { maxTimeSeconds: 60, maxTurns: 5 }»\npromptConfig: { systemPrompt: y }\n"),
	data(".codex/agents/a.toml", "name = \"a\"\ndescription = \"x\"\n«sandbox_mode = \"read-only\"»\ndeveloper_instructions = \"\"\"\nYou are a.\n\"\"\"\n"),
	data("a.toml", "agent_type = \"a\"\nwhen_to_use = \"x\"\n«tools = [\"Read\", \"Glob\"]»\nmodel = \"haiku\"\n"),
	data("a.toml", "[[agents]]\nagent_type = \"a\"\nwhen_to_use = \"x\"\ntools = [\"*\"]\n«disallowed_tools = [\"Bash\", \"Edit\"]»\nmodel = \"haiku\"\n"),
	data("a.json", "{\n  \"name\": \"a\",\n  \"description\": \"x\",\n  \"prompt\": \"You are a.\",\n  «\"tools\": [\"Read\", \"Grep\"],»\n  \"model\": \"sonnet\"\n}\n"),
	data("a.json", "{ \"a\": { \"description\": \"x\", \"prompt\": \"y\", «\"disallowedTools\": [\"Bash\"],» \"model\": \"haiku\" } }\n"),
	data("a.json", "{ \"name\": \"a\", \"description\": \"x\", \"prompt\": \"y\", «\"permissionMode\": \"plan\", \"maxTurns\": 4,» \"model\": \"haiku\" }\n")
];
function markdown(marked, path = "a.md") {
	return {
		...unmark(`---
${marked}\n---\nYou are a probe.\n`, path),
		block: {
			from: 4,
			to: 4 + marked.length - 2
		}
	};
}
function data(path, marked) {
	const file = unmark(marked, path);
	return {
		...file,
		block: {
			from: 0,
			to: file.text.length
		}
	};
}
function unmark(marked, path) {
	const from = marked.indexOf("«");
	const to = marked.indexOf("»") - 1;
	const text = marked.replace(/[«»]/g, "");
	return {
		path,
		text,
		bare: text.slice(0, from) + text.slice(to).replace(/^\n/, ""),
		limit: {
			from,
			to
		}
	};
}
// test/fuzz/wider.ts
/** Whether one reading of a file gives an agent more than another. */
/**
* What `after` has that `before` had not, in words. `bare` is the file without the limit: a value that is back to what
* it is there was lost. A changed number or path is no loss: nobody can tell it from another intention.
*/
function widening(after, before, bare) {
	if (after.tools === "all" && before.tools !== "all") return "every tool";
	const tool = DANGEROUS.find((name) => reach(after, name) > reach(before, name));
	if (tool !== void 0) return `the tool ${tool}`;
	if (spawning(after) > spawning(before)) return "delegation";
	if (MODES.indexOf(after.permissionMode ?? "default") > MODES.indexOf(before.permissionMode ?? "default")) return "the mode";
	const rule = ruleKeys(before, ["deny", "ask"]).find((key) => !ruleKeys(after, ["deny", "ask"]).includes(key) && isReached(after, key));
	if (rule !== void 0) return `without the rule ${rule}`;
	const allowed = ruleKeys(after, ["allow"]).find((key) => !ruleKeys(before, ["allow"]).includes(key));
	if (allowed !== void 0) return `the rule ${allowed}`;
	if (guards(after) < guards(before)) return "without its guard";
	const lost = LIMITS.find(([, limit]) => {
		const [had, has, none] = [
			before,
			after,
			bare
		].map((agent) => JSON.stringify(limit(agent)));
		return has !== had && has === none;
	});
	return lost === void 0 ? void 0 : `without ${lost[0]}`;
}
/** One letter may turn a tool into another harmless one (`LS`): not into these. */
const DANGEROUS = [
	"Bash",
	"Write",
	"Edit",
	"MultiEdit",
	"NotebookEdit",
	"WebFetch",
	"WebSearch",
	"Task",
	"mcp__a__b"
].filter((name) => name.startsWith("mcp__") || TOOL_NAMES.includes(name));
const MODES = [
	"plan",
	"dontAsk",
	"default",
	"acceptEdits",
	"bypassPermissions"
];
const LIMITS = [
	["maxTurns", (agent) => agent.limits?.maxTurns],
	["timeout", (agent) => agent.limits?.timeoutMs],
	["budget", (agent) => agent.budget],
	["isolation", (agent) => agent.isolation],
	["baseDir", (agent) => agent.baseDir],
	["extends", (agent) => agent.extends],
	["disabled", (agent) => agent.isDisabled],
	["approvalMode", (agent) => agent.approvalMode]
];
/** 0: not at all, 1: by patterns, 2: whole. */
function reach(agent, name) {
	const hits = (grant) => grant.name === name || grant.name.endsWith("*") && name.startsWith(grant.name.slice(0, -1));
	if (agent.disallowedTools?.some((grant) => grant.pattern === void 0 && hits(grant))) return 0;
	if (agent.permissions?.deny.some((rule) => rule.pattern === void 0 && rule.tool === name)) return 0;
	if (agent.tools === "all") return 2;
	const own = agent.tools.filter(hits);
	return own.length === 0 ? 0 : own.some((grant) => grant.pattern === void 0) ? 2 : 1;
}
function spawning(agent) {
	return agent.canSpawn === true ? 2 : Array.isArray(agent.canSpawn) && agent.canSpawn.length > 0 ? 1 : 0;
}
function ruleKeys(agent, lists) {
	return lists.flatMap((list) => agent.permissions?.[list].map((rule) => `${list} ${rule.tool}`) ?? []);
}
function isReached(agent, key) {
	return reach(agent, key.split(" ")[1]) > 0;
}
function guards(agent) {
	return agent.hooks?.PreToolUse?.length ?? 0;
}
// ../../../tmp/ag/sweep.ts
const CH = [..."abxTRW01 :,-()[]{}\"'*&!|>=.;?~%@`\n	\xA0﻿é/_"];
let s = Number(process.argv[4] ?? 1);
const rnd = (n) => {
	s = Math.imul(s, 1103515245) + 12345 & 2147483647;
	return Math.floor(s / 2147483647 * n) % n;
};
const read = (path, content) => readAgentFile({
	path,
	content,
	source: {
		scope: "user",
		isTrusted: true
	}
}, parsers);
const agentOf = (r) => {
	const a = r.agents[0]?.agent;
	return a && a.quarantine === void 0 ? a : void 0;
};
function edit(t, at) {
	const k = rnd(4), c = CH[rnd(CH.length)];
	if (k === 0) return t.slice(0, at) + t.slice(at + 1);
	if (k === 1) return t.slice(0, at) + c + t.slice(at);
	if (k === 2) return t.slice(0, at) + c + t.slice(at + 1);
	return t.slice(0, at) + t.slice(at + 1, at + 2) + t.slice(at, at + 1) + t.slice(at + 2);
}
const runs = Number(process.argv[2]);
const damages = Number(process.argv[3]);
const seen = /* @__PURE__ */ new Map();
let count = 0;
let loaded = 0;
let total = 0;
for (const f of SOUND_FILES) {
	const before = agentOf(read(f.path, f.text)), bare = agentOf(read(f.path, f.bare));
	if (!before) {
		console.log("SOUND FILE NOT LOADED", f.text, JSON.stringify(read(f.path, f.text).diagnostics));
		continue;
	}
	if (!bare || !widening(bare, before, bare)) {
		console.log("BARE not wider", f.text, "----", f.bare);
		continue;
	}
	for (let i = 0; i < runs; i++) {
		let t = f.text, grow = 0;
		for (let d = 0; d < damages; d++) {
			const r = d === 0 || rnd(2) ? f.limit : f.block;
			const from = Math.max(f.block.from, r.from - 1);
			const at = from + rnd(r.to + grow - from + 1);
			const n = edit(t, at);
			grow += n.length - t.length;
			t = n;
		}
		const fences = (x) => x.split(/^\s*(?:-{3}|\.\.\.|\+\+\+)/m).length;
		if (t === f.text || fences(t) !== fences(f.text)) continue;
		total++;
		let r;
		const t0 = performance.now();
		try {
			r = read(f.path, t);
		} catch (e) {
			console.log("THROW", JSON.stringify(t), e);
			continue;
		}
		if (performance.now() - t0 > 100) console.log("SLOW", performance.now() - t0, JSON.stringify(t));
		const a = agentOf(r);
		if (!a) continue;
		loaded++;
		if (/tools"?\s*[:=].*\*(?!\))/.test(t) && a.tools === "all") continue;
		const w = widening(a, before, bare);
		if (w) {
			count++;
			const k = SOUND_FILES.indexOf(f) + " " + w;
			if (!seen.has(k)) seen.set(k, []);
			seen.get(k).push(t);
		}
	}
}
console.log(`damages ${damages}: ${total} runs, ${loaded} loaded, ${count} wider (${(100 * count / total).toFixed(3)} %)`);
const show = Number(process.argv[5] ?? 3);
for (const [k, v] of [...seen].sort((a, b) => b[1].length - a[1].length)) {
	console.log(`\n== ${k}: ${v.length}`);
	for (const x of v.slice(0, show)) console.log("   " + JSON.stringify(x));
}
export {};
