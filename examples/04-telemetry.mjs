// A trace of a tree, printed from an in-memory exporter: no collector, no key, no network.
// Needs a further package: npm install @opentelemetry/sdk-trace-base
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { createOffshoot } from 'offshoot'
import { otelTelemetry } from 'offshoot/otel'
import { ScriptedModel } from 'offshoot/testing'

const source = { scope: 'user', isTrusted: true }
const agents = [
  { name: 'reader', description: 'Reads a file.', systemPrompt: 'You read.', tools: 'all', source },
  { name: 'watcher', description: 'Keeps an eye on things.', systemPrompt: 'You watch.', tools: 'all', source },
]
const read = {
  spec: { name: 'Read', description: 'Reads a file.', inputSchema: { type: 'object' }, effect: 'read' },
  run: async ({ path }) => ({ content: `the content of ${path}` }),
}
const task = (subagent_type, description, more = {}) => ({
  name: 'Task',
  input: { subagent_type, description, prompt: description, ...more },
})
const usage = { input: 1200, output: 80 }
const model = new ScriptedModel({
  main: [
    {
      calls: [task('watcher', 'watch the build', { run_in_background: true }), task('reader', 'read the notes')],
      usage,
    },
    { text: 'The notes are read.', usage },
    { text: 'The build is green, too.', usage },
  ],
  reader: [
    { calls: [{ name: 'Read', input: { path: 'notes.md' } }], usage },
    { text: 'The notes say hello.', usage },
  ],
  watcher: [{ text: 'The build is green.', usage }],
})

// A real program registers the SDK once, and `otelTelemetry()` finds it; without one it is undefined and costs nothing.
const exporter = new InMemorySpanExporter()
const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
const telemetry = otelTelemetry({ tracerProvider })

const offshoot = createOffshoot({ model, agents, tools: [read], policy: { defaultModel: 'scripted/model' } })
offshoot.subscribe({}, telemetry.hear)
const run = await offshoot.start({ prompt: 'Read the notes, watch the build.', description: 'two things' })
if ('refused' in run) throw new Error(run.refused)
await run.result
await offshoot.close()
telemetry.close()

const spans = exporter.getFinishedSpans()
const below = id => spans.filter(span => span.parentSpanContext?.spanId === id)
const tokens = ({ attributes }) =>
  attributes['gen_ai.usage.input_tokens'] === undefined
    ? ''
    : ` (${attributes['gen_ai.usage.input_tokens']} → ${attributes['gen_ai.usage.output_tokens']} tokens)`
function print(span, depth) {
  const linked = span.links.length > 0 ? ` ⇠ linked to ${span.links[0].context.spanId}` : ''
  console.log(`${'  '.repeat(depth)}${span.name}${tokens(span)}${linked}`)
  for (const child of below(span.spanContext().spanId)) print(child, depth + 1)
}
const roots = spans.filter(span => !span.parentSpanContext)
for (const root of roots) {
  console.log(`\ntrace ${root.spanContext().traceId}`)
  print(root, 0)
}
if (roots.length !== 2) throw new Error(`that is not how the story goes: ${roots.length} traces`)
