import type { Tool, ToolContext } from '../../core/ports.js'
import { defineTool } from './define-tool.js'
import { plural } from './plain-text.js'

/** One line of the checklist. */
export interface TodoItem {
  readonly content: string
  readonly status: 'pending' | 'in_progress' | 'completed'
  readonly activeForm?: string
}
/** Shows the list of the main conversation. Must not throw. */
export type ShowTodos = (todos: readonly TodoItem[], context: ToolContext) => void

/** Touches nothing but the screen. */
export function createTodoWriteTool(show: ShowTodos): Tool {
  return defineTool<{ readonly todos: readonly TodoItem[] }>({
    spec: {
      name: 'TodoWrite',
      displayName: 'Checklist',
      description: 'Replaces the checklist the user sees. For work of three steps or more; one item in_progress.',
      effect: 'read',
      isParallel: false,
      isMainOnly: true,
      inputSchema: {
        type: 'object',
        properties: {
          todos: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                content: { type: 'string' },
                status: { type: 'string', enum: ['pending', 'in_progress', 'completed'] },
                activeForm: { type: 'string' },
              },
              required: ['content', 'status'],
            },
          },
        },
        required: ['todos'],
      },
    },
    context: ({ todos }) => todos.find(item => item.status === 'in_progress')?.content ?? plural(todos.length, 'item'),
    async run({ todos }, context) {
      show(todos, context)
      const done = todos.filter(item => item.status === 'completed').length
      return {
        content: `The list was updated: ${done} of ${todos.length} done.`,
        summary: `${done} of ${todos.length} done`,
      }
    },
  })
}
