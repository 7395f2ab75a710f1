/** Whether a program of awk only works on what it reads. */

export function isPlainAwk(program: string): boolean {
  return !doubtful.test(program) && !mayRedirect(program)
}

/**
 * It could run or read something else, write, show the environment, or choose other files. Wherever it stands: `1system` is
 * two words.
 */
const doubtful = /[|@`]|system|getline|close|fflush|ENVIRON|PROCINFO|ARG[VCI]|FILENAME\s*=|SYMTAB|FUNCTAB/

/**
 * A `>` writes behind `print`, which stands only in braces: before the first one it compares, and in round brackets, unless
 * a `print` stands in these as well (`for (print > x; …)`). Without `getline` a `<` always compares.
 */
function mayRedirect(program: string): boolean {
  if (!program.includes('>')) return false
  const plain = withoutStrings(program)
  const brace = plain.indexOf('{')
  let rest = brace < 0 ? '' : plain.slice(brace)
  for (let before = ''; before !== rest; ) {
    before = rest
    rest = rest.replace(roundBrackets, ' ')
  }
  return rest.includes('>')
}

/** Innermost, and nothing in them by which one of the two could be part of a text, an expression or a comment. */
const roundBrackets = /\((?:(?!print)[^()"/\\{}#\n])*\)/g

/**
 * Quotes are surely those of texts where the program has no expression between slashes, no comment and no backslash, in any
 * of which a quote may stand alone. Else every text is left in: taking one out between two others would take out a `>`.
 */
function withoutStrings(program: string): string {
  return /[\\/#]/.test(program) ? program : program.replace(/"[^"\n]*"/g, '0')
}
