/**
 * Whether a URL may be fetched. Asked before DNS with the name alone, after DNS with every address, and again at each
 * redirect.
 * 1. Only http and https, without a user name in the URL.
 * 2. Addresses that are not on the public internet are refused; one such address among many refuses the host.
 * 3. A rule that names the exact host lifts this for private networks; loopback, link-local and metadata addresses
 *    must be named themselves (`domain:127.0.0.1`, `domain:localhost`), so that no DNS answer can reach them.
 * 4. `only`, when given, lists all that can be reached. Empty means nothing.
 * 5. What forbids is read generously: a URL or a host with a path is that whole host, commas and blanks part several, a
 *    star may stand anywhere, and what names no host forbids all.
 */
import { commandGlob, globMatches } from '../text/glob.js'
import { type AddressKind, addressKind } from './ip-address.js'
import { clip } from './part.js'

export interface NetworkRules {
  /** Domains as written after `domain:`. */
  readonly allow: readonly string[]
  /** The same, or whatever else a rule that forbids has for a pattern. */
  readonly deny: readonly string[]
  readonly only?: readonly string[]
}

export type UrlVerdict =
  | { readonly isAllowed: true; readonly url: string; readonly host: string }
  | { readonly isAllowed: false; readonly rule: string; readonly reason: string }

/** `addresses` is what the name resolved to: connect to one of these and to nothing else. Undefined before DNS. */
export function judgeUrl(url: string, addresses: readonly string[] | undefined, rules: NetworkRules): UrlVerdict {
  const parsed = parseUrl(url)
  if (!parsed) return refuse('url-unreadable', `"${clip(url)}" is not a URL. Give a full http or https address.`)
  const { protocol, port } = parsed
  if (protocol !== 'http:' && protocol !== 'https:')
    return refuse('url-scheme', `${protocol} addresses cannot be fetched; only http and https can.`)
  if (parsed.username || parsed.password)
    return refuse('url-credentials', 'a URL with a user name in it is not fetched. Leave the part before the @ out.')
  const host = hostOf(parsed)
  if (host === '') return refuse('url-unreadable', `"${clip(url)}" names no host.`)
  const denied = rules.deny.find(pattern => forbidsHost(pattern, host, port))
  if (denied !== undefined) return refuse(`WebFetch(domain:${denied})`, `a deny rule forbids ${host}.`)
  if (rules.only && !rules.only.some(domain => domainCovers(domain, host, port)))
    return refuse('network-only', `${host} is not among the hosts that can be reached from here.`)
  if (addresses?.length === 0) return refuse('no-address', `${host} has no address.`)
  const blocked = blockedAddress(host, port, addresses, rules.allow)
  if (blocked) return refuse(`address-${blocked.kind}`, explainBlocked(host, blocked))
  return { isAllowed: true, url: parsed.href, host }
}

/**
 * Exact host, or a subdomain at a dot; `*.x` covers subdomains only, `*` everything, `x:8080` one port only.
 * An address covers itself and nothing else.
 */
export function domainCovers(domain: string, host: string, port = ''): boolean {
  const wanted = domain.trim().toLowerCase()
  if (wanted === '*') return true
  const isBelowOnly = wanted.startsWith('*.')
  const parsed = parseUrl(`http://${isBelowOnly ? wanted.slice(2) : wanted}`)
  if (parsed?.pathname !== '/' || parsed.username || parsed.search) return false
  if (parsed.port !== '' && parsed.port !== port) return false
  const name = hostOf(parsed)
  if (name === host) return !isBelowOnly
  return addressKind(name) === undefined && host.endsWith(`.${name}`)
}

/** Whether the pattern of a rule that forbids is about a host: the host and all below it; `*.x` leaves `x` itself. */
export function forbidsHost(pattern: string, host: string, port = ''): boolean {
  return hostsIn(pattern)?.some(one => forbiddenCovers(one, host, port)) ?? true
}

/** Whether such a pattern names no host, and so forbids all. */
export const namesNoHost = (pattern: string): boolean => hostsIn(pattern) === undefined

