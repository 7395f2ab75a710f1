/** `fetch` whose answers are bounded: a body as a whole, an event stream by the length of one event. */

const maxBytes = 16 * 1024 * 1024

/** `isForStream`: whoever asks reads events as they come. Anything else is kept until its end, whatever its type says. */
export async function boundedFetch(url: string | URL, init: RequestInit, isForStream: boolean): Promise<Response> {
  const response = await fetch(url, init)
  if (!response.body) return response
  const body = response.body.pipeThrough(bound(isForStream && isRead(response)))
  const { status, statusText, headers } = response
  return new Response(body, { status, statusText, headers })
}

/** An error is a text, and what was only taken (202) has no answer here. */
const isRead = (response: Response): boolean => response.ok && response.status !== 202 && isEventStream(response)

export function isEventStream({ headers }: Response): boolean {
  const [type = ''] = (headers.get('content-type') ?? '').split(';')
  return type.trim().toLowerCase() === 'text/event-stream'
}

function bound(isStream: boolean): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  return new TransformStream({
    transform(chunk, controller) {
      // Where an event ends, counting begins anew; a blank line in the piece is sign enough.
      bytes = isStream && endsEvent(chunk) ? 0 : bytes + chunk.length
      if (bytes > maxBytes) controller.error(new Error(`the server sent more than ${maxBytes} bytes at once`))
      else controller.enqueue(chunk)
    },
  })
}

function endsEvent(chunk: Uint8Array): boolean {
  const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  return text.includes('\n\n') || text.includes('\r\n\r\n')
}
