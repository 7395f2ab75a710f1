/** Model calls and pages through the proxy of the environment. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createModels } from '../../src/adapters/models/registry.js'
import { webFetchBy } from '../../src/adapters/tools/judged-fetch.js'
import { createWebFetchTool } from '../../src/adapters/tools/web-fetch.js'
import { startProxy } from '../support/proxy.js'
import { createTestRun, textOf } from '../support/tool-workspace.js'
import { askModel, requestTo } from './requests.js'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0).reverse()) close()
})

const says = (text: string) =>
  [
    { choices: [{ index: 0, delta: { role: 'assistant', content: text } }] },
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: { prompt_tokens: 1, completion_tokens: 1 } },
  ]
    .map(chunk => `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', ...chunk })}\n\n`)
    .join('')

/** A model, and a page for whoever gets one. */
const answering: http.RequestListener = (request, response) => {
  if (request.method === 'GET') return void response.setHeader('content-type', 'text/plain').end('the page')
  request.resume()
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`${says('well')}data: [DONE]\n\n`)
}

async function listening(server: http.Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => server.closeAllConnections() ?? server.close())
  return (server.address() as AddressInfo).port
}

async function proxyTo(port: number, answer?: number) {
  const proxy = await startProxy(port, answer)
  closing.push(() => proxy.close())
  return proxy
}

async function asked(env: Record<string, string>, baseURL: string, signal?: AbortSignal) {
  const models = createModels({
    env: { OFFSHOOT_HOME: '/nowhere', ...env },
    settings: { providers: { far: { kind: 'openai-compatible', baseUrl: baseURL, apiKey: 'key-of-the-model' } } },
    retries: { maxAttempts: 1 },
  })
  closing.push(() => models.close())
  return Promise.all([askModel(models.model, requestTo('far/one'), signal), models])
}

test('a model elsewhere is asked through a tunnel of the proxy, and the connection is kept', async () => {
  const proxy = await proxyTo(await listening(http.createServer(answering)))
  const [{ reply }, { model }] = await asked({ HTTP_PROXY: proxy.url }, 'http://models.test/v1')
  expect(reply).toMatchObject({ content: [{ type: 'text', text: 'well' }] })
  await askModel(model, requestTo('far/one'))
  expect(proxy.asked).toEqual(['CONNECT models.test:80'])
})

test('the login of the proxy goes to the proxy alone', async () => {
  const heads: http.IncomingHttpHeaders[] = []
  const server = http.createServer((request, response) => {
    heads.push(request.headers)
    answering(request, response)
  })
  const proxy = await proxyTo(await listening(server))
  const address = proxy.url.replace('//', '//me:a-long-password@')
  await asked({ ALL_PROXY: address }, 'http://models.test/v1')
  expect(proxy.logins).toEqual([`Basic ${Buffer.from('me:a-long-password').toString('base64')}`])
  expect(heads[0]).not.toHaveProperty('proxy-authorization')
})

test.each([
  ['this machine', {}, ''],
  ['a host of NO_PROXY', { NO_PROXY: 'other.test, models.invalid' }, 'models.invalid'],
])('a proxy gets nothing that is meant for %s', async (_, exempt, host) => {
  const port = await listening(http.createServer(answering))
  const proxy = await proxyTo(port)
  const [{ reply }] = await asked({ HTTP_PROXY: proxy.url, ...exempt }, `http://${host || '127.0.0.1'}:${port}/v1`)
  if (host === '') expect(reply).toMatchObject({ finish: 'stop' })
  else expect(reply).toMatchObject({ error: { kind: 'network', message: expect.stringContaining('ENOTFOUND') } })
  expect(proxy.asked).toEqual([])
})

test.each([
  [407, 'wants a login (407)'],
  [403, 'let nothing through to models.test:80 (status 403)'],
  [502, 'let nothing through to models.test:80 (status 502)'],
])('a proxy that answers with %i is named, without its password', async (status, said) => {
  const proxy = await proxyTo(0, status)
  const [{ reply }] = await asked(
    { HTTP_PROXY: proxy.url.replace('//', '//me:a-long-password@') },
    'http://models.test',
  )
  expect(reply).toMatchObject({ error: { kind: 'network', isRetryable: status === 502 } })
  const text = JSON.stringify(reply)
  expect(text).toContain(`the proxy 127.0.0.1:${proxy.port} ${said}`)
  for (const hidden of ['a-long-password', Buffer.from('me:a-long-password').toString('base64')])
    expect(text).not.toContain(hidden)
})

test('a proxy that is not there is named', async () => {
  const proxy = await proxyTo(0)
  proxy.close()
  const [{ reply }] = await asked({ HTTP_PROXY: proxy.url }, 'http://models.test')
  expect(JSON.stringify(reply)).toContain(`the proxy 127.0.0.1:${proxy.port} cannot be reached (ECONNREFUSED)`)
})

test('an abort ends a request at once while the proxy says nothing', async () => {
  const proxy = await proxyTo(0, 0)
  const stop = new AbortController()
  const asking = asked({ HTTP_PROXY: proxy.url }, 'http://models.test', stop.signal)
  await expect.poll(() => proxy.asked.length).toBe(1)
  stop.abort(new Error('enough'))
  await expect(asking).rejects.toThrow('enough')
})

