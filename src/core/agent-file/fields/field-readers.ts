/** One reader for every field of the table. */

import type { FieldName } from '../field-table.js'
import { readCanSpawn } from './called-agents.js'
import { readDisabledFeatures } from './disabled-features.js'
import type { FieldReader } from './field-reader.js'
import { readBaseDir, readHooks, readIsolation, readKind } from './guard-fields.js'
import {
  readBudget,
  readDisabled,
  readExtends,
  readGrace,
  readMaxTurns,
  readResources,
  readResultBytes,
  readTimeout,
} from './limit-fields.js'
import { readEffort, readModel, readProvider, readTemperature, readThinkingBudget, readTopP } from './model-fields.js'
import {
  readApprovalMode,
  readPermissionMode,
  readPermissions,
  readReadOnly,
  readSandboxMode,
} from './permission-fields.js'
import {
  readCompletion,
  readCriticalReminder,
  readForkContext,
  readInitialMessages,
  readInitialPrompt,
  readInputs,
  readOmitInstructions,
  readOutput,
  readQuery,
  readSystemPrompt,
} from './prompt-fields.js'
import { readMcpServers } from './server-fields.js'
import { readSkills } from './skill-fields.js'
import { readDelegateTools, readDisallowedTools, readTools } from './tool-fields.js'
import {
  readAliases,
  readBackground,
  readColor,
  readDescription,
  readDisplayName,
  readEvidence,
  readExecutionMode,
  readForPeople,
  readHidden,
  readMemory,
  readMode,
  readName,
  readNickname,
  readSource,
} from './word-fields.js'

/** In the order they are read: what a later one looks at (tools, before permissions) comes first. */
export const fieldReaders: Readonly<Record<FieldName, FieldReader>> = {
  name: readName,
  displayName: readDisplayName,
  description: readDescription,
  nickname: readNickname,
  aliases: readAliases,
  extends: readExtends,
  source: readSource,
  canSpawn: readCanSpawn,
  tools: readTools,
  disallowedTools: readDisallowedTools,
  delegateTools: readDelegateTools,
  permissionMode: readPermissionMode,
  permissions: readPermissions,
  approvalMode: readApprovalMode,
  disabledFeatures: readDisabledFeatures,
  sandboxMode: readSandboxMode,
  readOnly: readReadOnly,
  hooks: readHooks,
  mcpServers: readMcpServers,
  isolation: readIsolation,
  baseDir: readBaseDir,
  budget: readBudget,
  maxTurns: readMaxTurns,
  timeout: readTimeout,
  grace: readGrace,
  resultBytes: readResultBytes,
  resources: readResources,
  disabled: readDisabled,
  // Before the model, which is without one otherwise.
  provider: readProvider,
  model: readModel,
  temperature: readTemperature,
  topP: readTopP,
  thinkingBudget: readThinkingBudget,
  effort: readEffort,
  systemPrompt: readSystemPrompt,
  query: readQuery,
  initialMessages: readInitialMessages,
  initialPrompt: readInitialPrompt,
  criticalReminder: readCriticalReminder,
  inputs: readInputs,
  output: readOutput,
  completion: readCompletion,
  forkContext: readForkContext,
  omitInstructions: readOmitInstructions,
  background: readBackground,
  executionMode: readExecutionMode,
  skills: readSkills,
  memory: readMemory,
  evidence: readEvidence,
  color: readColor,
  hidden: readHidden,
  disableModelInvocation: readForPeople,
  mode: readMode,
  kind: readKind,
}
