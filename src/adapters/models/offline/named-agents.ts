/** Agents that a person names with `@`: the session puts a request for each below the prompt (`agentNamed` of the notices). */

/** Whom it is to be handed to, and the prompt without what says so. */
export function readNamedAgents(task: string): { readonly names: readonly string[]; readonly text: string } {
  const names = [...task.matchAll(request)].map(([, name]) => name!)
  const isNamed = (word: string) => names.some(name => name.toLowerCase() === word.toLowerCase())
  const text = task
    .replace(request, '')
    .replace(mention, (whole, quoted?: string, plain?: string) => (isNamed(quoted ?? plain ?? '') ? '' : whole))
    .trim()
  return { names, text }
}

const request = /\n*\(The user names the agent [^\n]+: hand this to it with Task, subagent_type "([^"\n]+)"\.\)/g
const mention = /@(?:"([^"\n]+)"|([\w-]+))/g
