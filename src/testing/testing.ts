/** What `offshoot/testing` offers: fakes that implement the real ports, and the suites every adapter has to pass. */
export { memoryStore } from '../adapters/stores/memory.js'
export { FakeClock } from './fake-clock.js'
export { describeModel, type ModelScenarios, type ModelUnderTest, type StartModel } from './model-conformance.js'
export { describeRunStore, describeSharedRunStore } from './run-store-conformance.js'
export {
  modelOf,
  type Script,
  type ScriptedCall,
  ScriptedModel,
  type ScriptedReply,
  type ScriptStep,
} from './scripted-model.js'
export type { TestRunner } from './test-runner.js'
