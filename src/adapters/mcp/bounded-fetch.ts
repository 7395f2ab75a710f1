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

/** @internal `isStream`: counting begins anew where an event ends, which may be between two pieces. */
export function bound(isStream: boolean): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  let before: Buffer = Buffer.alloc(0)
  return new TransformStream({
    transform(chunk, controller) {
      const text = Buffer.concat([before, chunk])
      const end = isStream ? lastEnd(text) : -1
      bytes = end < 0 ? bytes + chunk.length : text.length - end
      before = text.subarray(-longestEnd)
      if (bytes > maxBytes) controller.error(new Error(`the server sent more than ${maxBytes} bytes at once`))
      else controller.enqueue(chunk)
    },
  })
}

/** Blank lines, as the lines of an event stream may end. */
const ends = ['\n\n', '\r\n\r\n', '\r\r']
const longestEnd = 3

/** Behind the last event that has ended; negative: none has. */
function lastEnd(text: Buffer): number {
  return Math.max(...ends.map(end => (text.includes(end) ? text.lastIndexOf(end) + end.length : -1)))
}
