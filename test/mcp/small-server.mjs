// A server with the tools named on its command line. Each says that it only reads, and answers with its name and GIVEN.
import { createInterface } from 'node:readline'

const names = process.argv.slice(2)
const send = message => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'small', version: '1' },
  }),
  'tools/list': () => ({
    tools: names.map(name => ({
      name,
      description: name,
      inputSchema: { type: 'object' },
      annotations: { readOnlyHint: true },
    })),
  }),
  'tools/call': ({ name }) => ({
    // Apart, so that no look at keys in answers hides it.
    content: [{ type: 'text', text: `ran ${name} with ${[...(process.env.GIVEN ?? 'nothing')].join('.')}` }],
  }),
}
createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params } = JSON.parse(line)
  if (id !== undefined) send({ id, result: answers[method]?.(params) ?? {} })
})
