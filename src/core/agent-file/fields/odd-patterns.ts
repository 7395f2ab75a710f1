/** Brackets behind a tool are a pattern of its calls. Some write a remark there, or two patterns: then next to no call fits. */
import { isRecord } from '../../record.js'
import { canonicalToolName } from '../../tools/tool-names.js'
import type { Given } from './field-reader.js'
import { toolLists } from './tool-tables.js'

/** `Bash (read-only commands)`, `Bash(git diff*, gh pr*)`, as they are written. */
export function oddPatterns(value: unknown): readonly string[] {
  const texts = (Array.isArray(value) ? value : [value]).filter(text => typeof text === 'string' && text.includes('('))
  const found = texts.slice(0, maxTexts).flatMap(text => [...String(text).slice(0, maxText).matchAll(pattern)])
  return found.filter(isOdd).map(([written]) => written)
}

export function reportOddPatterns(value: unknown, { note }: Given): void {
  const granted = isRecord(value) ? toolLists(value)?.granted : value
  for (const written of oddPatterns(granted).slice(0, maxTold))
    note(
      'permission-narrowed',
      `"${written.slice(0, 80)}" grants only calls that fit all that stands in the brackets`,
      'write a remark behind " #", and one rule for each pattern',
    )
}

function isOdd([, name = '', gap, inner = '']: RegExpExecArray): boolean {
  const tool = canonicalToolName(name)
  if (tool === undefined || tool === 'Task') return false
  const isTwo = inner.split(/,\s/).filter(piece => piece.includes('*')).length > 1
  if (/^read-?only$/i.test(inner)) return true
  return isTwo || (gap !== '' && /\s/.test(inner) && !/[*:/]/.test(inner))
}

const pattern = /\b([A-Za-z]\w{1,40})([ \t]?)\(([^()\n]{1,200})\)/g
const [maxTexts, maxText, maxTold] = [40, 4000, 5]
