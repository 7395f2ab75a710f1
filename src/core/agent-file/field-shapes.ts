/**
 * What the values of an agent file look like where they are written as the docs write them: no more than the loader takes,
 * and no less. A test holds the two against each other (test/agents/schema.test.ts).
 */

export const textSchema = { type: 'string' } as const
export const whole = { type: 'integer', minimum: 1 } as const
export const flag = { type: 'boolean' } as const
export const names = { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] } as const
export const positive = { type: 'number', exclusiveMinimum: 0 } as const
/** `90s`, `10 minutes`; a time of nothing is none. */
const durationText = '\\d+(\\.\\d+)?\\s*(ms|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?)?$'
export const someTime = { anyOf: [positive, { type: 'string', pattern: `^(?=.*[1-9])${durationText}` }] }
export const anyTime = {
  anyOf: [{ type: 'number', minimum: 0 }, { type: 'string', pattern: `^${durationText}` }, { const: false }],
}
const budgetText =
  '^\\s*(?=.*[1-9])(\\$\\s*\\d+(\\.\\d+)?|\\d+(\\.\\d+)?\\s*([uU][sS][dD]|[dD]ollars?|[kKmM]?\\s*[tT]okens?))\\s*$'
const rules = { type: 'array', items: textSchema } as const
const action = { enum: ['allow', 'ask', 'deny'] } as const
export const someText = { type: 'string', pattern: '\\S' } as const
export const agentName = {
  type: 'string',
  maxLength: 128,
  pattern: '^(?!\\.{1,2}$|__proto__$)[^/\\\\<>`{}$:\\u0000-\\u001f\\u007f]*$',
}
const hook = {
  type: 'object',
  properties: { type: { const: 'command' }, command: someText },
  required: ['type', 'command'],
} as const
/** A group without a command guards nothing. */
export const guards = {
  type: 'array',
  items: {
    type: 'object',
    properties: { matcher: textSchema, command: someText, hooks: { type: 'array', minItems: 1, items: hook } },
    anyOf: [{ required: ['hooks'] }, { required: ['command'] }],
  },
} as const
const toolCallsDemanded = { type: 'integer', minimum: 0 } as const
export const colors = ['red', 'blue', 'green', 'yellow', 'purple', 'orange', 'pink', 'cyan'] as const
export const modes = ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'] as const
export const efforts = ['low', 'medium', 'high', 'xhigh', 'max'] as const
export const inputTypes = ['string', 'number', 'integer', 'boolean', 'string[]', 'number[]'] as const
const input = {
  type: 'object',
  properties: {
    type: { enum: inputTypes },
    required: flag,
    description: textSchema,
    default: {},
    enum: { type: 'array' },
  },
} as const

/** Below the caller’s. */
export const folderShape = {
  type: 'string',
  pattern: '^(?!\\s*([/\\\\~]|[A-Za-z]:))(?!(.*[/\\\\])?\\s*\\.\\.\\s*([/\\\\]|$))[^\\u0000-\\u001f]*\\S',
}
export const budgetShape = {
  anyOf: [
    { type: 'string', maxLength: 40, pattern: budgetText },
    {
      type: 'object',
      properties: { tokens: positive, usd: positive, toolCalls: positive },
      additionalProperties: false,
      minProperties: 1,
    },
  ],
}
/** Lists of rules, or an action for each tool as opencode has it; never both. */
export const permissionLists = {
  type: 'object',
  anyOf: [
    {
      properties: {
        allow: rules,
        ask: rules,
        deny: rules,
        defaultMode: { enum: modes },
        additionalDirectories: {},
      },
      additionalProperties: false,
    },
    { additionalProperties: { anyOf: [action, flag, { type: 'object', additionalProperties: action }] } },
  ],
}
export const evidenceShape = {
  anyOf: [
    flag,
    { type: 'null' },
    {
      type: 'object',
      properties: {
        toolCalls: toolCallsDemanded,
        tool_calls: toolCallsDemanded,
        commands: { anyOf: [someText, { type: 'array', items: someText, minItems: 1 }] },
        citedFiles: flag,
        cited_files: flag,
      },
      additionalProperties: false,
    },
  ],
}
/** By name, in a list, or as a JSON Schema. */
export const inputsShape = {
  anyOf: [
    { type: 'object', additionalProperties: { anyOf: [{ enum: inputTypes }, { type: 'null' }, input] } },
    { type: 'array', items: { ...input, required: ['name'] } },
    { type: 'object', properties: { type: { const: 'object' } }, required: ['type', 'properties'] },
  ],
}
