/**
 * Whatever a provider threw or streamed as an error → a `ModelFailure`: one sentence, what to do, and whether asking
 * again can help. Errors are told by their shape, so that nothing has to be loaded to read them.
 *
 * R1 4xx and context overflow are never retryable; 408, 409, 425 and 429 are, unless the account is out of money.
 * R2 Every message passes through `redact` before anyone sees it.
 */
import type { ModelFailure } from '../../../core/events.js'
import { readResetTime, readRetryAfter } from '../http/retry-after.js'
import type { Redact } from '../redact.js'

export interface ErrorContext {
  readonly provider: string
  /** The name without the provider. */
  readonly model: string
  /** Where the key comes from, for advice: `ANTHROPIC_API_KEY`. */
  readonly keyName?: string
  readonly redact: Redact
  readonly now: number
}

export function toModelFailure(error: unknown, context: ErrorContext): ModelFailure {
  const facts = readFacts(error)
  const failure = classify(facts, context)
  return {
    kind: failure.kind,
    isRetryable: failure.isRetryable,
    message: context.redact(failure.message),
    ...(facts.status !== undefined && { status: facts.status }),
    ...(failure.isRetryable && optional('retryAfterMs', readRetryAfter(facts.headers, facts.body, context.now))),
    ...(facts.status === 429 && optional('resetsAt', readResetTime(facts.headers, context.now))),
  }
}

/** The stream ended, but the model had not: never a success. */
export const brokenStream = (provider: string, detail: string): ModelFailure => ({
  kind: 'network',
  isRetryable: true,
  message: `The answer of ${provider} broke off: ${detail}. Ask again.`,
})

/** The address answered, but not as a model does. */
export function wrongContent(contentType: string, url: string | undefined, provider: string): ModelFailure {
  const what = contentType.includes('html') ? 'a web page' : contentType
  return {
    kind: 'bad-request',
    isRetryable: false,
    message: `${url ?? provider} answered with ${what} instead of a stream of events. Check the base URL of provider "${provider}": it is the address of the API and usually ends in /v1.`,
  }
}

interface Facts {
  readonly name: string
  readonly message: string
  readonly status?: number
  /** A provider's own word for it: `overloaded_error`, `insufficient_quota`. */
  readonly code: string
  readonly networkCode?: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly url?: string
  /** It stood where the answer should have been, under a status that says all is well. */
  readonly isInAnswer: boolean
}

type Verdict = Pick<ModelFailure, 'kind' | 'isRetryable' | 'message'>

function readFacts(error: unknown): Facts {
  const own = asRecord(error)
  const data = asRecord(own.data)
  const inner = asRecord(data.error ?? own.error)
  const status = asNumber(own.statusCode) ?? asNumber(own.status) ?? asNumber(own.code)
  return {
    name: asText(own.name),
    message: firstSentence(asText(own.message) || asText(inner.message) || (typeof error === 'string' ? error : '')),
    status: status !== undefined && status >= 100 && status < 600 ? status : undefined,
    code: [own.type, own.code, inner.type, inner.code, inner.status].filter(one => typeof one === 'string').join(' '),
    networkCode: findNetworkCode(error),
    headers: asRecord(own.responseHeaders) as Record<string, string>,
    body: asText(own.responseBody),
    url: asText(own.url) || undefined,
    isInAnswer: own.isInAnswer === true,
  }
}

function classify(facts: Facts, context: ErrorContext): Verdict {
  const status = facts.status ?? statusOfCode(facts.code)
  const text = `${facts.code} ${facts.message} ${facts.body.slice(0, 4_000)}`
  if (status === undefined) return classifyWithoutStatus(facts, context)
  if (status < 500 && (facts.headers['content-type'] ?? '').includes('text/html')) {
    return wrongContent('text/html', origin(facts.url), context.provider)
  }
  if (status < 500 && status !== 429 && overflow.test(text)) return overflowed(facts, context)
  if (status < 500 && outOfMoney.test(text)) return withoutMoney(facts, status, context)
  if (status === 401 || status === 403 || (status === 400 && badKey.test(text)))
    return keyRefused(facts, status, context)
  if (status === 404) return notFound(facts, context)
  if (status === 413) return overflowed(facts, context)
  if (status === 429) return again('rate-limit', `${context.provider} limits the rate of requests (429)`, facts)
  if (status === 529 || status === 503)
    return again('overloaded', `${context.provider} is overloaded (${status})`, facts)
  if (status >= 500) return again('provider', `${context.provider} failed (${status})`, facts)
  if (status === 408 || status === 409 || status === 425) {
    return again('provider', `${context.provider} asked to try again (${status})`, facts)
  }
  if (status < 300) return again('provider', `${context.provider} sent what is no valid answer`, facts)
  return refusedRequest(facts, status, text, context)
}

const overflow =
  /prompt is too long|context[_ ]length|context[_ ]window|maximum context|too many (input )?tokens|input token count|exceeds? the (available |maximum )?context|request_too_large|input is too long/i
const outOfMoney =
  /insufficient_quota|insufficient[_ ]balance|credit balance|billing|payment required|exceeded your current quota/i
