import type { Tool, ToolContext } from '../../core/ports.js'
import { defineTool } from './define-tool.js'
import { plural } from './plain-text.js'

export interface Todo {
  readonly content: string
  readonly status: 'pending' | 'in_progress' | 'completed'
  readonly activeForm?: string
}
/** Shows the list of the main conversation. Must not throw. */
export type ShowTodos = (todos: readonly Todo[], context: ToolContext) => void

/** Touches nothing but the screen. */
export function createTodoWriteTool(show: ShowTodos): Tool {
  return defineTool<{ readonly todos: readonly Todo[] }>({
    spec: {
      name: 'TodoWrite',
      displayName: 'Todos',
      description:
        'Replaces the todo list the user sees. Use it for work of three steps or more; one item in_progress.',
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
    context: ({ todos }) => todos.find(todo => todo.status === 'in_progress')?.content ?? plural(todos.length, 'todo'),
    async run({ todos }, context) {
      show(todos, context)
      const done = todos.filter(todo => todo.status === 'completed').length
      return {
        content: `The list was updated: ${done} of ${todos.length} done.`,
        summary: `${done} of ${todos.length} done`,
      }
    },
  })
}
