/** Internet addresses as numbers, and what kind of place each one is. */

export type AddressKind =
  | 'public'
  | 'unspecified'
  | 'loopback'
  | 'private'
  | 'link-local'
  | 'metadata'
  | 'shared'
  | 'multicast'
  | 'reserved'

/** Undefined when the text is no address. Brackets and a zone (`%eth0`) are accepted. */
export function addressKind(text: string): AddressKind | undefined {
  const bare = text.replace(/^\[(.*)\]$/, '$1').replace(/%.*$/, '')
  const four = parseIPv4(bare)
  if (four !== undefined) return kindOfIPv4(four)
  const six = parseIPv6(bare)
  return six && kindOfIPv6(six)
}

/** Dotted decimal only: other spellings are made plain by the URL parser before they come here. */
function parseIPv4(text: string): number | undefined {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)
  if (!match) return undefined
  const bytes = match.slice(1).map(Number)
  if (bytes.some(byte => byte > 255)) return undefined
  return bytes.reduce((sum, byte) => sum * 256 + byte, 0)
}

/** Eight groups of sixteen bits. */
function parseIPv6(text: string): readonly number[] | undefined {
  if (!text.includes(':') || text.length > 45) return undefined
  const tail = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text)
  const four = tail && parseIPv4(tail[2]!)
  if (tail && four === undefined) return undefined
  const plain = tail ? `${tail[1]}${Math.floor(four! / 65536).toString(16)}:${(four! % 65536).toString(16)}` : text
  const halves = plain.split('::')
  if (halves.length > 2) return undefined
  const [head, rest] = halves.map(half => (half === '' ? [] : half.split(':')))
  const missing = 8 - head!.length - (rest?.length ?? 0)
  if (rest === undefined ? missing !== 0 : missing < 1) return undefined
  const groups = rest === undefined ? head! : [...head!, ...Array<string>(missing).fill('0'), ...rest]
  if (groups.some(group => !/^[0-9a-f]{1,4}$/i.test(group))) return undefined
  return groups.map(group => Number.parseInt(group, 16))
}

const ranges: readonly (readonly [address: string, bits: number, kind: AddressKind])[] = [
  ['169.254.169.254', 32, 'metadata'],
  ['169.254.170.2', 32, 'metadata'],
  ['100.100.100.200', 32, 'metadata'],
  ['192.0.0.192', 32, 'metadata'],
  ['168.63.129.16', 32, 'metadata'],
  ['0.0.0.0', 8, 'unspecified'],
  ['10.0.0.0', 8, 'private'],
  ['100.64.0.0', 10, 'shared'],
  ['127.0.0.0', 8, 'loopback'],
  ['169.254.0.0', 16, 'link-local'],
  ['172.16.0.0', 12, 'private'],
  ['192.0.0.0', 24, 'reserved'],
  ['192.0.2.0', 24, 'reserved'],
  ['192.88.99.0', 24, 'reserved'],
  ['192.168.0.0', 16, 'private'],
  ['198.18.0.0', 15, 'reserved'],
  ['198.51.100.0', 24, 'reserved'],
  ['203.0.113.0', 24, 'reserved'],
  ['224.0.0.0', 4, 'multicast'],
  ['240.0.0.0', 4, 'reserved'],
]

function kindOfIPv4(address: number): AddressKind {
  const range = ranges.find(([start, bits]) => {
    const size = 2 ** (32 - bits)
    return Math.floor(address / size) === Math.floor(parseIPv4(start)! / size)
  })
  return range?.[2] ?? 'public'
}

function kindOfIPv6(groups: readonly number[]): AddressKind {
  const inner = embeddedIPv4(groups)
  if (inner !== undefined) return kindOfIPv4(inner)
  const first = groups[0]!
  const isZeroUpTo = (last: number) => groups.slice(0, last).every(group => group === 0)
  if (isZeroUpTo(8)) return 'unspecified'
  if (isZeroUpTo(7) && groups[7] === 1) return 'loopback'
  if (first === 0xfd00 && groups[1] === 0xec2) return 'metadata'
  if ((first & 0xfe00) === 0xfc00) return 'private'
  if ((first & 0xffc0) === 0xfe80) return 'link-local'
  if ((first & 0xffc0) === 0xfec0) return 'private'
  if ((first & 0xff00) === 0xff00) return 'multicast'
  if (first === 0x2001 && (groups[1]! < 0x200 || groups[1] === 0xdb8)) return 'reserved'
  if (first === 0x3fff && groups[1]! < 0x1000) return 'reserved'
  // Only 2000::/3 is handed out to the public internet.
  return (first & 0xe000) === 0x2000 ? 'public' : 'reserved'
}

/** Mapped (`::ffff:a.b.c.d`), compatible, translated (NAT64) and 6to4 addresses reach the IPv4 address inside them. */
function embeddedIPv4(groups: readonly number[]): number | undefined {
  const last = groups[6]! * 65536 + groups[7]!
  const isZero = (from: number, to: number) => groups.slice(from, to).every(group => group === 0)
  if (isZero(0, 5) && groups[5] === 0xffff) return last
  if (isZero(0, 4) && groups[4] === 0xffff && groups[5] === 0) return last
  if (isZero(0, 6) && last > 1) return last
  if (groups[0] === 0x64 && groups[1] === 0xff9b) return last
  if (groups[0] === 0x2002) return groups[1]! * 65536 + groups[2]!
  return undefined
}
