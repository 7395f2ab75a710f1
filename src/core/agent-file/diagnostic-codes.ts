/** Every diagnostic an agent file can get: one table for the loader, `agents lint` and the docs. */
import type { Diagnostic } from '../ports.js'

export interface DiagnosticCode {
  readonly severity: Diagnostic['severity']
  readonly means: string
  readonly hint: string
}

/** An `error` quarantines the agent or says that the file is none; a `warning` loads it; `info` changes nothing. */
export const diagnosticCodes = {
  // The file itself
  'unreadable-file': error('The file or folder cannot be read.', 'check its permissions and owner'),
  'file-too-large': error('The file is larger than an agent file may be.', 'move long reference text into a skill'),
  'special-file': warning('A FIFO, socket or device; it is never opened.', 'remove it from the agents folder'),
  'symlink-refused': warning('A link that loops, dangles or leaves the folder.', 'copy the file into the folder'),
  'folder-too-large': warning('The folder is deeper or fuller than is read.', 'split it, or lint the part you need'),
  'unsafe-owner': error('Others can write to a trusted folder or file.', 'chmod go-w, and own it yourself'),
  'file-zeroed': error(
    'Zero bytes stand in an agent file, as a crash leaves them; what stood there may have been a limit.',
    'write the file again, or restore it',
  ),
  'binary-file': info('The bytes are no text.', 'agent files are UTF-8 text'),
  'other-extension': info('Not an extension agents are read from.', 'use .md, .yaml, .yml, .toml or .json'),
  'encoding-utf16': warning('The file is UTF-16.', 'save it as UTF-8'),
  'encoding-invalid': warning('Some bytes are not valid UTF-8 and were replaced.', 'save it as UTF-8'),
  'encoding-torn': error(
    'A UTF-16 file with an odd number of bytes: one is lost, and what stands behind it cannot be read.',
    'restore it, and save it as UTF-8',
  ),
  // Front matter
  'no-front-matter': info('No front matter, so no agent.', 'start the file with --- and a name: line'),
  'empty-front-matter': info('The front matter names nothing.', 'add name: and description:'),
  'not-an-agent': info('Front matter without anything an agent needs.', 'add name: and description: if it is one'),
  'front-matter-in-code-block': warning(
    'The front matter stands in a code block.',
    'remove the line with the backticks',
  ),
  'front-matter-language': error('Front matter in a language that is not read, and never run.', 'write plain YAML'),
  'front-matter-unclosed': warning('No closing ---; keys up to the first empty line were read.', 'add a line with ---'),
  'front-matter-torn': error('The file ends inside its front matter; limits may be missing.', 'add the rest, or a ---'),
  'front-matter-unopened': warning(
    'The file begins with the keys of an agent, or is one by its name, and has no front matter.',
    'put a line of --- above and below them',
  ),
  'merge-conflict': error('Both sides of a merge stand in the front matter.', 'resolve the conflict'),
  'front-matter-misplaced': warning('Something stands before the first ---.', 'make --- the first line of the file'),
  'front-matter-too-large': error('More front matter than is read.', 'move the text into the body'),
  'syntax-repaired': warning(
    'Not valid YAML; this entry was read line by line.',
    'quote the value; lint --fix does it where it is certain',
  ),
  'line-unended': info(
    'The last line of a YAML or TOML file has no end; if the file was cut off there, limits may be missing.',
    'end the last line',
  ),
  'syntax-error': error('The text cannot be parsed.', 'correct the syntax at this line'),
  'alias-expansion': error('YAML aliases that expand beyond all bounds.', 'write the values out'),
  'stray-line': warning(
    'A line that belongs to no key was left out.',
    'indent it under its key, or move it to the body',
  ),
  // Keys
  'key-unknown': info('A key nobody knows; kept as it is.', 'remove it if nothing reads it'),
  'key-misspelled': warning('A key nobody knows, close to one that exists.', 'correct the spelling'),
  'key-spelling': warning('The key was read under another spelling.', 'write it as the docs do'),
  'key-duplicate': warning('The key appears twice; the last one counts.', 'remove one'),
  'key-forbidden': warning('A key that could harm the program; left out.', 'remove it'),
  'key-ignored': warning('This key is never taken from a file.', 'remove it'),
  'security-key-damaged': error(
    'A key that limits the agent seems to be damaged.',
    'correct it; until then it will not run',
  ),
  'security-value-unclear': error('A value that limits the agent cannot be read for certain.', 'correct the value'),
  'limit-nested': warning(
    'A limit inside another table limits nothing there.',
    'move it to the left edge if it is meant for this agent',
  ),
  'limit-commented': info(
    'A limit, or a line of one, is a comment and limits nothing.',
    'take the # away if it is meant, or else the line',
  ),
  // Name and description
  'name-missing': warning('No name; the file name is used.', 'add name:'),
  'name-converted': warning('The name was no text and has been turned into text.', 'put the name in quotes'),
  'name-invalid': error('A name that cannot be used.', 'use letters, digits, spaces, - and _'),
  'name-colon': error('Only plugin agents have ":" in their names.', 'use - instead'),
  'description-missing': warning('No description; the agent is not offered for delegation.', 'say when to use it'),
  'description-converted': warning('The description was no text and has been turned into text.', 'write it as text'),
  'description-cut': info('Models are shown the beginning of the description only.', 'say it in a few sentences'),
  'description-placeholder': warning(
    'The description is still the one that `agents new` wrote.',
    'say when a task should go to it',
  ),
  'value-comment': warning('" #" starts a comment: the rest of the line is not read.', 'put the value in quotes'),
  'prompt-missing': warning(
    'No system prompt; a one-line default is used.',
    'write the prompt below the front matter, or under systemPrompt',
  ),
  'prompt-file': warning('The prompt only names a file, which is not read.', 'write the prompt itself into the file'),
  'files-unread': warning(
    'Files that another product puts before the agent are not read.',
    'name them in the prompt, and it can read them itself',
  ),
  'output-unchecked': error(
    'It ends by text, which is checked by no schema, and has an output schema.',
    'leave completion: or the schema out',
  ),
  'output-invalid': error(
    'No report could be checked by its output schema.',
    'write a JSON Schema, or leave the schema out',
  ),
  // Powers
  'tools-word': warning('A word that stands for every tool the caller has.', 'leave tools: out to say the same'),
  'tools-only': info(
    'A map with tools on and off: those that are on are all, though opencode leaves on what it does not name.',
    'switch on what else it needs, or leave out what is on',
  ),
  'tools-none': info('The agent has no tools at all.', 'leave tools: out to inherit the caller’s'),
  'tools-inherited': info(
    'No list of tools, which means none in its product; here the agent has its caller’s.',
    'name its tools under tools:',
  ),
  'tools-key': warning('This key was read as tools:.', 'rename it to tools:'),
  'tools-unknown': warning(
    'Tools nobody here knows; they are kept, and ignored unless a host brings them.',
    'correct them',
  ),
  'tools-elsewhere': warning(
    'Tools of other products that are not to be had here.',
    'nothing, or remove them if no other product reads the file',
  ),
  'tools-absent': info('Tools of Claude Code that are not to be had here.', 'nothing; the agent does without'),
  'tools-all-unknown': error('None of the tools exist, so the agent could do nothing.', 'name tools that exist'),
  'mode-ignored': warning(
    'A mode, or leave given in advance, that is not taken from the file.',
    'a child is never looser than its caller',
  ),
  'permission-narrowed': warning(
    'The permissions were read more strictly than written.',
    'see the docs on permissions',
  ),
  'hooks-dropped': warning(
    'Hooks that cannot be read were left out.',
    'write EVENT: [{matcher, hooks: [{type: command, command}]}]',
  ),
  'hooks-guard-unreadable': error(
    'A guard (PreToolUse) cannot be read.',
    'correct it; without its guard the agent does not run',
  ),
  unsupported: error('The agent asks for something that is not to be had here.', 'remove the key to run it without'),
  'limit-unknown': warning(
    'A key that seems to be meant as a limit, and is none.',
    'use a key that is one, such as maxTurns, timeout or budget',
  ),
  // Other values
  'value-invalid': warning('The value does not fit the key and was left out.', 'correct the value, or remove the key'),
  'value-converted': warning('The value was read in another form than written.', 'write it as the docs do'),
  'no-counterpart': info(
    'What is usual in another product, and has no counterpart here; nothing is lost by it.',
    'nothing: it may stay',
  ),
  'model-unknown': warning(
    'A model without its provider; where nobody knows the name, the caller’s model is used.',
    'use an alias or provider/model',
  ),
  // Between files
  'alias-taken': warning('An alias that finds another agent, whose name or alias it is.', 'choose another alias'),
  'duplicate-name': warning(
    'Two files define the same agent, or two that differ by their spelling alone.',
    'rename one of the two',
  ),
  shadowed: info('Another definition of this name is the one used.', 'remove the other one to use this'),
  'delegate-misspelled': warning(
    'It may call an agent that is not found, whose name is close to one that is.',
    'correct the name',
  ),
  'delegate-unknown': info('It may call an agent that is not found from here.', 'nothing, where it is elsewhere'),
  'extends-unknown': error('The agent it extends does not exist or cannot be used.', 'correct the name'),
  'extends-depth': error('The agent it extends extends another one.', 'extend that other one itself'),
  'extends-output': error(
    'What it has and what the agent it extends has give no report that could be checked.',
    'leave completion: or the schema out of one of the two',
  ),
  'extends-widened': warning('It asks for more than the agent it extends; that part was left out.', 'remove it'),
  untrusted: info('The folder is not trusted, so its agents are not offered.', 'look at it, then: offshoot trust'),
} as const satisfies Record<string, DiagnosticCode>

export type Code = keyof typeof diagnosticCodes

function error(means: string, hint: string): DiagnosticCode {
  return { severity: 'error', means, hint }
}
function warning(means: string, hint: string): DiagnosticCode {
  return { severity: 'warning', means, hint }
}
function info(means: string, hint: string): DiagnosticCode {
  return { severity: 'info', means, hint }
}

export interface Place {
  readonly file?: string
  readonly line?: number
  readonly column?: number
}

export function diagnose(code: Code, message: string, place: Place = {}, hint?: string): Diagnostic {
  const known: DiagnosticCode = diagnosticCodes[code]
  return { code, severity: known.severity, message, hint: hint ?? known.hint, ...place }
}
