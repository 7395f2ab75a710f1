/** Agents that a person names with `@`: the session puts a request for each below the prompt (`agentNamed` of the notices). */

import { withoutFooter } from './report.js'
import type { Answer, Script } from './script.js'

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

/** Each gets what was asked, and its report is the answer. */
export function* handToNamed(names: readonly string[], text: string): Script {
  const answers = yield names.map(name => ({
    name: 'Task',
    input: { subagent_type: name, description: 'Do what was asked', prompt: text },
  }))
  const reports = answers.map(reportOf)
  return names.length === 1 ? reports[0]! : names.map((name, at) => `${name}:\n${reports[at]}`).join('\n\n')
}

const reportOf = ({ text, isMissing }: Answer): string =>
  isMissing ? `No report came back: ${text.split('\n', 1)[0]}` : withoutFooter(text)
