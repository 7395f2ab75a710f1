import { expect, test } from 'vitest'
import { PlainHeaders } from './plain-headers.js'
import { PlainResponse } from './plain-response.js'

const bodyOf = (...chunks: string[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk))
      controller.close()
    },
  })
const facts = (status: number) => ({ status, statusText: 'x', headers: new PlainHeaders({ A: 'b' }), url: 'http://h/' })

test.each([200, 204, 299, 300, 404, 529])('reads as the real one does: %s', async status => {
  const isEmpty = status === 204
  const real = new Response(isEmpty ? null : bodyOf('{"a":', '"ä"}'), { status, statusText: 'x', headers: { A: 'b' } })
  const plain = new PlainResponse(isEmpty ? null : bodyOf('{"a":', '"ä"}'), facts(status))
  const read = async (response: { ok: boolean; status: number; statusText: string; text(): Promise<string> }) => ({
    ok: response.ok,
    status: response.status,
    statusText: response.statusText,
    text: await response.text(),
  })
  expect(await read(plain)).toEqual(await read(real))
  expect([...plain.headers]).toEqual([['a', 'b']])
})

test('a body is text, JSON or bytes, and is read once', async () => {
  expect(await new PlainResponse(bodyOf('{"a":1}'), facts(200)).json()).toEqual({ a: 1 })
  expect((await new PlainResponse(bodyOf('abc'), facts(200)).arrayBuffer()).byteLength).toBe(3)
  expect(await (await new PlainResponse(bodyOf('abc'), facts(200)).blob()).text()).toBe('abc')
  const twice = new PlainResponse(bodyOf('abc'), facts(200))
  expect(twice.bodyUsed).toBe(false)
  await twice.text()
  expect(twice.bodyUsed).toBe(true)
  await expect(twice.text()).rejects.toThrow('read already')
})
