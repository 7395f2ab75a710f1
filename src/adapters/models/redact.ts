/**
 * Keeps keys out of everything that is shown or stored. Known secrets are replaced wherever they stand; what merely
 * looks like a credential is replaced too, because a provider may echo a key we were never told about.
 */

/** Takes keys, and what looks like one, out of a text. */
export type Redact = (text: string) => string

const hidden = '[key hidden]'

/** Secrets shorter than this are left alone: hiding `key` or `test` would only make messages unreadable. */
const shortestSecret = 8

export function createRedactor(secrets: readonly (string | undefined)[]): Redact {
  const conceal = createConcealer(secrets)
  return text => {
    let safe = conceal(text)
    for (const [shape, replacement] of credentialShapes) safe = safe.replace(shape, replacement)
    return safe
  }
}

/** Takes out known secrets alone, also where they stand in an address, in base64 or in JSON. */
export function createConcealer(secrets: readonly (string | undefined)[]): Redact {
  const known = [...new Set(secrets)]
    .filter((secret): secret is string => secret !== undefined && secret.length >= shortestSecret)
    .flatMap(formsOf)
    .sort((a, b) => b.length - a.length)
  return text => known.reduce((safe, secret) => safe.split(secret).join(hidden), text)
}

const formsOf = (secret: string): readonly string[] => [
  ...new Set([
    ...[secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)],
    ...[Buffer.from(secret).toString('base64'), Buffer.from(secret).toString('base64url')],
  ]),
]

const credentialShapes: readonly (readonly [RegExp, string])[] = [
  [/\b(authorization["']?\s*[:=]\s*["']?)(?:bearer|basic)?\s*[^\s"',}]+/gi, `$1${hidden}`],
  [/\b(x-api-key|x-goog-api-key|api[-_]key)(["']?\s*[:=]\s*["']?)(?!\[)[^\s"',}&]+/gi, `$1$2${hidden}`],
  [/\bbearer\s+[\w.~+/=-]{8,}/gi, `Bearer ${hidden}`],
  [/([?&](?:key|api_key|token|access_token)=)[^&\s"']+/gi, `$1${hidden}`],
  [/\bsk-[\w*-]{8,}/g, hidden],
  [/\bAIza[\w-]{20,}/g, hidden],
  [/\bgsk_\w{16,}/g, hidden],
  [/(\w+:\/\/)[^\s/:@]+:[^\s/@]+@/g, `$1${hidden}@`],
]
