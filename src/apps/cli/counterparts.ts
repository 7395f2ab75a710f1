/** What other programs have and we call otherwise, where no letters in common would lead to it. */

const ofWords: ReadonlyMap<string, string> = new Map([
  ['--dangerously-skip-permissions', '--permission-mode bypassPermissions'],
  ['--system-prompt', '--append-system-prompt, or --agents with a prompt of its own and --agent'],
  ['--include-partial-messages', 'nothing: stream-json always has them'],
  ['agents add', '"offshoot agents new NAME"'],
  ['agents create', '"offshoot agents new NAME"'],
  ['agents remove', 'its file, which "offshoot agents show NAME" names: remove that'],
  ['agents delete', 'its file, which "offshoot agents show NAME" names: remove that'],
  ['mcp add', 'a server in .mcp.json, or under mcpServers in your settings'],
  ['mcp remove', 'a server in .mcp.json, or under mcpServers in your settings'],
  ['runs delete', '"offshoot runs prune"'],
  ['runs remove', '"offshoot runs prune"'],
])

/** An error of the parser of options, with what the option or the command is called here. */
export function withCounterpart(text: string, [command = '']: readonly string[]): string {
  const [, kind, word = ''] = /^offshoot: unknown (option|command) '([^']+)'/.exec(text) ?? []
  const meant = ofWords.get(kind === 'command' ? `${command} ${word}` : word)
  return meant === undefined || text.includes('Did you mean') ? text : `${text.trimEnd()}\n(here it is ${meant})\n`
}

const keys =
  'Keys come from the environment (ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY …): "offshoot models list" says which there are.'
const nothingToSetUp =
  'Nothing has to be set up: "offshoot agents new NAME" begins an agent file, "offshoot doctor" says what is missing.'
const updating = 'The program does not update itself: install its package again, the way it came here.'
const conversations = '"offshoot runs list" shows the conversations, and "offshoot -r RUN" goes on with one.'
const logs = '"offshoot runs show RUN" shows what a run did, and "offshoot runs tail RUN" follows it.'

const ofCommands: ReadonlyMap<string, string> = new Map([
  ['login', keys],
  ['logout', keys],
  ['auth', keys],
  ['init', nothingToSetUp],
  ['setup', nothingToSetUp],
  ['update', updating],
  ['upgrade', updating],
  [
    'status',
    '"offshoot runs list --unfinished" shows what has not ended, and "offshoot doctor" how things stand here.',
  ],
  ['sessions', conversations],
  ['session', conversations],
  ['history', conversations],
  ['logs', logs],
  ['log', logs],
])

/** What to do here instead of a command that we do not have. */
export const counterpartOf = (command: string): string | undefined => ofCommands.get(command)
