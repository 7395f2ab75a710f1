/** When a provider says we may come back: its headers, or the detail in Google's body. */

type ResponseHeaders = Readonly<Record<string, string>>

/** Milliseconds to wait, if the provider named a time. */
export function readRetryAfter(headers: ResponseHeaders, body: string, now: number): number | undefined {
  const exact = Number(headers['retry-after-ms'])
  if (headers['retry-after-ms'] && isSpan(exact)) return exact
  const after = headers['retry-after']
  if (after) {
    const seconds = Number(after)
    if (isSpan(seconds)) return seconds * 1000
    const date = Date.parse(after)
    if (!Number.isNaN(date)) return Math.max(0, date - now)
  }
  const delay = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(body)
  return delay ? Number(delay[1]) * 1000 : undefined
}

/** `Infinity` is a number, too, and no time. */
const isSpan = (value: number): boolean => value >= 0 && value < 1e12

/** Epoch milliseconds at which a used-up limit is lifted. */
export function readResetTime(headers: ResponseHeaders, now: number): number | undefined {
  const unified = Number(headers['anthropic-ratelimit-unified-reset'])
  if (unified > 0 && isSpan(unified)) return unified * 1000
  const times = Object.entries(headers)
    .filter(([name]) => /^(anthropic-ratelimit-.*-reset|x-ratelimit-reset(-\w+)?)$/.test(name))
    .filter(([name]) => isUsedUp(headers, name))
    .map(([, value]) => readTime(value, now))
    .filter(time => time !== undefined)
  return times.length > 0 ? Math.max(...times) : undefined
}

/** A reset time concerns us only where nothing remains. */
const isUsedUp = (headers: ResponseHeaders, name: string): boolean =>
  Number(headers[name.replace('reset', 'remaining')] ?? 0) === 0

/** `2026-11-15T10:00:00Z`, `6m0s`, `450ms`, or seconds (epoch seconds when large). */
function readTime(value: string, now: number): number | undefined {
  const plain = Number(value)
  if (value !== '' && isSpan(plain)) return plain > 1e9 ? plain * 1000 : now + plain * 1000
  const span = /^(?:(\d+)h)?(?:(\d+)m(?!s))?(?:([\d.]+)s)?(?:(\d+)ms)?$/.exec(value)
  if (span && value !== '') {
    const [hours, minutes, seconds, ms] = span.slice(1).map(part => Number(part ?? 0))
    return now + (hours! * 3600 + minutes! * 60 + seconds!) * 1000 + ms!
  }
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : date
}
