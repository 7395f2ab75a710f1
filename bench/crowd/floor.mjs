// The least that can be done: a loop without features that talks to the same model over one pool of connections, runs
// children side by side, reads the file they ask for, and forgets everything.
import { readFile } from 'node:fs/promises'
import http from 'node:http'

const url = new URL('/v1/messages', process.env.ANTHROPIC_BASE_URL)
const agent = new http.Agent({ keepAlive: true, maxSockets: 2000 })

async function loop(prompt) {
  const messages = [{ role: 'user', content: [{ type: 'text', text: prompt }] }]
  for (;;) {
    const blocks = await ask({ model: 'bench', max_tokens: 1000, system: 'Do it.', stream: true, messages })
    messages.push({ role: 'assistant', content: blocks })
    const calls = blocks.filter(block => block.type === 'tool_use')
    if (calls.length === 0) return blocks.map(block => block.text).join('')
    const results = await Promise.all(
      calls.map(async ({ id, name, input }) => ({
        type: 'tool_result',
        tool_use_id: id,
        content: name === 'Task' ? await loop(input.prompt) : await readFile(input.file_path, 'utf8'),
      })),
    )
    messages.push({ role: 'user', content: results })
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
  for (const line of said.split('\n')) {
    if (!line.startsWith('data: ')) continue
    const event = JSON.parse(line.slice(6))
    if (event.type === 'content_block_start') blocks.push({ ...event.content_block })
    if (event.type !== 'content_block_delta') continue
    const block = blocks[event.index]
    if (event.delta.type === 'text_delta') block.text += event.delta.text
    else block.input = JSON.parse(event.delta.partial_json)
  }
  return blocks
}

console.log(await loop(process.argv[2]))
agent.destroy()
