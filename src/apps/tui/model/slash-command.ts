/** The commands a person can type in a conversation. */
export interface SlashCommand {
  readonly name: string
  readonly about: string
  readonly arguments?: string
}

export const slashCommands: readonly SlashCommand[] = [
  { name: 'help', about: 'keys and commands' },
  { name: 'agents', about: 'agents a task can go to' },
  { name: 'runs', about: 'runs of this conversation, and of others' },
  { name: 'model', about: 'show or change the model', arguments: '[model]' },
  { name: 'cost', about: 'tokens and money so far, by agent' },
  { name: 'permissions', about: 'mode and rules that count here' },
  { name: 'mode', about: 'show or switch the permission mode', arguments: '[mode]' },
  { name: 'plan', about: 'plan mode: on, or "off"', arguments: '[off]' },
  { name: 'compact', about: 'summarise the conversation to make room', arguments: '[what to keep]' },
  { name: 'resume', about: 'go on with another conversation', arguments: '[run]' },
  { name: 'clear', about: 'begin a new conversation' },
  { name: 'quit', about: 'leave; what runs can be resumed' },
]

/** They only tell something, or leave: nothing that is open stands in their way. */
export const tellingCommands: ReadonlySet<string> = new Set([
  ...['help', 'agents', 'runs', 'cost', 'permissions', 'quit', 'exit'],
])

export interface TypedCommand {
  readonly name: string
  readonly rest: string
}

/** `/name rest`; undefined for anything else, also for a path such as `/etc/hosts`. */
export function readSlashCommand(text: string): TypedCommand | undefined {
  const match = /^\/([A-Za-z][\w:.-]*)(?:\s+([\s\S]*))?$/.exec(text.trim())
  return match ? { name: match[1]!, rest: (match[2] ?? '').trim() } : undefined
}

/** Whether it has places for arguments. */
export const hasPlaces = (body: string): boolean => /\$(ARGUMENTS|\d)/.test(body)

/** A command of the user's own: `$ARGUMENTS`, `$1`… are filled in; without a place, arguments follow at the end. */
export function fillCommand(body: string, rest: string): string {
  const words = rest.split(/\s+/).filter(Boolean)
  if (!hasPlaces(body)) return rest ? `${body.trimEnd()}\n\n${rest}` : body
  return body
    .replace(/\$ARGUMENTS/g, () => rest)
    .replace(/\$(\d)/g, (_, digit: string) => words[Number(digit) - 1] ?? '')
}
