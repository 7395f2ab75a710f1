// The least that can be done: a loop without features that talks to the same model over one pool of connections, runs
// children side by side, reads the file they ask for, and forgets everything. It speaks Anthropic's format, or OpenAI's
// when that is where it is sent. A file named second holds the prompt and the tools that main and a child show their model;
// without one they show it nothing, which no real model could work with.
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import http from 'node:http'

const anthropic = {
  path: '/v1/messages',
  request: ({ system, tools }, messages) => ({
    model: 'bench',
    max_tokens: 1000,
    system,
    tools,
    stream: true,
    messages,
  }),
  user: text => ({ role: 'user', content: [{ type: 'text', text }] }),
  said: blocks => ({ role: 'assistant', content: blocks }),
  results: results => [
    { role: 'user', content: results.map(([id, content]) => ({ type: 'tool_result', tool_use_id: id, content })) },
  ],
  read(blocks, event) {
    if (event.type === 'content_block_start') blocks.push({ ...event.content_block })
    if (event.type !== 'content_block_delta') return
    const block = blocks[event.index]
    if (event.delta.type === 'text_delta') block.text += event.delta.text
    else block.input = JSON.parse(event.delta.partial_json)
  },
}

const openai = {
  path: '/v1/chat/completions',
  request: ({ system, tools }, messages) => ({
    model: 'bench',
    messages: [{ role: 'system', content: system }, ...messages],
    tools,
    stream: true,
    stream_options: { include_usage: true },
  }),
  user: content => ({ role: 'user', content }),
  said(blocks) {
    const calls = blocks.filter(block => block.type === 'tool_use')
    const text = blocks.map(block => block.text ?? '').join('')
    const tool_calls = calls.map(({ id, name, input }) => ({
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(input) },
    }))
    return calls.length > 0 ? { role: 'assistant', content: null, tool_calls } : { role: 'assistant', content: text }
  },
  results: results => results.map(([tool_call_id, content]) => ({ role: 'tool', tool_call_id, content })),
  read(blocks, { choices: [choice] }) {
    if (choice?.delta.content) blocks.push({ type: 'text', text: choice.delta.content })
    for (const { index, id, function: called } of choice?.delta.tool_calls ?? []) {
      blocks[index] ??= { type: 'tool_use', id, name: called.name }
      if (called.arguments) blocks[index].input = JSON.parse(called.arguments)
    }
  },
}

const format = process.env.OPENAI_BASE_URL ? openai : anthropic
const url = new URL(format.path, process.env.OPENAI_BASE_URL ?? process.env.ANTHROPIC_BASE_URL)
const agent = new http.Agent({ keepAlive: true, maxSockets: 2000 })

const nothing = { system: 'Do it.' }
const [, , task, shownFile] = process.argv
const shown = shownFile ? JSON.parse(readFileSync(shownFile, 'utf8')) : { main: nothing, child: nothing }

async function loop(prompt, face) {
  const messages = [format.user(prompt)]
  for (;;) {
    const blocks = await ask(format.request(face, messages))
    messages.push(format.said(blocks))
    const calls = blocks.filter(block => block.type === 'tool_use')
    if (calls.length === 0) return blocks.map(block => block.text).join('')
    const results = await Promise.all(
      calls.map(async ({ id, name, input }) => [
        id,
        name === 'Task' ? await loop(input.prompt, shown.child) : await readFile(input.file_path, 'utf8'),
      ]),
    )
    messages.push(...format.results(results))
  }
}

function ask(body) {
  return new Promise((resolve, reject) => {
    const text = JSON.stringify(body)
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
    const request = http.request(url, { method: 'POST', agent, headers }, response => {
      let said = ''
      response.setEncoding('utf8')
      response.on('data', chunk => {
        said += chunk
      })
      response.on('end', () => resolve(blocksOf(said)))
    })
    request.on('error', reject)
    request.end(text)
  })
}

function blocksOf(said) {
  const blocks = []
  for (const line of said.split('\n')) if (line.startsWith('data: {')) format.read(blocks, JSON.parse(line.slice(6)))
  return blocks
}

console.log(await loop(task, shown.main))
agent.destroy()
