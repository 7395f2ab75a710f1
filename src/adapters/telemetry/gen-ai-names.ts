/**
 * Names of the GenAI conventions, kept here because they left the semantic-conventions package and still move. What
 * the conventions have no word for stands under `offshoot.`.
 */
export const span = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  conversation: 'gen_ai.conversation.id',
  agentName: 'gen_ai.agent.name',
  agentId: 'gen_ai.agent.id',
  agentDescription: 'gen_ai.agent.description',
  requestModel: 'gen_ai.request.model',
  responseModel: 'gen_ai.response.model',
  finishReasons: 'gen_ai.response.finish_reasons',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cacheReadTokens: 'gen_ai.usage.cache_read.input_tokens',
  cacheWriteTokens: 'gen_ai.usage.cache_creation.input_tokens',
  toolName: 'gen_ai.tool.name',
  toolType: 'gen_ai.tool.type',
  toolCallId: 'gen_ai.tool.call.id',
  toolArguments: 'gen_ai.tool.call.arguments',
  toolResult: 'gen_ai.tool.call.result',
  inputMessages: 'gen_ai.input.messages',
  outputMessages: 'gen_ai.output.messages',
  errorType: 'error.type',
} as const

/** Providers the conventions call otherwise. */
export const providerNames: Readonly<Record<string, string>> = {
  google: 'gcp.gemini',
  gemini: 'gcp.gemini',
  vertex: 'gcp.vertex_ai',
  bedrock: 'aws.bedrock',
  'amazon-bedrock': 'aws.bedrock',
  azure: 'azure.ai.openai',
  mistral: 'mistral_ai',
  xai: 'x_ai',
}

export const operation = { invokeAgent: 'invoke_agent', chat: 'chat', executeTool: 'execute_tool' } as const

export const metric = {
  tokenUsage: 'gen_ai.client.token.usage',
  chatDuration: 'gen_ai.client.operation.duration',
  firstChunk: 'gen_ai.client.operation.time_to_first_chunk',
  agentDuration: 'gen_ai.invoke_agent.duration',
  agentInferenceCalls: 'gen_ai.invoke_agent.inference_calls',
  agentToolCalls: 'gen_ai.invoke_agent.tool_calls',
  toolDuration: 'gen_ai.execute_tool.duration',
  /** The conventions count durations; how often each agent ended how is ours. */
  invocations: 'offshoot.agent.invocations',
} as const
export const tokenType = 'gen_ai.token.type'

/** Our own facts. */
export const own = {
  depth: 'offshoot.depth',
  path: 'offshoot.agent.path',
  outcome: 'offshoot.outcome',
  recoveredFrom: 'offshoot.recovered_from',
  turns: 'offshoot.turns',
  toolCalls: 'offshoot.tool_calls',
  attempt: 'offshoot.attempt',
  isBackground: 'offshoot.background',
  isRecovered: 'offshoot.recovered',
  purpose: 'offshoot.turn.purpose',
  status: 'offshoot.call.status',
  rule: 'offshoot.rule',
  cost: 'offshoot.cost.usd',
  isEstimated: 'offshoot.cost.estimated',
} as const

/** OpenInference, for backends that read that instead. */
export const openInference = {
  kind: 'openinference.span.kind',
  model: 'llm.model_name',
  promptTokens: 'llm.token_count.prompt',
  completionTokens: 'llm.token_count.completion',
  totalTokens: 'llm.token_count.total',
  toolName: 'tool.name',
  agentName: 'agent.name',
  session: 'session.id',
  input: 'input.value',
  output: 'output.value',
} as const

const seconds = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]
export const buckets = {
  tokens: [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864],
  seconds,
  longSeconds: [...seconds, 163.84, 327.68, 655.36, 1310.72, 2621.44],
  counts: [0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144],
} as const
