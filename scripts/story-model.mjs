// A model on loopback that answers after a while, in a process of its own: Anthropic's streaming format, or OpenAI's for
// `/chat/completions`, and only as much of a mind as one story needs, which benchmarks measure and the build warms up with.
// Main hands N tasks on in its first turn; each child reads a file three times and reports; main reports. Notes for every
// request when it came and when its answer was done; GET /notes hands the notes over, and GET /shown the prompt and the
// tools that main and a child showed it first.
import http from 'node:http'

const delayMs = Number(process.env.MODEL_DELAY_MS ?? 50)
const readsOfChild = 3
let story = { children: 1, agent: 'general-purpose', file: 'note.txt', inBackground: false }
let notes = []
let shown = {}
/** Prefixes an answer has begun for: from then on they come out of the cache. */
const open = new Set()

const server = http.createServer((request, response) => {
  const chunks = []
  request.on('data', chunk => chunks.push(chunk))
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString('utf8')
    if (request.url === '/notes') return response.end(JSON.stringify(notes))
    if (request.url === '/shown') return response.end(JSON.stringify(shown))
    if (request.url === '/story') {
      story = { ...story, ...JSON.parse(body) }
      notes = []
      shown = {}
      open.clear()
      return response.end()
    }
    const isChat = request.url.endsWith('/chat/completions')
    const given = JSON.parse(body)
    answer(isChat ? withSystem(given) : given, isChat ? chatStream : stream, body.length, response)
  })
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
server.keepAliveTimeout = 120_000

// Whoever started it may be gone.
process.stdin.on('end', () => process.exit()).resume()

function answer(request, write, bytes, response) {
  const came = performance.timeOrigin + performance.now()
  const turn = request.messages.filter(message => message.role === 'assistant').length
  const child = /child-(\d+)-of/.exec(
    request.messages
      .filter(one => one.role === 'user')
      .map(textOf)
      .join(' '),
  )?.[1]
  const prefix = JSON.stringify([request.system, request.tools])
  const isCached = open.has(prefix)
  const note = { who: child ?? 'main', turn, came, isCached, bytes, parts: partsOf(request) }
  notes.push(note)
  shown[child === undefined ? 'main' : 'child'] ??= { system: request.system, tools: request.tools }
  const blocks = child === undefined ? blocksOfMain(turn) : blocksOfChild(turn, child)
  setTimeout(() => {
    open.add(prefix)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(write(blocks, isCached), () => {
      note.done = performance.timeOrigin + performance.now()
    })
  }, delayMs)
}

/** OpenAI's system prompt is the first message. */
function withSystem(request) {
  const [first, ...rest] = request.messages
  return first.role === 'user' ? request : { ...request, system: first.content, messages: rest }
}

function partsOf({ system, tools, messages }) {
  const bytes = value =>
    value === undefined ? 0 : Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value))
  return { system: bytes(system), tools: bytes(tools), messages: bytes(messages) }
}

const textOf = message =>
  typeof message?.content === 'string'
    ? message.content
    : (message?.content ?? []).map(part => part.text ?? '').join(' ')

function blocksOfMain(turn) {
  if (turn > 0) return [{ type: 'text', text: 'All children have reported.' }]
  return Array.from({ length: story.children }, (_, i) => ({
    type: 'tool_use',
    id: `toolu_task_${i}`,
    name: 'Task',
    input: {
      description: 'read the note',
      prompt: `child-${i}-of the crowd: read ${story.file}`,
      subagent_type: story.agent,
    },
  }))
}

function blocksOfChild(turn, child) {
  if (turn >= readsOfChild) return [{ type: 'text', text: `The note was read by ${child}.` }]
  return [
    {
      type: 'tool_use',
      id: `toolu_${child}_${turn}`,
      name: 'Read',
      input: { file_path: story.file, offset: turn + 1, limit: 5 },
    },
  ]
}

function stream(blocks, isCached) {
  const event = body => `event: ${body.type}\ndata: ${JSON.stringify(body)}\n\n`
  const prefixTokens = 900
  const usage = {
    input_tokens: 100,
    output_tokens: 1,
    cache_read_input_tokens: isCached ? prefixTokens : 0,
    cache_creation_input_tokens: isCached ? 0 : prefixTokens,
  }
  const isCalling = blocks.some(block => block.type === 'tool_use')
  return [
    event({
      type: 'message_start',
      message: {
        id: 'msg',
        type: 'message',
        role: 'assistant',
        model: 'bench',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage,
      },
    }),
    ...blocks.flatMap((block, index) => [
      event({
        type: 'content_block_start',
        index,
        content_block: block.type === 'text' ? { type: 'text', text: '' } : { ...block, input: {} },
      }),
      event({
        type: 'content_block_delta',
        index,
        delta:
          block.type === 'text'
            ? { type: 'text_delta', text: block.text }
            : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) },
      }),
      event({ type: 'content_block_stop', index }),
    ]),
    event({
      type: 'message_delta',
      delta: { stop_reason: isCalling ? 'tool_use' : 'end_turn', stop_sequence: null },
      usage: { output_tokens: 20 },
    }),
    event({ type: 'message_stop' }),
  ].join('')
}

function chatStream(blocks, isCached) {
  const base = { id: 'chatcmpl', object: 'chat.completion.chunk', created: 1, model: 'bench' }
  const event = body => `data: ${JSON.stringify({ ...base, ...body })}\n\n`
  const chunk = (delta, reason = null) => event({ choices: [{ index: 0, delta, finish_reason: reason }] })
  const calls = blocks.filter(block => block.type === 'tool_use')
  return [
    chunk({ role: 'assistant', content: '' }),
    ...blocks.filter(block => block.type === 'text').map(block => chunk({ content: block.text })),
    ...calls.flatMap(({ id, name, input }, index) => [
      chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
      chunk({ tool_calls: [{ index, function: { arguments: JSON.stringify(input) } }] }),
    ]),
    chunk({}, calls.length > 0 ? 'tool_calls' : 'stop'),
    event({
      choices: [],
      usage: {
        prompt_tokens: 1000,
        completion_tokens: 20,
        total_tokens: 1020,
        prompt_tokens_details: { cached_tokens: isCached ? 900 : 0 },
      },
    }),
    'data: [DONE]\n\n',
  ].join('')
}
