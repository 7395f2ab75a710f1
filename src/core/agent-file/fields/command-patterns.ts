/** Regular expressions for whole commands, as Kiro has them, in patterns of ours. */

/** `git (status|log).*` is `git status*` and `git log*`. Undefined where it would say something else here. */
export function commandPatterns(expression: string): readonly string[] | undefined {
  const whole = expression.replace(/^\^/, '').replace(/\$$/, '')
  const [, before = '', words = whole, after = ''] = group.exec(whole) ?? []
  const written = words === whole ? [whole] : words.split('|').map(word => `${before}${word}${after}`)
  if (written.some(each => otherSigns.test(each.replace(said, '')))) return undefined
  return written.map(each => each.replaceAll('.*', '*').replace(/\\(.)/g, '$1'))
}

/** A star that is no `.*` repeats the letter before it; who writes it means ours, and a rule that gives leave must not guess. */
export function isPlainGlob(expression: string): boolean {
  return expression.replaceAll('.*', '').includes('*')
}

const group = /^([^()]*)\((?:\?:)?([^()]+)\)(?![?*+{])([^()]*)$/
const said = /\\[./-]|\.\*/g
/** A lone point is any letter there, and one sign only here. */
const otherSigns = /[\\^$+?()[\]{}|.]/
