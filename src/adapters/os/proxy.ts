/**
 * The proxy of the environment for an address: `HTTPS_PROXY` and `HTTP_PROXY` by its scheme, else `ALL_PROXY`; small letters
 * count first, as everywhere.
 *
 * P1 What is meant for this machine goes to no proxy, nor does anything `NO_PROXY` names: a host with all below it, with
 *    or without a port, an address, a range of addresses, or `*`.
 * P2 The password in its address is for the proxy alone: `label` is what messages show.
 */
import { BlockList, isIP } from 'node:net'

type Environment = Readonly<Record<string, string | undefined>>

export interface HttpProxy {
  readonly url: URL
  /** Its host and port. */
  readonly label: string
  /** For the head of a request to it. */
  readonly authorization?: string
}

/** Absent where none is set, none is wanted, or what is set can be none. `addresses`: what the host is known to be. */
export function proxyFor(env: Environment, url: URL, addresses: readonly string[] = []): HttpProxy | undefined {
  const name = url.protocol === 'https:' ? 'https' : 'http'
  const set = setting(env, `${name}_proxy`) ?? setting(env, 'all_proxy')
  const proxy = set === undefined ? undefined : readProxy(set)
  if (!proxy || isExempt(env, url, addresses)) return undefined
  return proxy
}

/** The variables that name a proxy which cannot be used: of another kind (socks), or no address. */
export function unusableProxies(env: Environment): readonly string[] {
  return ['https_proxy', 'http_proxy', 'all_proxy']
    .flatMap(name => [name.toUpperCase(), name])
    .filter(name => env[name]?.trim() && !readProxy(env[name].trim()))
}

/** Whether a proxy that may be used has a password in its address. */
export const hasProxyLogin = (env: Environment): boolean =>
  ['https_proxy', 'http_proxy', 'all_proxy'].some(name => {
    const set = setting(env, name)
    return set !== undefined && readProxy(set)?.authorization !== undefined
  })

export const wantsNoProxy = (env: Environment): boolean => exceptions(env).includes('*')

function readProxy(text: string): HttpProxy | undefined {
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url?.hostname || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  const { username, password } = url
  const login = `${plain(username)}:${plain(password)}`
  const authorization = username || password ? `Basic ${Buffer.from(login).toString('base64')}` : undefined
  return { url, label: `${url.hostname}:${port}`, ...(authorization !== undefined && { authorization }) }
}

/** A password may hold a `%` that stands for itself. */
function plain(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function isExempt(env: Environment, url: URL, addresses: readonly string[]): boolean {
  const host = bare(url.hostname)
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  const known = isIP(host) ? [host, ...addresses] : addresses
  if (host === 'localhost' || host.endsWith('.localhost') || known.some(isHere)) return true
  return exceptions(env).some(entry => entry === '*' || isNamed(entry, host, port, known))
}

function isNamed(entry: string, host: string, port: string, addresses: readonly string[]): boolean {
  const range = rangeOf(entry)
  if (range) return addresses.some(address => holds(range, address))
  const [, name = entry, onlyPort] = /^(\[[^\]]*\]|[^:]*):(\d+)$/.exec(entry) ?? []
  if (onlyPort !== undefined && onlyPort !== port) return false
  const wanted = bare(name.replace(/^\*?\./, ''))
  // One address is written in many ways.
  const only = rangeOf(`${wanted}/${isIP(wanted) === 6 ? 128 : 32}`)
  if (only) return addresses.some(address => holds(only, address))
  return wanted !== '' && (host === wanted || host.endsWith(`.${wanted}`))
}

const here = new BlockList()
here.addSubnet('127.0.0.0', 8)
here.addAddress('0.0.0.0')
here.addAddress('::1', 'ipv6')
here.addAddress('::', 'ipv6')

const isHere = (address: string): boolean => holds(here, address)

const holds = (list: BlockList, address: string): boolean =>
  isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

function rangeOf(entry: string): BlockList | undefined {
  const [, start = '', bits = ''] = /^\[?(.+?)\]?\/(\d{1,3})$/.exec(entry) ?? []
  const family = isIP(start)
  if (family === 0 || Number(bits) > (family === 6 ? 128 : 32)) return undefined
  const list = new BlockList()
  list.addSubnet(start, Number(bits), family === 6 ? 'ipv6' : 'ipv4')
  return list
}

const bare = (host: string): string => host.toLowerCase().replace(/^\[|\]$|\.$/g, '')

const exceptions = (env: Environment): readonly string[] =>
  (setting(env, 'no_proxy') ?? '')
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)

const setting = (env: Environment, name: string): string | undefined =>
  [name, name.toUpperCase()].map(each => env[each]?.trim()).find(Boolean)