function hostsIn(pattern: string): readonly string[] | undefined {
  const words = pattern.trim().replace(/^(domain|host|url)\s*:(?!\/\/)/i, '')
  const hosts = words.split(/[\s,;]+/).filter(word => word !== '')
  const read = hosts.map(writtenHost)
  return read.length > 0 && read.every(isHost) ? read : undefined
}

/** The port of a scheme is not told apart from none. */
function writtenHost(word: string): string {
  return word
    .toLowerCase()
    .replace(/^([a-z*][a-z0-9+.*-]*:)?\/\//, '')
    .replace(/[/?#].*$/, '')
    .replace(/^[0-9a-f]*:[0-9a-f:.]*:[0-9a-f:.]*$/, '[$&]')
    .replace(/:(80|443|\*)?$/, '')
    .replace(/^\.+|\.$/g, '')
}

function isHost(word: string): boolean {
  if (word.includes('*')) return /^[a-z0-9_.*:-]+$/.test(word)
  return /^[\p{L}\p{N}\p{M}_.:[\]-]+$/u.test(word) && parseUrl(`http://${word}`) !== undefined
}

function forbiddenCovers(wanted: string, host: string, port: string): boolean {
  const name = wanted.replace(/^\*\./, '').replace(/:\d+$/, '')
  if (!name.includes('*')) return domainCovers(wanted, host, port)
  return [name, `*.${name}`].some(glob => globMatches(commandGlob(glob), host))
}

/** One host and one port, as an approval keeps them (`host:x.org:8443`); without a port the scheme's own. */
export function hostAndPort(host: string, port: string): string {
  return `${host.includes(':') ? `[${host}]` : host}${port && `:${port}`}`
}

/** The host a rule is matched against; undefined when the text is no URL with one. */
export function hostOfUrl(url: string): { readonly host: string; readonly port: string } | undefined {
  const parsed = parseUrl(url)
  if (!parsed || hostOf(parsed) === '') return undefined
  return { host: hostOf(parsed), port: parsed.port }
}

interface Blocked {
  readonly address: string
  readonly kind: AddressKind
}

function blockedAddress(
  host: string,
  port: string,
  addresses: readonly string[] | undefined,
  allow: readonly string[],
): Blocked | undefined {
  const literal = addressKind(host)
  const seen = literal ? [host] : [...localNames(host), ...(addresses ?? [])]
  const exact = allow.filter(domain => !domain.includes('*') && domainCovers(domain, host, port))
  const namesHost = exact.some(domain => isExactly(domain, host))
  for (const address of seen) {
    const kind = addressKind(address) ?? 'reserved'
    if (kind === 'public') continue
    const isNamed = namesHost && (literal !== undefined || isLocalName(host))
    const isPrivate = kind === 'private' || kind === 'shared'
    if (!isNamed && !(namesHost && isPrivate)) return { address, kind }
  }
  return undefined
}

function isExactly(domain: string, host: string): boolean {
  const parsed = parseUrl(`http://${domain.trim()}`)
  return parsed !== undefined && hostOf(parsed) === host
}

/** Names that mean an address without DNS, so that they are refused before it is asked. */
function localNames(host: string): readonly string[] {
  if (isLocalName(host)) return ['127.0.0.1']
  return metadataNames.has(host) ? ['169.254.169.254'] : []
}

function isLocalName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || hostsFileNames.has(host)
}

const hostsFileNames: ReadonlySet<string> = new Set([
  'localhost.localdomain',
  'ip6-localhost',
  'ip6-loopback',
  'localhost6',
  'localhost6.localdomain6',
  'broadcasthost',
])

const metadataNames: ReadonlySet<string> = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'instance-data',
  'instance-data.ec2.internal',
])

function explainBlocked(host: string, { address, kind }: Blocked): string {
  const where = address === host ? host : `${host} (${address})`
  return `${where} is a ${kind} address. Only the public internet is fetched, unless a rule WebFetch(domain:${hostAndPort(host, '')}) allows this host.`
}

function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

function hostOf(url: URL): string {
  return url.hostname
    .replace(/\.+$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase()
}

function refuse(rule: string, reason: string): UrlVerdict & { isAllowed: false } {
  return { isAllowed: false, rule, reason }
}
