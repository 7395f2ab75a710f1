/**
 * One spelling for what reads the same, in any script: case, composed and compatible letters, letters nobody sees. Names
 * and paths are compared by it; what is shown stays as it was written.
 */
export function foldLetters(text: string): string {
  const folded = withoutHeaps(text)
    .normalize('NFKC')
    .replace(invisible, '')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFC')
  // Turkish İ comes back as an i with its dot above it.
  return folded.replace(/i\u0307/g, 'i')
}

/** To normalise signs heaped on one letter takes quadratic time; no name is long enough to have so many. */
function withoutHeaps(text: string): string {
  return text.length < longText ? text : text.replace(/(\p{M}{255})\p{M}+/gu, '$1')
}

const longText = 4096
const invisible = /\p{Default_Ignorable_Code_Point}/gu

export const isAscii = (text: string): boolean => !beyondAscii.test(text)
const beyondAscii = /[^\0-\x7f]/

/** Commas between names, as keyboards of East Asia and Arabia write them too. */
export const anyComma = /[,\uff0c\u3001\uff64\ufe50\u060c]/
