import type { Tool, ToolContext } from '../../core/ports.js'
import { defineTool, ToolFailure } from './define-tool.js'
import { plural } from './plain-text.js'

/** A question the main agent puts to the person, with options to choose from. */
export interface UserQuestion {
  readonly question: string
  readonly header?: string
  readonly options?: readonly { readonly label: string; readonly description?: string }[]
  readonly multiSelect?: boolean
}
/**
 * One answer a question, in order, an empty one where it was left open; nothing when nobody is there to answer. Rejects
 * on abort.
 */
export type AskUser = (
  questions: readonly UserQuestion[],
  context: ToolContext,
) => Promise<readonly string[] | undefined>

export function createAskUserTool(ask: AskUser): Tool {
  return defineTool<{ readonly questions: readonly UserQuestion[] }>({
    spec: {
      name: 'AskUser',
      displayName: 'Ask',
      description:
        'Asks the user up to four questions, with options to choose from. Only for what you cannot find out.',
      effect: 'interactive',
      isMainOnly: true,
      inputSchema: {
        type: 'object',
        properties: {
          questions: {
            type: 'array',
            minItems: 1,
            maxItems: 4,
            items: {
              type: 'object',
              properties: {
                question: { type: 'string' },
                header: { type: 'string' },
                options: {
                  type: 'array',
                  items: {
                    type: 'object',
                    properties: { label: { type: 'string' }, description: { type: 'string' } },
                    required: ['label'],
                  },
                },
                multiSelect: { type: 'boolean' },
              },
              required: ['question'],
            },
          },
        },
        required: ['questions'],
      },
    },
    context: ({ questions }) => questions[0]?.question ?? '',
    async run({ questions }, context) {
      const answers = await ask(questions, context)
      if (!answers) {
        throw new ToolFailure(
          'Nobody is there to answer. Decide yourself, and say in your report what you assumed.',
          'nobody there',
        )
      }
      const given = questions.map((_, index) => answers[index]?.trim() || undefined)
      const lines = questions.map(({ question }, index) => `${question}\n→ ${given[index] ?? '(no answer)'}`)
      return { content: lines.join('\n'), summary: answeredWords(given) }
    },
  })
}

function answeredWords(given: readonly (string | undefined)[]): string {
  const count = given.filter(answer => answer !== undefined).length
  if (count === 0) return 'no answer'
  return count === given.length ? plural(count, 'answer') : `${count} of ${given.length} answered`
}
