/** Whether a program of awk only works on what it reads. */

export function isPlainAwk(program: string): boolean {
  return !doubtful.test(program) && !mayRedirect(program)
}

/** It could run or read something else, write, show the environment, or choose other files. Wherever it stands: `1system` is two words. */
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
 * Texts in which nothing is that could end or begin another thing. Between two quotes that are none (in an expression
 * between slashes, in a comment) a slash or the end of a line would stand; behind a backslash nothing is certain.
 */
function withoutStrings(program: string): string {
  return program.includes('\\') ? program : program.replace(/"[^"/{}#\n]*"/g, '0')
}
