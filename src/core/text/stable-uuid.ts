/** A uuid that is always the same for the same text: for ids in exported and imported files. Not for secrets. */
export function stableUuid(text: string): string {
  const [a, b, c, d] = hash128(text)
  const hex = [a, b, c, d].map(part => part.toString(16).padStart(8, '0')).join('')
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16)
  // Version 8: "made by a rule of our own" (RFC 9562).
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
}

/** Four 32-bit lanes, mixed by multiplication with odd constants. */
function hash128(text: string): readonly [number, number, number, number] {
  let [a, b, c, d] = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a]
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    a = Math.imul(a ^ unit, 0x9e3779b1) ^ (b >>> 15)
    b = Math.imul(b ^ unit, 0x85ebca6b) ^ (c >>> 13)
    c = Math.imul(c ^ unit, 0xc2b2ae35) ^ (d >>> 16)
    d = Math.imul(d ^ unit, 0x27d4eb2f) ^ (a >>> 14)
  }
  return [finish(a ^ d), finish(b ^ a), finish(c ^ b), finish(d ^ c)]
}

function finish(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