const badKey = /api[ _]key (is )?(not valid|invalid)|API_KEY_INVALID|invalid[ _]api[ _]key/i
const withoutTools =
  /(does not|doesn't|do not|not) support (tool|function)|(tools?|function calling|tool use) (is|are) not (supported|enabled|available)|support tool use/i

function classifyWithoutStatus(facts: Facts, context: ErrorContext): Verdict {
  const { provider } = context
  // What a proxy refuses it refuses again.
  if (facts.name === 'ProxyFailure')
    return {
      kind: 'network',
      isRetryable: !/\(4\d\d\)|status 4/.test(facts.message),
      message: noWayThrough(facts, provider),
    }
  if (facts.networkCode !== undefined) return unreachable(facts, facts.networkCode, context)
  if (/without a finish reason/.test(facts.message)) return brokenStream(provider, 'it ended before it was complete')
  if (/ParseError|TypeValidation|InvalidResponseData|EmptyResponseBody|NoContentGenerated/.test(facts.name)) {
    return again('provider', `${provider} sent what is no valid answer`, facts)
  }
  // In place of an answer, and of no kind that passes.
  if (facts.isInAnswer)
    return overflow.test(facts.message)
      ? overflowed(facts, context)
      : once('bad-request', `${provider} refused the request: ${facts.message}.`)
  if (facts.name === 'MissingPackage')
    return once('bad-request', `${provider} needs a package that is not installed: ${facts.message}.`)
  if (facts.name === 'AI_LoadAPIKeyError') return keyRefused(facts, undefined, context)
  if (/UnsupportedFunctionality|InvalidPrompt|InvalidArgument/.test(facts.name)) {
    return once('bad-request', `${provider} cannot take this request: ${facts.message}`)
  }
  if (facts.name === '' || facts.code !== '') return again('provider', `${provider} reported an error`, facts)
  return once('bug', `Asking ${provider} failed inside the adapter: ${facts.name}: ${facts.message}`)
}

const noWayThrough = ({ message, url }: Facts, provider: string): string =>
  `${origin(url) ?? provider} cannot be reached: ${message}. Check HTTPS_PROXY and HTTP_PROXY; NO_PROXY names what needs none.`

function unreachable(facts: Facts, code: string, { provider }: ErrorContext): Verdict {
  const where = origin(facts.url) ?? provider
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'ETIMEDOUT') {
    return { kind: 'network', isRetryable: true, message: `The connection to ${where} broke (${code}). Ask again.` }
  }
  const isLasting = code === 'ENOTFOUND' || /CERT|SSL|TLS|ALTNAME|INVALID_URL/.test(code)
  return {
    kind: 'network',
    isRetryable: !isLasting,
    message: `${where} cannot be reached (${code}). Check the network and the base URL of provider "${provider}".`,
  }
}

function keyRefused(facts: Facts, status: number | undefined, { provider, keyName }: ErrorContext): Verdict {
  const key = keyName ? `Check ${keyName}` : `Check the key of provider "${provider}" in the settings`
  const code = status === undefined ? '' : ` (${status})`
  return once('auth', `${provider} did not accept the key${code}: ${facts.message || 'no reason given'}. ${key}.`)
}

const withoutMoney = (facts: Facts, status: number, { provider }: ErrorContext): Verdict =>
  once(
    status === 429 ? 'rate-limit' : 'auth',
    `The account at ${provider} cannot pay for this request (${status}): ${facts.message}. Add credit there, or choose another model.`,
  )

const notFound = (facts: Facts, { provider, model }: ErrorContext): Verdict =>
  once(
    'bad-request',
    `${provider} has no model "${model}" at ${origin(facts.url) ?? 'its address'} (404): ${facts.message || 'not found'}. See whether it has another name there; a wrong base URL looks the same.`,
  )

const overflowed = (facts: Facts, { provider, model }: ErrorContext): Verdict =>
  once('context-overflow', `The conversation does not fit into the window of ${provider}/${model}: ${facts.message}.`)

function refusedRequest(facts: Facts, status: number, text: string, { provider, model }: ErrorContext): Verdict {
  if (withoutTools.test(text)) {
    return once(
      'bad-request',
      `${provider}/${model} cannot call tools (${status}): ${facts.message}. Choose a model with tool support, or give the agent \`tools: []\`.`,
    )
  }
  return once('bad-request', `${provider} rejected the request (${status}): ${facts.message || 'no reason given'}.`)
}

const once = (kind: ModelFailure['kind'], message: string): Verdict => ({ kind, isRetryable: false, message })

const again = (kind: ModelFailure['kind'], what: string, facts: Facts): Verdict => ({
  kind,
  isRetryable: true,
  message: facts.message ? `${what}: ${facts.message}.` : `${what}.`,
})

/** Errors inside a stream carry a word where an HTTP answer has a status. */
function statusOfCode(code: string): number | undefined {
  if (/overloaded/.test(code)) return 529
  if (/rate_limit|RESOURCE_EXHAUSTED/.test(code)) return 429
  if (/authentication|permission|invalid_api_key/.test(code)) return 401
  if (/not_found/.test(code)) return 404
  if (/invalid_request|context_length|INVALID_ARGUMENT|request_too_large/.test(code)) return 400
  if (/server_error|api_error|INTERNAL|UNAVAILABLE/.test(code)) return 500
  return undefined
}

function findNetworkCode(error: unknown): string | undefined {
  for (let current = error, depth = 0; current instanceof Error && depth < 6; current = current.cause, depth++) {
    const code = asText(asRecord(current).code)
    if (/^(E[A-Z_]{3,}|UND_ERR_\w+|CERT_\w+|DEPTH_ZERO\w*|UNABLE_TO\w*|SELF_SIGNED\w*|ERR_(TLS|SSL)\w*)$/.test(code)) {
      return code
    }
  }
  return undefined
}

/** Without path and query: a key may stand in there. */
function origin(url: string | undefined): string | undefined {
  if (url === undefined) return undefined
  try {
    return new URL(url).origin
  } catch {
    return undefined
  }
}

const firstSentence = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 500)
    .replace(/[.\s]+$/, '')

const optional = <K extends string, V>(key: K, value: V | undefined) =>
  value === undefined ? {} : ({ [key]: value } as Record<K, V>)

const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
const asText = (value: unknown): string => (typeof value === 'string' ? value : '')
const asNumber = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)
