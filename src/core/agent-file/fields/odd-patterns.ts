/** Brackets behind a tool are a pattern of its calls. Some write a remark there, or two patterns: then next to no call fits. */
import { withColonsParted } from '../../permission/permission-pattern.js'
import { isSeveralPatterns, namesField } from '../../permission/permission-rule.js'
import { isRecord } from '../../record.js'
import { canonicalToolName } from '../../tools/tool-names.js'
import type { Given } from './field-reader.js'
import { listItems } from './list-items.js'
import { toolLists } from './tool-tables.js'

/** `Bash (read-only commands)`, `Bash(git diff*, gh pr*)`, as they are written. */
export function oddPatterns(value: unknown): readonly string[] {
  return bracketed(value)
    .filter(found => isOdd(found) || isNoHost(found) || colonInside(found) !== undefined)
    .map(([written]) => written)
}

function bracketed(value: unknown): readonly RegExpExecArray[] {
  const items = Array.isArray(value) ? (listItems(value) ?? value) : [value]
  const texts = items.filter(text => typeof text === 'string' && text.includes('('))
  return texts.slice(0, maxTexts).flatMap(text => [...String(text).slice(0, maxText).matchAll(pattern)])
}

export function reportOddPatterns(value: unknown, { note }: Given): void {
  const granted = isRecord(value) ? toolLists(value)?.granted : value
  for (const written of oddPatterns(granted).slice(0, maxTold))
    note(
      'permission-narrowed',
      `"${written.slice(0, 80)}" grants only calls that fit all that stands in the brackets`,
      instead,
    )
}

/**
 * What they take away where they deny: no call is like `WebSearch (ask the planner)`, so nothing would be denied, and all of
 * the tool is meant. What is denied before a colon inside is told.
 */
export function whollyDenied(value: unknown, { note }: Given): readonly string[] {
  return bracketed(value).flatMap(found => {
    const [written, name = '', gap, inner = ''] = found
    const tool = canonicalToolName(name)
    const parted = colonInside(found)
    if (parted !== undefined)
      note('permission-narrowed', `"${written.slice(0, 80)}" was read as "${parted.slice(0, 80)}", too`, blank)
    const isRemark = gap !== '' && !/[*:/]/.test(inner)
    if (tool === undefined || tool === 'Task' || !(isRemark || isOdd(found))) return []
    note('permission-narrowed', `"${written.slice(0, 80)}" was read as all of ${tool}`, instead)
    return [tool]
  })
}

function isOdd([, name = '', gap, inner = '']: RegExpExecArray): boolean {
  const tool = canonicalToolName(name)
  if (tool === undefined || tool === 'Task') return false
  // `git push \*` is how Markdown writes a star, and no command has one.
  if (namesField(inner) || inner.includes('\\*')) return true
  if (everyCall.test(inner) || (tool === 'Bash' && /^(?![\0-\x7f])\p{L}/u.test(inner))) return true
  if (/^read-?only$/i.test(inner) || (tool === 'Bash' && areCommands(inner))) return true
  return isSeveralPatterns(inner) || (gap !== '' && /\s/.test(inner) && !/[*:/]/.test(inner))
}

/** `Bash(gh pr merge:*--admin*)`: the colon is one for what grants, and a blank as well for what denies. */
function colonInside([, name = '', , inner = '']: RegExpExecArray): string | undefined {
  return canonicalToolName(name) === 'Bash' ? withColonsParted(inner) : undefined
}

/** `WebFetch(domain:a.org|b.org)`, `WebFetch(https://a.org)`: what denies reads these as the hosts they name, or as any. */
function isNoHost([, name = '', , inner = '']: RegExpExecArray): boolean {
  return canonicalToolName(name) === 'WebFetch' && !/^(?:domain|host):\s*[^\s,;|/]+$|^\*$/.test(inner.trim())
}

/**
 * `git diff, git log`, `npm test|yarn test`: no command is like that. In quotes and braces, or before a single letter, a comma
 * may be a part of one.
 */
function areCommands(inner: string): boolean {
  const pieces = /["'`${}]/.test(inner) ? [] : inner.split(/,\s+|(?<=\S)\|(?=\S)/)
  return pieces.length > 1 && pieces.every(piece => /^[A-Za-z.~/]\S/.test(piece))
}

/** `Bash(any command)`, `Write(所有文件)`: words for all of it, which no call and no file is called. */
const everyCall =
  /^(?:any|all|every|tous|toutes|todos|todas|alle|tutti|все|всё|любые|любой|будь-які)(?:\s+\p{L}+){0,3}$|^(?:所有|全部|任何|すべて|全て|모든|전체)[^*/.]{0,20}$/iu
const pattern = /\b([A-Za-z]\w{1,40})([ \t]?)\(([^()\n]{1,200})\)/g
const [maxTexts, maxText, maxTold] = [40, 4000, 5]
const blank = 'only at the end ":*" is a prefix; write " *" inside'
const instead = 'write a remark behind " #", and one rule for each pattern'
