/**
 * Skills: a folder with a `SKILL.md`, whose front matter says what it is for (read-skill.ts) and whose body is read when
 * it is needed.
 *
 * 1. A skill grants nothing: `allowed-tools` is read as a note for people.
 * 2. `$ARGUMENTS`, `$1` to `$9` and `${CLAUDE_SKILL_DIR}` are replaced, once; arguments nobody asked for are appended.
 */
import { oneLine } from '../text/text.js'

export type SkillScope = 'project' | 'user' | 'plugin' | 'managed'

export interface Skill {
  readonly name: string
  readonly description: string
  readonly body: string
  /** The folder: supporting files lie in it. */
  readonly directory: string
  readonly scope: SkillScope
  readonly argumentHint?: string
  /** A model may not load it of its own accord; a definition or a person may. */
  readonly isHidden?: boolean
}

/** A skill's text with what was asked put in. One pass: an argument is never read as a placeholder. */
export function expandSkill({ body, directory }: Skill, written = ''): string {
  const words = splitArguments(written)
  let isAsked = false
  const text = body.replace(placeholder, (all, index: string | undefined, digit: string | undefined) => {
    if (all.startsWith('${')) return directory
    isAsked = true
    return index === undefined && digit === undefined ? written : (words[Number(index ?? Number(digit) - 1)] ?? '')
  })
  return !isAsked && written.trim() !== '' ? `${text}\n\nArguments: ${written}` : text
}

const placeholder = /\$\{(?:CLAUDE|OFFSHOOT)_SKILL_DIR\}|\$ARGUMENTS(?:\[(\d{1,2})\])?|\$([1-9])(?!\d)/g

/** By blanks, quotes kept together. */
function splitArguments(text: string): readonly string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(match => match[1] ?? match[2] ?? match[3] ?? '')
}

/** One line a skill, for a tool's description; what does not fit is counted. */
export function listSkills(skills: readonly Skill[], maxCharacters = 8000): string {
  const lines: string[] = []
  let left = maxCharacters
  const shown = skills.filter(skill => !skill.isHidden)
  for (const { name, description, argumentHint } of shown) {
    const line = `- ${name}${argumentHint ? ` ${argumentHint}` : ''}: ${oneLine(description, 240)}`
    if (line.length + 1 > left) break
    lines.push(line)
    left -= line.length + 1
  }
  const rest = shown.length - lines.length
  return [...lines, ...(rest > 0 ? [`- and ${rest} more, by name`] : [])].join('\n')
}