test.each(['http', 'https'])(
  'a %s request that was aborted while the proxy said nothing kept its connection, and the program, for half a minute',
  async scheme => {
    const proxy = await proxyTo(0, 0)
    const stop = new AbortController()
    const asking = asked({ ALL_PROXY: proxy.url }, `${scheme}://models.test`, stop.signal)
    await expect.poll(() => proxy.asked.length).toBe(1)
    stop.abort('enough')
    await expect(asking).rejects.toBe('enough')
    await expect.poll(() => proxy.open()).toBe(0)
  },
)

/** For this test's two hosts. */
function ownCertificate() {
  const folder = mkdtempSync(join(tmpdir(), 'offshoot-tls-'))
  closing.push(() => rmSync(folder, { recursive: true }))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const made = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=models.test -addext subjectAltName=DNS:models.test -keyout ${key} -out ${cert}`
  execFileSync('openssl', made.split(' '), { stdio: 'ignore' })
  return { key: readFileSync(key), cert: readFileSync(cert) }
}

const hasOpenssl = (() => {
  try {
    return execFileSync('openssl', ['version'], { stdio: 'pipe' }).length > 0
  } catch {
    return false
  }
})()

function trustingAll<T>(work: () => Promise<T>): Promise<T> {
  const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  return work().finally(() => {
    if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
  })
}

test.runIf(hasOpenssl)(
  'a proxy sees neither the key nor the words of an https request, and certificates are checked',
  async () => {
    const names: unknown[] = []
    const server = https.createServer(ownCertificate(), answering)
    server.on('secureConnection', socket => names.push(socket.servername))
    const proxy = await proxyTo(await listening(server))
    const env = { HTTPS_PROXY: proxy.url }
    const [{ reply: refused }] = await asked(env, 'https://models.test/v1')
    expect(refused).toMatchObject({ error: { kind: 'network', message: expect.stringMatching(/CERT/) } })
    const [{ reply }] = await trustingAll(() => asked(env, 'https://models.test/v1'))
    expect(reply).toMatchObject({ content: [{ type: 'text', text: 'well' }] })
    expect(names.at(-1)).toBe('models.test')
    expect(proxy.asked.at(-1)).toBe('CONNECT models.test:443')
    for (const hidden of ['key-of-the-model', 'Where is the loop']) expect(proxy.seen()).not.toContain(hidden)
  },
)

function pageTool(env: Record<string, string>, addresses: readonly string[]) {
  const { proxyFor } = webFetchBy(() => ({ allow: [], deny: [] }), env)
  const judgeUrl = (url: URL) => ({ allowed: !url.hostname.startsWith('inside'), reason: 'it is inside.' })
  const place = { outputsFor: () => '', roomFor: () => 0 } as never
  return createWebFetchTool({ judgeUrl, proxyFor, resolve: async () => addresses } as never, place)
}
const fetched = (tool: ReturnType<typeof pageTool>, url: string) => createTestRun('/').call(tool, { url })

test('a page is asked of the proxy by its judged address, never by name; what is refused is not asked at all', async () => {
  const proxy = await proxyTo(await listening(http.createServer(answering)))
  const tool = pageTool({ HTTP_PROXY: proxy.url }, ['203.0.113.7'])
  expect(textOf(await fetched(tool, 'http://site.test/page'))).toContain('the page')
  expect(textOf(await fetched(tool, 'http://inside.test/page'))).toContain('Refused')
  expect(proxy.asked).toEqual(['CONNECT 203.0.113.7:80'])
})

test('a page on this machine is fetched without the proxy', async () => {
  const port = await listening(http.createServer(answering))
  const proxy = await proxyTo(port)
  const tool = pageTool({ HTTP_PROXY: proxy.url }, ['127.0.0.1'])
  expect(textOf(await fetched(tool, `http://site.test:${port}/page`))).toContain('the page')
  expect(proxy.asked).toEqual([])
})

test.runIf(hasOpenssl)(
  'a page over https is checked against its host, not against the proxy or the address',
  async () => {
    const proxy = await proxyTo(await listening(https.createServer(ownCertificate(), answering)))
    const tool = pageTool({ https_proxy: proxy.url }, ['203.0.113.7', '203.0.113.8'])
    expect(textOf(await fetched(tool, 'https://models.test/page'))).toMatch(/could not be fetched: self.signed/)
    expect(textOf(await trustingAll(() => fetched(tool, 'https://models.test/page')))).toContain('the page')
  },
)

test('a page that the proxy lets nobody have is an error with the reason', async () => {
  const proxy = await proxyTo(0, 403)
  const tool = pageTool({ HTTP_PROXY: proxy.url.replace('//', '//me:a-long-password@') }, [
    '203.0.113.7',
    '203.0.113.8',
  ])
  const text = textOf(await fetched(tool, 'http://site.test/page'))
  expect(text).toContain(`the proxy 127.0.0.1:${proxy.port} let nothing through to 203.0.113.8:80 (status 403)`)
  expect(text).not.toContain('a-long-password')
})
